// C interface to OpenCV's face detectors and networks. Single-threaded, no GPU, no exceptions.
//
// The functions are in a library of their own (OpenCVShim), so that the program starts without OpenCV. Call them through
// the table that retake_opencv_load gives: linked directly, they are undefined.
#ifndef RETAKE_COPENCV_H
#define RETAKE_COPENCV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An LBP or Haar cascade, and a YuNet network.
typedef struct retake_cascade retake_cascade;
typedef struct retake_yunet retake_yunet;

/// An error message: one line, truncated if too long.
typedef struct {
  char text[512];
} retake_cv_error;

/// 8-bit samples: one channel for grey, or blue, green, red for YuNet.
typedef struct {
  const uint8_t *samples;
  int32_t width;
  int32_t height;
  size_t bytes_per_row;
} retake_cv_picture;

/// A rectangle found by a cascade, and the number of overlapping detections merged into it.
typedef struct {
  int32_t x, y, width, height;
  int32_t votes;
} retake_cv_box;

/// A face found by YuNet. The right eye is the person's own; the score is 0 to 1.
typedef struct {
  float x, y, width, height;
  float right_eye_x, right_eye_y, left_eye_x, left_eye_y;
  float score;
} retake_cv_face;

typedef struct {
  double scale;
  int32_t neighbors;
  /// Side lengths in pixels; `largest` 0 means no limit.
  int32_t smallest;
  int32_t largest;
} retake_cascade_search;

/// Version of the loaded library, such as "4.6.0"; it may differ from the headers' version.
const char *retake_cv_version(void);

// Models are opened from memory, so that the checked bytes are the loaded ones. A child process
// tries them first, for at most `limit_seconds`, as a bad file can make OpenCV crash or hang.

/// NULL with `error` set for an invalid file. A limit of 0 skips the trial, for OpenCV's own files.
retake_cascade *retake_cascade_open(
    const void *file, size_t byte_count, uint32_t limit_seconds, retake_cv_error *error);
void retake_cascade_close(retake_cascade *cascade);
/// Side of the training window, pixels.
int32_t retake_cascade_window(const retake_cascade *cascade);
/// Fills at most `limit` boxes, ungrouped if `neighbors` is 0. Returns their number, or -1 with `error` set.
int32_t retake_cascade_find(
    retake_cascade *cascade, const retake_cv_picture *grey, const retake_cascade_search *search, retake_cv_box *boxes,
    int32_t limit, retake_cv_error *error);

/// Groups ungrouped boxes in place, and drops groups of `neighbors` (1 or more) or fewer boxes, and small groups
/// inside of larger ones, as `retake_cascade_find` does. Returns the number of groups, or -1 with `error` set.
int32_t retake_cascade_group(retake_cv_box *boxes, int32_t count, int32_t neighbors, retake_cv_error *error);

/// NULL with `error` set if the file is not a YuNet network. Sides must be multiples of 32.
retake_yunet *retake_yunet_open(
    const void *file, size_t byte_count, int32_t width, int32_t height, float smallest_score, uint32_t limit_seconds,
    retake_cv_error *error);
void retake_yunet_close(retake_yunet *network);
/// The picture must have the size given on opening. Returns the number of faces, or -1.
int32_t retake_yunet_find(
    retake_yunet *network, const retake_cv_picture *bgr, retake_cv_face *faces, int32_t limit,
    retake_cv_error *error);

/// An ONNX network with a fixed input and output.
typedef struct retake_network retake_network;

/// Dimensions of a tensor, outermost first.
typedef struct {
  int32_t rank;
  int32_t sides[8];
} retake_cv_shape;

/// Names of the input and the output, and the input's shape. An empty name means the first one.
typedef struct {
  const char *input;
  const char *output;
  retake_cv_shape shape;
} retake_network_question;

/// NULL with `error` set if the network does not load, or does not run with this input and output.
retake_network *retake_network_open(
    const void *file, size_t byte_count, const retake_network_question *question, uint32_t limit_seconds,
    retake_cv_error *error);
void retake_network_close(retake_network *network);
/// The input floats, to be filled before each run.
float *retake_network_input(retake_network *network);
/// Returns the output floats, valid until the next run, and their shape. NULL with `error` set.
const float *retake_network_run(retake_network *network, retake_cv_shape *shape, retake_cv_error *error);

#define RETAKE_OPENCV_FUNCTIONS(X) \
  X(retake_cv_version) \
  X(retake_cascade_open) \
  X(retake_cascade_close) \
  X(retake_cascade_window) \
  X(retake_cascade_find) \
  X(retake_cascade_group) \
  X(retake_yunet_open) \
  X(retake_yunet_close) \
  X(retake_yunet_find) \
  X(retake_network_open) \
  X(retake_network_close) \
  X(retake_network_input) \
  X(retake_network_run)

#define RETAKE_OPENCV_MEMBER(name) __typeof__(name) *name;
typedef struct {
  /// Size of this structure, which tells a library of another build.
  size_t byte_count;
  RETAKE_OPENCV_FUNCTIONS(RETAKE_OPENCV_MEMBER)
} retake_opencv;
#undef RETAKE_OPENCV_MEMBER

/// Loads libRetakeOpenCV.so, which lies beside the program, and with it OpenCV. NULL with `error` set if it cannot.
const retake_opencv *retake_opencv_load(retake_cv_error *error);

#ifdef __cplusplus
}
#endif
#endif
