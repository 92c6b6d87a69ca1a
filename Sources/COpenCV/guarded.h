// What every entry of the shim goes through. Detection runs on a thread beside a recording, so OpenCV is kept to that one
// thread; its GPU path would give other bits on other machines.
#ifndef RETAKE_COPENCV_GUARDED_H
#define RETAKE_COPENCV_GUARDED_H

#include "COpenCV.h"

#include <exception>

#include <opencv2/core.hpp>

namespace retake {

/// One thread, no GPU, no messages on standard error. Once is enough.
void prepare();

/// One line of text.
void note(retake_cv_error *error, const char *text);

/// Runs `body`; what it throws becomes a line of text and `failed`.
template <typename Result, typename Body>
Result guarded(retake_cv_error *error, Result failed, Body body) noexcept {
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
