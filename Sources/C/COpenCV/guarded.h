// What every entry of the shim goes through. Detection runs on a thread beside a recording, so OpenCV is kept to that one
// thread; its GPU path would give other bits on other machines.
#ifndef RETAKE_COPENCV_GUARDED_H
#define RETAKE_COPENCV_GUARDED_H

#include "COpenCV.h"

#include <exception>
#include <functional>

#include <opencv2/core.hpp>
#include <sys/types.h>

namespace retake {

/// One thread, no GPU, no messages on standard error. Once is enough.
void prepare();

/// Entries of the shim that are at work, on any thread. A child process is only made while none is: it would get OpenCV's
/// mutexes as they are, with nobody in it to unlock those that another thread holds.
class AtWork {
 public:
  AtWork();
  ~AtWork();
  AtWork(const AtWork &) = delete;
  AtWork &operator=(const AtWork &) = delete;
};

/// fork(), while no entry of the shim is at work.
pid_t fork_at_rest();

/// Runs `body` in a child process, with limits of time and memory: a file that is no model, or that was made to do harm, can
/// make OpenCV crash, run forever or take all memory. Returns whether `body` came to its end and returned true; `error` has
/// the reason if not. Every model is opened behind this.
bool works_apart(
    uint32_t limit_seconds, retake_cv_error *error, const std::function<bool(retake_cv_error *)> &body);

/// Why OpenCV must not be given a cascade; null for a sound one. Its windows have sides of 4 to 512 pixels.
const char *flaw_of_cascade(const cv::FileNode &root);

/// One line of text.
void note(retake_cv_error *error, const char *text);

/// Runs `body`; what it throws becomes a line of text and `failed`.
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
