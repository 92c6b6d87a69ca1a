// The only symbol that the program looks up.
#include "COpenCV.h"

#define MEMBER(name) name,
extern "C" const retake_opencv retake_opencv_functions;
const retake_opencv retake_opencv_functions = {sizeof(retake_opencv), RETAKE_OPENCV_FUNCTIONS(MEMBER)};
