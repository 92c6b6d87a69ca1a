// V4L2 through libv4l2. Wraps what Swift cannot import: request macros that use sizeof, variadic
// calls, and members of packed unions.
#ifndef RETAKE_CV4L2_H
#define RETAKE_CV4L2_H

#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

/// Loads libv4l2, whose plugins support drivers that need more than system calls, such as those with planes in separate
/// buffers. Its log is discarded. Returns NULL, or why it cannot be used; then all functions call the kernel directly.
/// Call it once, before the others.
const char *cv4l2_load(void);

/// Hands an open descriptor to libv4l2, with its conversions off. Negative with errno set if it fails.
int cv4l2_adopt(int fd);
int cv4l2_close(int fd);
int cv4l2_ioctl(int fd, unsigned long request, void *argument);
void *cv4l2_mmap(size_t byte_count, int fd, int64_t offset);
int cv4l2_munmap(void *start, size_t byte_count);

#define CV4L2_REQUEST(name, code, type) \
  static inline int name(int fd, type *argument) { return cv4l2_ioctl(fd, code, argument); }

CV4L2_REQUEST(cv4l2_query_capability, VIDIOC_QUERYCAP, struct v4l2_capability)
CV4L2_REQUEST(cv4l2_enumerate_format, VIDIOC_ENUM_FMT, struct v4l2_fmtdesc)
CV4L2_REQUEST(cv4l2_enumerate_size, VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum)
CV4L2_REQUEST(cv4l2_enumerate_interval, VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum)
CV4L2_REQUEST(cv4l2_get_format, VIDIOC_G_FMT, struct v4l2_format)
CV4L2_REQUEST(cv4l2_set_format, VIDIOC_S_FMT, struct v4l2_format)
CV4L2_REQUEST(cv4l2_get_parameters, VIDIOC_G_PARM, struct v4l2_streamparm)
CV4L2_REQUEST(cv4l2_set_parameters, VIDIOC_S_PARM, struct v4l2_streamparm)
CV4L2_REQUEST(cv4l2_enumerate_input, VIDIOC_ENUMINPUT, struct v4l2_input)
CV4L2_REQUEST(cv4l2_get_input, VIDIOC_G_INPUT, int)
CV4L2_REQUEST(cv4l2_set_input, VIDIOC_S_INPUT, int)
CV4L2_REQUEST(cv4l2_query_control, VIDIOC_QUERY_EXT_CTRL, struct v4l2_query_ext_ctrl)
CV4L2_REQUEST(cv4l2_query_menu, VIDIOC_QUERYMENU, struct v4l2_querymenu)
CV4L2_REQUEST(cv4l2_request_buffers, VIDIOC_REQBUFS, struct v4l2_requestbuffers)
CV4L2_REQUEST(cv4l2_query_buffer, VIDIOC_QUERYBUF, struct v4l2_buffer)
CV4L2_REQUEST(cv4l2_queue_buffer, VIDIOC_QBUF, struct v4l2_buffer)
CV4L2_REQUEST(cv4l2_dequeue_buffer, VIDIOC_DQBUF, struct v4l2_buffer)
CV4L2_REQUEST(cv4l2_stream_on, VIDIOC_STREAMON, int)
CV4L2_REQUEST(cv4l2_stream_off, VIDIOC_STREAMOFF, int)

static inline int cv4l2_open(const char *path) { return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC); }

/// Request codes for devices used without libv4l2.
static const unsigned long CV4L2_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long CV4L2_SET_FORMAT = VIDIOC_S_FMT;
static const unsigned long CV4L2_SET_PARAMETERS = VIDIOC_S_PARM;
static const unsigned long CV4L2_REQUEST_BUFFERS = VIDIOC_REQBUFS;
static const unsigned long CV4L2_QUERY_BUFFER = VIDIOC_QUERYBUF;
static const unsigned long CV4L2_QUEUE_BUFFER = VIDIOC_QBUF;
static const unsigned long CV4L2_DEQUEUE_BUFFER = VIDIOC_DQBUF;
static const unsigned long CV4L2_STREAM_ON = VIDIOC_STREAMON;
static const unsigned long CV4L2_STREAM_OFF = VIDIOC_STREAMOFF;

/// Whether the kernel driver itself identifies the descriptor as a video device.
static inline int cv4l2_is_video_device(int fd) {
  struct v4l2_capability capability;
  return ioctl(fd, VIDIOC_QUERYCAP, &capability) == 0;
}

/// The value of a scalar control: 64 bits if `is_wide`, otherwise 32.
static inline int cv4l2_get_control(int fd, __u32 id, int is_wide, __s64 *value) {
  struct v4l2_ext_control control = {.id = id};
  struct v4l2_ext_controls controls = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &control};
  int status = cv4l2_ioctl(fd, VIDIOC_G_EXT_CTRLS, &controls);
  *value = is_wide ? control.value64 : control.value;
  return status;
}

static inline int cv4l2_set_control(int fd, __u32 id, int is_wide, __s64 value) {
  struct v4l2_ext_control control = {.id = id};
  struct v4l2_ext_controls controls = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &control};
  if (is_wide) control.value64 = value; else control.value = (__s32)value;
  return cv4l2_ioctl(fd, VIDIOC_S_EXT_CTRLS, &controls);
}

/// Pixels per second and per frame, blanking included, of the signal at a digital input.
static inline int cv4l2_get_signal_timing(int fd, __u64 *pixels_per_second, __u64 *pixels_per_frame) {
  struct v4l2_dv_timings timings = {0};
  int status = cv4l2_ioctl(fd, VIDIOC_G_DV_TIMINGS, &timings);
  *pixels_per_second = timings.bt.pixelclock;
  *pixels_per_frame = (__u64)V4L2_DV_BT_FRAME_WIDTH(&timings.bt) * V4L2_DV_BT_FRAME_HEIGHT(&timings.bt);
  return status;
}

/// Accessors for members of a packed union.
static inline __s64 cv4l2_menu_value(const struct v4l2_querymenu *item) { return item->value; }
static inline void cv4l2_menu_name(const struct v4l2_querymenu *item, char name[33]) {
  for (int i = 0; i < 32; i++) name[i] = (char)item->name[i];
  name[32] = 0;
}

#endif
