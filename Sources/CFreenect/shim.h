#include <libfreenect.h>
