#include "CFreenect.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

const char *cfreenect_load(cfreenect_functions *functions) {
  static char reason[512];
  void *library = dlopen("libfreenect.so.0.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(reason, sizeof reason, "%s", dlerror());
    // Other systems have other versions; those with the headers installed have this name too.
    library = dlopen("libfreenect.so", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return reason;
  }
#define LOAD(name) functions->name = (__typeof__(name) *)dlsym(library, #name);
  CFREENECT_REQUIRED(LOAD)
  CFREENECT_OPTIONAL(LOAD)
#define CHECK(name) if (functions->name == NULL) return "it has no function " #name;
  CFREENECT_REQUIRED(CHECK)
  // In every version so far, only fakenect exports this helper.
  functions->is_fake = dlsym(library, "sleep_highres") != NULL;
  return NULL;
}
