#include "CV4L2.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

// As in libv4l2.h, so that the build needs no package of its own for them.
static const int DISABLE_CONVERSION = 1;

static struct {
  int (*fd_open)(int fd, int flags);
  int (*close)(int fd);
  int (*ioctl)(int fd, unsigned long request, ...);
  void *(*mmap)(void *start, size_t byte_count, int protection, int flags, int fd, int64_t offset);
  int (*munmap)(void *start, size_t byte_count);
} library;

const char *cv4l2_load(void) {
  void *handle = dlopen("libv4l2.so.0", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return dlerror();
  __typeof__(library) found = {
      .fd_open = (int (*)(int, int))dlsym(handle, "v4l2_fd_open"),
      .close = (int (*)(int))dlsym(handle, "v4l2_close"),
      .ioctl = (int (*)(int, unsigned long, ...))dlsym(handle, "v4l2_ioctl"),
      .mmap = (void *(*)(void *, size_t, int, int, int, int64_t))dlsym(handle, "v4l2_mmap"),
      .munmap = (int (*)(void *, size_t))dlsym(handle, "v4l2_munmap"),
  };
  if (!found.fd_open || !found.close || !found.ioctl || !found.mmap || !found.munmap) return "it lacks a function";
  FILE **log = (FILE **)dlsym(handle, "v4l2_log_file");
  if (log != NULL) *log = fopen("/dev/null", "we");
  library = found;
  return NULL;
}

int cv4l2_adopt(int fd) { return library.fd_open ? library.fd_open(fd, DISABLE_CONVERSION) : fd; }

int cv4l2_close(int fd) { return library.close ? library.close(fd) : close(fd); }

int cv4l2_ioctl(int fd, unsigned long request, void *argument) {
  return library.ioctl ? library.ioctl(fd, request, argument) : ioctl(fd, request, argument);
}

void *cv4l2_mmap(size_t byte_count, int fd, int64_t offset) {
  const int protection = PROT_READ | PROT_WRITE;
  return library.mmap ? library.mmap(NULL, byte_count, protection, MAP_SHARED, fd, offset)
                      : mmap(NULL, byte_count, protection, MAP_SHARED, fd, offset);
}

int cv4l2_munmap(void *start, size_t byte_count) {
  return library.munmap ? library.munmap(start, byte_count) : munmap(start, byte_count);
}
