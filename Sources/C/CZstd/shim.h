// The literal compression mode (Huffman only) is an experimental parameter: its name stands behind
// this definition, the shared library has had it since 1.3.5.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
