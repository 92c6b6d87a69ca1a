#include <stddef.h>
#include <stdint.h>

// libFuzzer as a library. -sanitize=fuzzer links it; no installed header declares this function.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
