// libfreenect, loaded when a Kinect is asked for.
#ifndef RETAKE_CFREENECT_H
#define RETAKE_CFREENECT_H

#include <libfreenect.h>
#include <libfreenect_registration.h>

/// In both Debian's libfreenect 0.5 and its fakenect.
#define CFREENECT_REQUIRED(X) \
  X(freenect_close_device) \
  X(freenect_find_depth_mode) \
  X(freenect_find_video_mode) \
  X(freenect_get_current_depth_mode) \
  X(freenect_get_current_video_mode) \
  X(freenect_get_tilt_state) \
  X(freenect_get_user) \
  X(freenect_init) \
  X(freenect_num_devices) \
  X(freenect_open_device) \
  X(freenect_process_events) \
  X(freenect_select_subdevices) \
  X(freenect_set_depth_buffer) \
  X(freenect_set_depth_callback) \
  X(freenect_set_depth_mode) \
  X(freenect_set_led) \
  X(freenect_set_log_callback) \
  X(freenect_set_log_level) \
  X(freenect_set_tilt_degs) \
  X(freenect_set_user) \
  X(freenect_set_video_buffer) \
  X(freenect_set_video_callback) \
  X(freenect_set_video_mode) \
  X(freenect_shutdown) \
  X(freenect_start_depth) \
  X(freenect_start_video) \
  X(freenect_stop_depth) \
  X(freenect_stop_video) \
  X(freenect_update_tilt_state)

/// NULL where the library has no such function.
#define CFREENECT_OPTIONAL(X) \
  X(freenect_copy_registration) \
  X(freenect_destroy_registration) \
  X(freenect_enabled_subdevices) \
  X(freenect_free_device_attributes) \
  X(freenect_list_device_attributes) \
  X(freenect_process_events_timeout) \
  X(freenect_set_flag) \
  X(freenect_set_ir_brightness)

#define CFREENECT_MEMBER(name) __typeof__(name) *name;
typedef struct {
  CFREENECT_REQUIRED(CFREENECT_MEMBER)
  CFREENECT_OPTIONAL(CFREENECT_MEMBER)
  /// Whether the library is fakenect.
  int is_fake;
} cfreenect_functions;
#undef CFREENECT_MEMBER

/// Loads the library, under the name that fakenect's has too. Returns NULL, or why it cannot be used.
const char *cfreenect_load(cfreenect_functions *functions);

#endif
