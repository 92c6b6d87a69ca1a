// OpenNI 2, loaded when one of its cameras is asked for. Declares what is used of its C interface, which has been the
// same in every version 2, so that building needs no headers of it. "Oni" types have the library's layout.
#ifndef RETAKE_COPENNI2_H
#define RETAKE_COPENNI2_H

#include <stdint.h>

enum { COPENNI2_OK = 0, COPENNI2_NO_DEVICE = 6, COPENNI2_TIMEOUT = 102 };
enum { COPENNI2_INFRARED = 1, COPENNI2_COLOR = 2, COPENNI2_DEPTH = 3 };
enum { COPENNI2_SERIAL_NUMBER = 3, COPENNI2_REGISTRATION = 5 };
enum { COPENNI2_VIDEO_MODE = 3, COPENNI2_MIRRORING = 7 };

typedef struct OniDevice *OniDeviceHandle;
typedef struct OniStream *OniStreamHandle;

typedef struct {
  int format;
  int width;
  int height;
  int fps;
} OniVideoMode;

typedef struct {
  int sensor;
  int mode_count;
  const OniVideoMode *modes;
} OniSensorInfo;

typedef struct {
  char uri[256];
  char vendor[256];
  char name[256];
  uint16_t usb_vendor;
  uint16_t usb_product;
} OniDeviceInfo;

typedef struct {
  int byte_count;
  const void *data;
  int sensor;
  /// Microseconds of the device's clock.
  uint64_t timestamp;
  int number;
  int width;
  int height;
  OniVideoMode mode;
  int is_cropped;
  int left;
  int top;
  int bytes_per_row;
} OniFrame;

#define COPENNI2_FUNCTIONS(X) \
  X(int, oniInitialize, (int version)) \
  X(const char *, oniGetExtendedError, (void)) \
  X(int, oniGetDeviceList, (OniDeviceInfo **devices, int *count)) \
  X(int, oniReleaseDeviceList, (OniDeviceInfo *devices)) \
  X(int, oniDeviceOpen, (const char *uri, OniDeviceHandle *device)) \
  X(int, oniDeviceClose, (OniDeviceHandle device)) \
  X(int, oniDeviceGetInfo, (OniDeviceHandle device, OniDeviceInfo *info)) \
  X(int, oniDeviceGetProperty, (OniDeviceHandle device, int property, void *data, int *byte_count)) \
  X(int, oniDeviceSetProperty, (OniDeviceHandle device, int property, const void *data, int byte_count)) \
  X(const OniSensorInfo *, oniDeviceGetSensorInfo, (OniDeviceHandle device, int sensor)) \
  X(int, oniDeviceCreateStream, (OniDeviceHandle device, int sensor, OniStreamHandle *stream)) \
  X(void, oniStreamDestroy, (OniStreamHandle stream)) \
  X(int, oniStreamStart, (OniStreamHandle stream)) \
  X(void, oniStreamStop, (OniStreamHandle stream)) \
  X(int, oniStreamIsPropertySupported, (OniStreamHandle stream, int property)) \
  X(int, oniStreamGetProperty, (OniStreamHandle stream, int property, void *data, int *byte_count)) \
  X(int, oniStreamSetProperty, (OniStreamHandle stream, int property, const void *data, int byte_count)) \
  X(int, oniWaitForAnyStream, (OniStreamHandle *streams, int count, int *index, int milliseconds)) \
  X(int, oniStreamReadFrame, (OniStreamHandle stream, OniFrame **frame)) \
  X(void, oniFrameRelease, (OniFrame *frame))

#define COPENNI2_MEMBER(result, name, parameters) result (*name) parameters;
typedef struct {
  COPENNI2_FUNCTIONS(COPENNI2_MEMBER)
} copenni2_functions;
#undef COPENNI2_MEMBER

/// Loads the library. Returns NULL, or why it cannot be used.
const char *copenni2_load(copenni2_functions *functions);

#endif
