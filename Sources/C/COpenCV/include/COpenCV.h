// OpenCV's face detectors and networks behind plain C: opaque handles, no exception crosses, one thread, no GPU.
#ifndef RETAKE_COPENCV_H
#define RETAKE_COPENCV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A cascade of LBP or Haar features, or a YuNet network.
typedef struct retake_cascade retake_cascade;
typedef struct retake_yunet retake_yunet;

/// What went wrong, one line, without an end where it was too long.
typedef struct {
  char text[512];
} retake_cv_error;

/// Rows of 8-bit samples: one for grey, three (blue, green, red) for YuNet.
typedef struct {
  const uint8_t *samples;
  int32_t width;
  int32_t height;
  size_t bytes_per_row;
} retake_cv_picture;

/// A rectangle of a cascade, and how many overlapping windows voted for it.
typedef struct {
  int32_t x, y, width, height;
  int32_t votes;
} retake_cv_box;

/// A face of YuNet: the box, the eyes as seen in the picture (the person's right eye first), and the score, 0 to 1.
typedef struct {
  float x, y, width, height;
  float right_eye_x, right_eye_y, left_eye_x, left_eye_y;
  float score;
} retake_cv_face;

typedef struct {
  double scale;
  int32_t neighbors;
  /// Pixels; a largest side of 0 is none.
  int32_t smallest;
  int32_t largest;
} retake_cascade_search;

/// "4.6.0": the library that is loaded, not the one it was compiled with.
const char *retake_cv_version(void);

/// All models are opened from bytes in memory, so that what is loaded is what was checked, and are tried first in a child
/// process of at most `limit_seconds`: a broken or hostile file can make OpenCV crash, run forever or take all memory.

/// NULL with the reason in `error` for a file that is no cascade. A limit of 0 leaves the trial out, for OpenCV's own files.
retake_cascade *retake_cascade_open(
    const void *file, size_t byte_count, uint32_t limit_seconds, retake_cv_error *error);
void retake_cascade_close(retake_cascade *cascade);
/// Side of the window that it was trained with, pixels.
int32_t retake_cascade_window(const retake_cascade *cascade);
/// Fills at most `limit` boxes. Returns how many, or -1 with the reason in `error`.
int32_t retake_cascade_find(
    retake_cascade *cascade, const retake_cv_picture *grey, const retake_cascade_search *search, retake_cv_box *boxes,
    int32_t limit, retake_cv_error *error);

/// NULL with the reason in `error` for a file that is no such network. Sides are multiples of 32.
retake_yunet *retake_yunet_open(
    const void *file, size_t byte_count, int32_t width, int32_t height, float smallest_score, uint32_t limit_seconds,
    retake_cv_error *error);
void retake_yunet_close(retake_yunet *network);
/// The picture has the size that it was opened with. Returns how many of at most `limit`, or -1.
int32_t retake_yunet_find(
    retake_yunet *network, const retake_cv_picture *bgr, retake_cv_face *faces, int32_t limit,
    retake_cv_error *error);

/// A network of an ONNX file, and what it is always asked.
typedef struct retake_network retake_network;

/// Sides of a tensor, outermost first.
typedef struct {
  int32_t rank;
  int32_t sides[8];
} retake_cv_shape;

/// The input that is filled with floats of a shape, and the output that is wanted. An empty name is the first one.
typedef struct {
  const char *input;
  const char *output;
  retake_cv_shape shape;
} retake_network_question;

/// Loads a network that answers the question. NULL with the reason in `error` if it cannot.
retake_network *retake_network_open(
    const void *file, size_t byte_count, const retake_network_question *question, uint32_t limit_seconds,
    retake_cv_error *error);
void retake_network_close(retake_network *network);
/// The floats that the network is given, to be filled before each run.
float *retake_network_input(retake_network *network);
/// Returns the floats of the answer, which hold until the next run, and their shape. NULL with the reason in `error`.
const float *retake_network_run(retake_network *network, retake_cv_shape *shape, retake_cv_error *error);

#ifdef __cplusplus
}
#endif
#endif
