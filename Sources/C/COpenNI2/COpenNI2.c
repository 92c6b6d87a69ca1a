#include "COpenNI2.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

const char *copenni2_load(copenni2_functions *functions) {
  static char reason[512];
  void *library = dlopen("libOpenNI2.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(reason, sizeof reason, "%s", dlerror());
    // Makers of cameras ship it under this name.
    library = dlopen("libOpenNI2.so", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return reason;
  }
#define LOAD(result, name, parameters) \
  functions->name = (__typeof__(functions->name))dlsym(library, #name); \
  if (functions->name == NULL) return "it has no function " #name;
  COPENNI2_FUNCTIONS(LOAD)
  return NULL;
}
