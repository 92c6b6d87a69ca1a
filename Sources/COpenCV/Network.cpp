// Networks of ONNX files, on one thread: how sums are split among threads would show in their last bits.
#include "COpenCV.h"
#include "guarded.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <opencv2/dnn.hpp>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct retake_network {
  cv::dnn::Net net;
  cv::Mat input;
  cv::Mat answer;
  std::string input_name;
  std::string output_name;
};

namespace {

retake_network *open_network(const void *file, size_t byte_count, const retake_network_question *question) {
  cv::Ptr<retake_network> network = cv::makePtr<retake_network>();
  network->net = cv::dnn::readNetFromONNX(static_cast<const char *>(file), byte_count);
  network->net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  network->net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
  network->input_name = question->input;
  network->output_name = question->output;
  network->input = cv::Mat(question->shape.rank, question->shape.sides, CV_32F, cv::Scalar(0));
  return new retake_network(*network);
}

const float *run(retake_network *network, retake_cv_shape *shape, retake_cv_error *error) {
  network->net.setInput(network->input, network->input_name);
  network->answer = network->net.forward(network->output_name);
  const cv::Mat &answer = network->answer;
  if (answer.type() != CV_32FC1 || answer.empty() || !answer.isContinuous() || answer.dims > 8) {
    retake::note(error, "its answer is no tensor of floats");
    return nullptr;
  }
  shape->rank = answer.dims;
  for (int i = 0; i < answer.dims; i++) shape->sides[i] = answer.size[i];
  return answer.ptr<float>();
}

/// What this process has mapped; 0 where that is not told.
rlim_t mapped_byte_count() {
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long pages = 0;
  if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
  std::fclose(file);
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// What the child does; the exit code is 0 where it went well, and `error` says what did not.
int try_network(
    const void *file, size_t byte_count, const retake_network_question *question, uint32_t limit_seconds,
    retake_cv_error *error) {
  // Whatever this process would do at a crash is not for a trial.
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // Beside what it inherits.
  const rlim_t memory = (static_cast<rlim_t>(8) << 30) + mapped_byte_count();
  const rlimit address_space = {memory, memory};
  setrlimit(RLIMIT_AS, &address_space);
  alarm(limit_seconds);
  return retake::guarded(error, 1, [&] {
    retake_cv_shape shape;
    return run(open_network(file, byte_count, question), &shape, error) == nullptr ? 1 : 0;
  });
}

}  // namespace

int32_t retake_network_try(
    const void *file, size_t byte_count, const retake_network_question *question, uint32_t limit_seconds,
    retake_cv_error *error) {
  // What only happens once is not left to happen in the child alone.
  if (!retake::guarded(error, false, [] { return true; })) return -1;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    retake::note(error, std::strerror(errno));
    return -1;
  }
  const pid_t child = retake::fork_at_rest();
  if (child < 0) {
    retake::note(error, std::strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  if (child == 0) {
    retake_cv_error found = {};
    const int status = try_network(file, byte_count, question, limit_seconds, &found);
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
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) break;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  found.text[sizeof found.text - 1] = 0;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    retake::note(error, "OpenCV did not come to an end with it");
  } else if (WIFSIGNALED(status)) {
    retake::note(error, "OpenCV crashes on it");
  } else {
    retake::note(error, found.text);
  }
  return -1;
}

retake_network *retake_network_open(
    const void *file, size_t byte_count, const retake_network_question *question, retake_cv_error *error) {
  return retake::guarded(error, static_cast<retake_network *>(nullptr), [&] {
    return open_network(file, byte_count, question);
  });
}

void retake_network_close(retake_network *network) {
  const retake::AtWork at_work;
  delete network;
}

float *retake_network_input(retake_network *network) { return network->input.ptr<float>(); }

const float *retake_network_run(retake_network *network, retake_cv_shape *shape, retake_cv_error *error) {
  return retake::guarded(error, static_cast<const float *>(nullptr), [&] { return run(network, shape, error); });
}
