#include "COpenCV.h"

#include <dlfcn.h>
#include <stdio.h>

const retake_opencv *retake_opencv_load(retake_cv_error *error) {
  const retake_opencv *functions = NULL;
  void *library = dlopen("libRetakeOpenCV.so", RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) functions = (const retake_opencv *)dlsym(library, "retake_opencv_functions");
  if (functions == NULL) {
    snprintf(error->text, sizeof error->text, "%s", dlerror());
    return NULL;
  }
  if (functions->byte_count != sizeof *functions) {
    snprintf(error->text, sizeof error->text, "libRetakeOpenCV.so is of another version of Retake");
    return NULL;
  }
  return functions;
}
