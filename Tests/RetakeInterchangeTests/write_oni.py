"""Writes an .oni file with OpenNI2's own recorder (Debian's libopenni2-0), of the dummy device that comes with the library.
Prints a line of JSON for each frame that the library delivered meanwhile. Usage: write_oni.py FILE"""

import ctypes
import hashlib
import json
import os
import subprocess
import sys
import time

FRAME_COUNT = 10
PATIENCE_SECONDS = 60
API_VERSION = 2002
SENSORS = {3: "depth", 2: "color"}

if sys.argv[2:] != ["--once"]:
    for _ in range(3):
        try:
            once = [sys.executable, *sys.argv, "--once"]
            run = subprocess.run(once, stdout=subprocess.PIPE, timeout=PATIENCE_SECONDS, text=True)
            print(run.stdout, end="")
            sys.exit(run.returncode)
        except subprocess.TimeoutExpired:
            print("OpenNI2's recorder did not end: once more", file=sys.stderr)
    sys.exit("OpenNI2's recorder never ended")


class Mode(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("format", "width", "height", "fps")]


class Frame(ctypes.Structure):
    _fields_ = [
        *(("byte_count", ctypes.c_int), ("data", ctypes.c_void_p), ("sensor", ctypes.c_int)),
        *(("timestamp", ctypes.c_uint64), ("number", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int)),
        *(("mode", Mode), ("is_cropped", ctypes.c_int), ("left", ctypes.c_int), ("top", ctypes.c_int)),
        ("stride", ctypes.c_int),
    ]


openni = ctypes.CDLL("libOpenNI2.so.0")
openni.oniGetExtendedError.restype = ctypes.c_char_p


def call(function, *arguments):
    status = function(*arguments)
    if status != 0:
        sys.exit(f"{function.__name__}: {status} {openni.oniGetExtendedError().decode()}")


call(openni.oniInitialize, API_VERSION)
device, recorder = ctypes.c_void_p(), ctypes.c_void_p()
call(openni.oniDeviceOpen, b"Dummy", ctypes.byref(device))
streams = []
call(openni.oniCreateRecorder, sys.argv[1].encode(), ctypes.byref(recorder))
for sensor in SENSORS:
    stream = ctypes.c_void_p()
    call(openni.oniDeviceCreateStream, device, sensor, ctypes.byref(stream))
    is_lossy = 0
    call(openni.oniRecorderAttachStream, recorder, stream, is_lossy)
    streams.append(stream)
call(openni.oniRecorderStart, recorder)
for stream in streams:
    call(openni.oniStreamStart, stream)
for _ in range(FRAME_COUNT):
    for stream in streams:
        frame = ctypes.POINTER(Frame)()
        call(openni.oniStreamReadFrame, stream, ctypes.byref(frame))
        data = ctypes.string_at(frame[0].data, frame[0].byte_count)
        line = {"kind": SENSORS[frame[0].sensor], "tick": frame[0].timestamp}
        print(json.dumps({**line, "sha256": hashlib.sha256(data).hexdigest()}))
        openni.oniFrameRelease(frame)
# Where frames still wait in its queue, the recorder's end now and then waits for ever.
for stream in streams:
    openni.oniStreamStop(stream)
time.sleep(0.5)
openni.oniRecorderStop(recorder)
call(openni.oniRecorderDestroy, ctypes.byref(recorder))
sys.stdout.flush()
# The library's threads outlive an ordinary end.
os._exit(0)
