// what: write reads the bytes that it is given, whatever descriptor they go to
// expect: memsafety=violated
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char bytes[2] = {0, 1};
    int descriptor = open("data", O_WRONLY);
    if (descriptor >= 0) write(descriptor, bytes, 3); //~ MEMSAFETY
    return 0;
}
