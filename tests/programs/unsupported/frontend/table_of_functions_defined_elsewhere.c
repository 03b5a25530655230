// what: a table of functions that no input defines, reached through a pointer to it
// expect: assert=unknown race=unknown deadlock=unknown memsafety=unknown overflow=unknown locks=unknown
// why: rule 9; entries read as zero would be calls of null
struct operations { int (*open)(int); int (*close)(int); };
extern struct operations device_operations;
static struct operations *operations = &device_operations;

int main(void) {
    return operations->open(1); //~ UNSUPPORTED
}
