#include <stddef.h>
#include <stdint.h>

// libFuzzer as a library. The compiler links it with -sanitize=fuzzer; no header of its own declares this.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
