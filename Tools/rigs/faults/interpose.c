// Makes one system call of a program fail, come back short, or be the program's last. Loaded with LD_PRELOAD by Tools/develop/faults.
//
// Only files below FAULTS_ROOT count, so that the dynamic loader and the program's libraries are left alone. Calls are
// counted by name and by kind of file, which keeps the n-th one the same from run to run although threads take turns.
//   FAULTS_ROOT   the folder
//   FAULTS_TABLE  a file of sizeof(struct table) bytes: counts, and what was hit
//   FAULTS_SETTLE waits before a kill until other threads have come to rest
//   FAULTS_AT     "CALL KIND N EFFECT", such as "pwrite wal 3 EIO" or "space any 7 ENOSPC+"; unset: only counts
// Effects: an errno's name for that one call, with + from that call on; short; torn (half is written, then SIGKILL); kill
// (before the call); killed (after it). Child processes are left alone.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum call {
  OPEN, OPENDIR, READ, PREAD, WRITE, PWRITE, FSYNC, RENAME, MMAP, TRUNCATE, UNLINK, MKDIR, FALLOCATE, CLOSE, STAT, ACCESS,
  LOCK, READDIR, SPACE, DESCRIPTORS, DISK, CALLS
};
static const char *const callNames[CALLS] = {
  "open", "opendir", "read", "pread", "write", "pwrite", "fsync", "rename", "mmap", "truncate", "unlink", "mkdir", "fallocate",
  "close", "stat", "access", "lock", "readdir",
  // Groups, for what stays broken: calls that need room, that need a descriptor, that reach the disk.
  "space", "descriptors", "disk"};

enum kind { CHUNK, PARTIAL, INDEX, WAL, SHM, JOURNAL, FOLDER, OTHER, ANY, KINDS };
static const char *const kindNames[KINDS] = {
  "chunk", "partial", "index", "wal", "shm", "journal", "folder", "other", "any"};

struct table {
  uint32_t counts[CALLS][KINDS];
  uint32_t hits;
  char first[252];
};

enum effect { NONE, FAIL, SHORT, TORN, KILLED };

static struct table *table;
static char root[PATH_MAX];
static size_t rootLength;
static int faultCall = -1, faultKind, faultErrno;
static unsigned faultNumber;
static enum effect faultEffect;
static int isLasting, killsBefore, settles;
// The kind of each descriptor's file, plus 1; 0: not below the root.
#define DESCRIPTORS_KNOWN 4096
static unsigned char kindOf[DESCRIPTORS_KNOWN];

static int isGroup(int call) { return call >= SPACE; }

static int errnoNamed(const char *name) {
  static const struct { const char *name; int value; } known[] = {
    {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EINTR", EINTR}, {"EMFILE", EMFILE}, {"ENFILE", ENFILE}, {"ENOMEM", ENOMEM},
    {"EACCES", EACCES}, {"ENOLCK", ENOLCK}, {"EDQUOT", EDQUOT}, {"EROFS", EROFS}, {"EOPNOTSUPP", EOPNOTSUPP}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0) return known[i].value;
  return -1;
}

static void refuse(const char *what) {
  fprintf(stderr, "interpose: %s\n", what);
  _exit(99);
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("FAULTS_ROOT"), *path = getenv("FAULTS_TABLE"), *at = getenv("FAULTS_AT");
  if (!folder || !path) return;
  rootLength = (size_t)snprintf(root, sizeof root, "%s", folder);
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) refuse("FAULTS_TABLE cannot be opened");
  void *memory = (void *)syscall(SYS_mmap, (void *)NULL, sizeof *table, (long)(PROT_READ | PROT_WRITE), (long)MAP_SHARED, (long)descriptor, 0L);
  if (memory == MAP_FAILED) refuse("FAULTS_TABLE cannot be mapped");
  syscall(SYS_close, descriptor);
  if (at) {
    char call[32], kind[32], effect[32];
    if (sscanf(at, "%31s %31s %u %31s", call, kind, &faultNumber, effect) != 4) refuse("FAULTS_AT is not understood");
    for (int i = 0; i < CALLS; i++) if (strcmp(callNames[i], call) == 0) faultCall = i;
    faultKind = -1;
    for (int i = 0; i < KINDS; i++) if (strcmp(kindNames[i], kind) == 0) faultKind = i;
    size_t length = strlen(effect);
    if (effect[length - 1] == '+') { isLasting = 1; effect[length - 1] = 0; }
    if (strcmp(effect, "short") == 0) faultEffect = SHORT;
    else if (strcmp(effect, "torn") == 0) faultEffect = TORN;
    else if (strcmp(effect, "killed") == 0) faultEffect = KILLED;
    else if (strcmp(effect, "kill") == 0) { faultEffect = FAIL; killsBefore = 1; }
    else { faultEffect = FAIL; faultErrno = errnoNamed(effect); }
    if (faultCall < 0 || faultKind < 0 || faultErrno < 0) refuse("FAULTS_AT is not understood");
  }
  settles = getenv("FAULTS_SETTLE") != NULL;
  const char *ours[] = {"LD_PRELOAD", "FAULTS_ROOT", "FAULTS_TABLE", "FAULTS_AT", "FAULTS_SETTLE"};
  for (int i = 0; i < 5; i++) unsetenv(ours[i]);
  table = memory;
}

static void die(void) {
  // Other threads come to where they wait, so that the same is left each time.
  if (settles) usleep(300000);
  kill(getpid(), SIGKILL);
  pause();
}

static int endsWith(const char *path, size_t length, const char *end) {
  size_t count = strlen(end);
  return length >= count && memcmp(path + length - count, end, count) == 0;
}

// - Returns: the kind of a path's file, or -1 where it is not below the root.
static int kindOfPath(const char *path) {
  if (!table || !path) return -1;
  char absolute[PATH_MAX * 2];
  if (path[0] != '/') {
    char folder[PATH_MAX];
    if (syscall(SYS_getcwd, folder, sizeof folder) < 0) return -1;
    snprintf(absolute, sizeof absolute, "%s/%s", folder, path);
    path = absolute;
  }
  if (strncmp(path, root, rootLength) != 0) return -1;
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  if (endsWith(path, length, ".mcap")) return CHUNK;
  if (memmem(path + rootLength, length - rootLength, ".mcap.", 6)) return PARTIAL;
  if (endsWith(path, length, "-wal")) return WAL;
  if (endsWith(path, length, "-shm")) return SHM;
  if (endsWith(path, length, "-journal")) return JOURNAL;
  if (memmem(path + rootLength, length - rootLength, ".sqlite", 7)) return INDEX;
  if (endsWith(path, length, ".retake") || endsWith(path, length, "/chunks")) return FOLDER;
  return OTHER;
}

static int kindOfDescriptor(int descriptor) {
  return table && descriptor >= 0 && descriptor < DESCRIPTORS_KNOWN ? kindOf[descriptor] - 1 : -1;
}

static void know(int descriptor, int kind) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS_KNOWN) kindOf[descriptor] = (unsigned char)(kind + 1);
}

static void note(int call, int kind, unsigned number, const char *path) {
  if (__atomic_fetch_add(&table->hits, 1, __ATOMIC_SEQ_CST) > 0) return;
  snprintf(table->first, sizeof table->first, "%s of %s, number %u: %s", callNames[call], kindNames[kind], number, path ? path : "");
}

static int isHit(int call, int kind, int group, const char *path) {
  unsigned number = __atomic_add_fetch(&table->counts[group][group == call ? kind : ANY], 1, __ATOMIC_SEQ_CST);
  if (faultCall != group || (faultKind != ANY && faultKind != kind && !isGroup(group))) return 0;
  if (number != faultNumber && !(isLasting && number > faultNumber)) return 0;
  note(call, kind, number, path);
  return 1;
}

// Counts a call, and decides what becomes of it. NONE for what is not below the root.
static enum effect decide(int call, int kind, const char *path, int needsRoom) {
  if (kind < 0) return NONE;
  int hit = isHit(call, kind, call, path);
  if (needsRoom) hit |= isHit(call, kind, SPACE, path);
  if (call == OPEN || call == OPENDIR) hit |= isHit(call, kind, DESCRIPTORS, path);
  if (call != CLOSE && call != LOCK && call != MMAP) hit |= isHit(call, kind, DISK, path);
  if (!hit) return NONE;
  if (killsBefore) die();
  if (faultEffect == FAIL) errno = faultErrno;
  return faultEffect;
}

static void dieIf(enum effect effect) {
  if (effect == KILLED || effect == TORN) die();
}

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) refuse(name);
  return function;
}
#define NEXT(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))next(#name)

// MARK: Opening

static int opened(int descriptor, int kind, enum effect effect) {
  if (descriptor >= 0) know(descriptor, kind);
  dieIf(effect);
  return descriptor;
}

#define OPEN_BODY(name, path, flags, realCall) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); } \
  int kind = kindOfPath(path); \
  if (kind >= 0 && ((flags) & O_DIRECTORY)) kind = FOLDER; \
  enum effect effect = decide(OPEN, kind, path, ((flags) & O_CREAT) != 0); \
  if (effect == FAIL) return -1; \
  return opened(realCall, kind, effect);

int open(const char *path, int flags, ...) {
  NEXT(int, open, const char *, int, ...);
  OPEN_BODY(open, path, flags, real(path, flags, mode))
}
int open64(const char *path, int flags, ...) {
  NEXT(int, open64, const char *, int, ...);
  OPEN_BODY(open64, path, flags, real(path, flags, mode))
}
// Relative to a folder's descriptor they are left alone.
int openat(int folder, const char *path, int flags, ...) {
  NEXT(int, openat, int, const char *, int, ...);
  if (folder != AT_FDCWD && path[0] != '/') {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }
    return real(folder, path, flags, mode);
  }
  OPEN_BODY(openat, path, flags, real(folder, path, flags, mode))
}
int openat64(int folder, const char *path, int flags, ...) {
  NEXT(int, openat64, int, const char *, int, ...);
  if (folder != AT_FDCWD && path[0] != '/') {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }
    return real(folder, path, flags, mode);
  }
  OPEN_BODY(openat64, path, flags, real(folder, path, flags, mode))
}
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

#define FOPEN(name) \
  FILE *name(const char *path, const char *mode) { \
    NEXT(FILE *, name, const char *, const char *); \
    int kind = kindOfPath(path); \
    enum effect effect = decide(OPEN, kind, path, mode[0] != 'r'); \
    if (effect == FAIL) return NULL; \
    FILE *file = real(path, mode); \
    if (file) know(fileno(file), kind); \
    dieIf(effect); \
    return file; \
  }
FOPEN(fopen)
FOPEN(fopen64)

DIR *opendir(const char *path) {
  NEXT(DIR *, opendir, const char *);
  int kind = kindOfPath(path);
  if (kind >= 0) kind = FOLDER;
  enum effect effect = decide(OPENDIR, kind, path, 0);
  if (effect == FAIL) return NULL;
  DIR *folder = real(path);
  if (folder) know(dirfd(folder), kind);
  dieIf(effect);
  return folder;
}

#define READ_FOLDER(name, type) \
  struct type *name(DIR *folder) { \
    NEXT(struct type *, name, DIR *); \
    enum effect effect = decide(READDIR, kindOfDescriptor(dirfd(folder)), "", 0); \
    if (effect == FAIL) return NULL; \
    struct type *entry = real(folder); \
    dieIf(effect); \
    return entry; \
  }
READ_FOLDER(readdir, dirent)
READ_FOLDER(readdir64, dirent64)

int close(int descriptor) {
  NEXT(int, close, int);
  int kind = kindOfDescriptor(descriptor);
  enum effect effect = decide(CLOSE, kind, "", 0);
  int error = errno;
  if (kind >= 0) know(descriptor, -1);
  // As Linux does, it is closed whatever is said.
  int result = real(descriptor);
  dieIf(effect);
  if (effect != FAIL) return result;
  errno = error;
  return -1;
}

// MARK: Reading and writing

static size_t part(enum effect effect, size_t count) { return (effect == SHORT || effect == TORN) && count > 1 ? count / 2 : count; }

#define TRANSFER(name, call, buffer, needsRoom) \
  ssize_t name(int descriptor, buffer bytes, size_t count) { \
    NEXT(ssize_t, name, int, buffer, size_t); \
    enum effect effect = decide(call, kindOfDescriptor(descriptor), "", needsRoom); \
    if (effect == FAIL) return -1; \
    ssize_t result = real(descriptor, bytes, part(effect, count)); \
    dieIf(effect); \
    return result; \
  }
#define TRANSFER_AT(name, call, buffer, offsetType, needsRoom) \
  ssize_t name(int descriptor, buffer bytes, size_t count, offsetType offset) { \
    NEXT(ssize_t, name, int, buffer, size_t, offsetType); \
    enum effect effect = decide(call, kindOfDescriptor(descriptor), "", needsRoom); \
    if (effect == FAIL) return -1; \
    ssize_t result = real(descriptor, bytes, part(effect, count), offset); \
    dieIf(effect); \
    return result; \
  }
TRANSFER(read, READ, void *, 0)
TRANSFER(write, WRITE, const void *, 1)
TRANSFER_AT(pread, PREAD, void *, off_t, 0)
TRANSFER_AT(pread64, PREAD, void *, off64_t, 0)
TRANSFER_AT(pwrite, PWRITE, const void *, off_t, 1)
TRANSFER_AT(pwrite64, PWRITE, const void *, off64_t, 1)

// Short: the first of several parts alone.
#define VECTOR(name, call, needsRoom) \
  ssize_t name(int descriptor, const struct iovec *parts, int count) { \
    NEXT(ssize_t, name, int, const struct iovec *, int); \
    enum effect effect = decide(call, kindOfDescriptor(descriptor), "", needsRoom); \
    if (effect == FAIL) return -1; \
    ssize_t result = real(descriptor, parts, (int)part(effect, (size_t)count)); \
    dieIf(effect); \
    return result; \
  }
VECTOR(readv, READ, 0)
VECTOR(writev, WRITE, 1)

#define ON_DESCRIPTOR(name, call, needsRoom, parameters, arguments, ...) \
  int name parameters { \
    NEXT(int, name, __VA_ARGS__); \
    enum effect effect = decide(call, kindOfDescriptor(descriptor), "", needsRoom); \
    if (effect == FAIL) return -1; \
    int result = real arguments; \
    dieIf(effect); \
    return result; \
  }
ON_DESCRIPTOR(fsync, FSYNC, 0, (int descriptor), (descriptor), int)
ON_DESCRIPTOR(fdatasync, FSYNC, 0, (int descriptor), (descriptor), int)
ON_DESCRIPTOR(ftruncate, TRUNCATE, 0, (int descriptor, off_t length), (descriptor, length), int, off_t)
ON_DESCRIPTOR(ftruncate64, TRUNCATE, 0, (int descriptor, off64_t length), (descriptor, length), int, off64_t)
ON_DESCRIPTOR(fallocate, FALLOCATE, 1, (int descriptor, int mode, off_t at, off_t length), (descriptor, mode, at, length), int, int, off_t, off_t)
ON_DESCRIPTOR(fallocate64, FALLOCATE, 1, (int descriptor, int mode, off64_t at, off64_t length), (descriptor, mode, at, length), int, int, off64_t, off64_t)
ON_DESCRIPTOR(flock, LOCK, 0, (int descriptor, int operation), (descriptor, operation), int, int)
ON_DESCRIPTOR(fstat, STAT, 0, (int descriptor, struct stat *status), (descriptor, status), int, struct stat *)
ON_DESCRIPTOR(fstat64, STAT, 0, (int descriptor, struct stat64 *status), (descriptor, status), int, struct stat64 *)

#define POSIX_FALLOCATE(name, type) \
  int name(int descriptor, type at, type length) { \
    NEXT(int, name, int, type, type); \
    enum effect effect = decide(FALLOCATE, kindOfDescriptor(descriptor), "", 1); \
    if (effect == FAIL) return errno; \
    int result = real(descriptor, at, length); \
    dieIf(effect); \
    return result; \
  }
POSIX_FALLOCATE(posix_fallocate, off_t)
POSIX_FALLOCATE(posix_fallocate64, off64_t)

#define FCNTL(name) \
  int name(int descriptor, int command, ...) { \
    NEXT(int, name, int, int, ...); \
    va_list list; \
    va_start(list, command); \
    void *argument = va_arg(list, void *); \
    va_end(list); \
    int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW; \
    enum effect effect = locks ? decide(LOCK, kindOfDescriptor(descriptor), "", 0) : NONE; \
    if (effect == FAIL) return -1; \
    int result = real(descriptor, command, argument); \
    dieIf(effect); \
    return result; \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

#define MAP(name, type) \
  void *name(void *at, size_t length, int protection, int flags, int descriptor, type offset) { \
    NEXT(void *, name, void *, size_t, int, int, int, type); \
    enum effect effect = decide(MMAP, flags & MAP_ANONYMOUS ? -1 : kindOfDescriptor(descriptor), "", 0); \
    if (effect == FAIL) return MAP_FAILED; \
    void *result = real(at, length, protection, flags, descriptor, offset); \
    dieIf(effect); \
    return result; \
  }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

// MARK: Names

#define ON_PATH(name, call, needsRoom, parameters, arguments, ...) \
  int name parameters { \
    NEXT(int, name, __VA_ARGS__); \
    enum effect effect = decide(call, kindOfPath(path), path, needsRoom); \
    if (effect == FAIL) return -1; \
    int result = real arguments; \
    dieIf(effect); \
    return result; \
  }
ON_PATH(rename, RENAME, 0, (const char *path, const char *to), (path, to), const char *, const char *)
ON_PATH(renameat, RENAME, 0, (int from, const char *path, int folder, const char *to), (from, path, folder, to), int, const char *, int, const char *)
ON_PATH(renameat2, RENAME, 0, (int from, const char *path, int folder, const char *to, unsigned flags), (from, path, folder, to, flags), int, const char *, int, const char *, unsigned)
ON_PATH(link, RENAME, 1, (const char *path, const char *to), (path, to), const char *, const char *)
ON_PATH(unlink, UNLINK, 0, (const char *path), (path), const char *)
ON_PATH(rmdir, UNLINK, 0, (const char *path), (path), const char *)
ON_PATH(remove, UNLINK, 0, (const char *path), (path), const char *)
ON_PATH(unlinkat, UNLINK, 0, (int folder, const char *path, int flags), (folder, path, flags), int, const char *, int)
ON_PATH(mkdir, MKDIR, 1, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
ON_PATH(mkdirat, MKDIR, 1, (int folder, const char *path, mode_t mode), (folder, path, mode), int, const char *, mode_t)
ON_PATH(truncate, TRUNCATE, 0, (const char *path, off_t length), (path, length), const char *, off_t)
ON_PATH(stat, STAT, 0, (const char *path, struct stat *status), (path, status), const char *, struct stat *)
ON_PATH(stat64, STAT, 0, (const char *path, struct stat64 *status), (path, status), const char *, struct stat64 *)
ON_PATH(lstat, STAT, 0, (const char *path, struct stat *status), (path, status), const char *, struct stat *)
ON_PATH(lstat64, STAT, 0, (const char *path, struct stat64 *status), (path, status), const char *, struct stat64 *)
ON_PATH(statvfs, STAT, 0, (const char *path, struct statvfs *status), (path, status), const char *, struct statvfs *)
ON_PATH(statvfs64, STAT, 0, (const char *path, struct statvfs64 *status), (path, status), const char *, struct statvfs64 *)
ON_PATH(access, ACCESS, 0, (const char *path, int mode), (path, mode), const char *, int)
ON_PATH(faccessat, ACCESS, 0, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags), int, const char *, int, int)

#define TEMPORARY(name, type, call, failure) \
  type name(char *path) { \
    NEXT(type, name, char *); \
    enum effect effect = decide(call, kindOfPath(path), path, 1); \
    if (effect == FAIL) return failure; \
    type result = real(path); \
    dieIf(effect); \
    return result; \
  }
TEMPORARY(mkdtemp, char *, MKDIR, NULL)
