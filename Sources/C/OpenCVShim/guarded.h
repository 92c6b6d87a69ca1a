// Wrappers for every call of the shim. Detection runs on one thread beside a recording, so OpenCV
// gets a single thread; its GPU path would give different bits on different machines.
#ifndef RETAKE_COPENCV_GUARDED_H
#define RETAKE_COPENCV_GUARDED_H

#include "COpenCV.h"

#include <exception>
#include <functional>

#include <opencv2/core.hpp>
#include <sys/types.h>

namespace retake {

/// Sets up OpenCV once: one thread, no GPU, no messages on standard error.
void prepare();

/// Marks a running call of the shim. fork() waits until there is none: a child would inherit
/// OpenCV's mutexes locked, without the threads that unlock them.
class AtWork {
 public:
  AtWork();
  ~AtWork();
  AtWork(const AtWork &) = delete;
  AtWork &operator=(const AtWork &) = delete;
};

pid_t fork_at_rest();

/// Runs `body` in a child process with time and memory limits, because a broken or hostile file can
/// make OpenCV crash, hang or exhaust memory. Returns whether `body` returned true; `error` has the
/// reason if not. Every model is tried this way before it is opened.
bool works_apart(
    uint32_t limit_seconds, retake_cv_error *error, const std::function<bool(retake_cv_error *)> &body);

/// Reason to reject a cascade, or null if it is sound. Window sides must be 4 to 512 pixels.
const char *flaw_of_cascade(const cv::FileNode &root);

/// Stores the text as one line; control characters become spaces.
void note(retake_cv_error *error, const char *text);

/// Runs `body`. On an exception, stores its message and returns `failed`.
template <typename Result, typename Body>
Result guarded(retake_cv_error *error, Result failed, Body body) noexcept {
  const AtWork at_work;
  try {
    prepare();
    return body();
  } catch (const cv::Exception &exception) {
    note(error, exception.err.empty() ? exception.what() : exception.err.c_str());
  } catch (const std::exception &exception) {
    note(error, exception.what());
  } catch (...) {
    note(error, "an error without a description");
  }
  return failed;
}

}  // namespace retake

#endif
