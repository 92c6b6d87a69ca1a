#include <libfreenect.h>
#include <libfreenect_registration.h>
