// Tries models in a child process before this process loads them.
#include "COpenCV.h"
#include "guarded.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Address space mapped by this process; 0 if unknown.
rlim_t mapped_byte_count() {
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long pages = 0;
  if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
  std::fclose(file);
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// Runs in the child. Returns its exit code: 0 if the model works, else 1 with `error` set.
int try_model(
    uint32_t limit_seconds, retake_cv_error *error, const std::function<bool(retake_cv_error *)> &body) {
  // Don't run the parent's crash handlers.
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // 8 GiB in addition to the inherited mappings.
  const rlim_t memory = (static_cast<rlim_t>(8) << 30) + mapped_byte_count();
  const rlimit address_space = {memory, memory};
  setrlimit(RLIMIT_AS, &address_space);
  alarm(limit_seconds);
  return retake::guarded(error, 1, [&] { return body(error) ? 0 : 1; });
}

}  // namespace

bool retake::works_apart(
    uint32_t limit_seconds, retake_cv_error *error, const std::function<bool(retake_cv_error *)> &body) {
  // One-time initialisation must also happen in the parent.
  if (!guarded(error, false, [] { return true; })) return false;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    note(error, std::strerror(errno));
    return false;
  }
  const pid_t child = fork_at_rest();
  if (child < 0) {
    note(error, std::strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (child == 0) {
    retake_cv_error found = {};
    const int status = try_model(limit_seconds, &found, body);
    if (write(ends[1], found.text, sizeof found.text) < 0) _exit(2);
    _exit(status);
  }
  close(ends[1]);
  retake_cv_error found = {};
  size_t count = 0;
  while (count < sizeof found.text) {
    const ssize_t n = read(ends[0], found.text + count, sizeof found.text - count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    count += static_cast<size_t>(n);
  }
  close(ends[0]);
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  found.text[sizeof found.text - 1] = 0;
  if (ended == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    note(error, "OpenCV did not finish within the time limit");
  } else if (ended == child && WIFSIGNALED(status)) {
    note(error, "OpenCV crashes on it");
  } else {
    note(error, found.text);
  }
  return false;
}
