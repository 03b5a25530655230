// what: recv may fill the whole buffer or fail: its result is used as an index without a look
// expect: memsafety=violated
// explicit: skip (input without end: rule 9)
#include <sys/socket.h>

int main(void) {
    char request[2];
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0 || listen(server, 1) < 0) return 1;
    int client = accept(server, 0, 0);
    if (client < 0) return 1;
    long length = recv(client, request, sizeof request, 0);
    request[length] = 0; //~ MEMSAFETY
    return 0;
}
