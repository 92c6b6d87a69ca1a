// Enables the literal compression mode (Huffman only), an experimental parameter that the shared
// library has had since 1.3.5.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
