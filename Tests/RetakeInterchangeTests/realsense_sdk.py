"""Records with RealSense's own SDK (PyPI's pyrealsense2) what its software device sends, and prints each frame.

    realsense_sdk.py FILE.db3   writes a recording; prints a line of JSON for each frame
    realsense_sdk.py FILE.bag   the same with the last version that writes ROS 1 bags
"""

import gc
import hashlib
import json
import pathlib
import sys
import time

import numpy as np

if sys.argv[1].endswith(".bag"):
    # Tools/setup installs it here.
    sys.path.insert(0, str(pathlib.Path(sys.prefix, "realsense-bag")))
import pyrealsense2 as rs  # noqa: E402

DEPTH_SIZE, COLOR_SIZE = (64, 48), (96, 64)
FRAMES = 5
ANGLE = np.deg2rad(10)


def profile(sensor, kind, number, size, pixels, byte_count, focal):
    lens = rs.intrinsics()
    lens.width, lens.height = size
    lens.fx, lens.fy, lens.ppx, lens.ppy = focal, focal + 1, size[0] / 2 - 0.25, size[1] / 2 + 0.5
    lens.model, lens.coeffs = rs.distortion.brown_conrady, [0.0] * 5
    stream = rs.video_stream()
    stream.type, stream.index, stream.uid, stream.fps = kind, 0, number, 30
    stream.width, stream.height = size
    stream.bpp, stream.fmt, stream.intrinsics = byte_count, pixels, lens
    return sensor.add_video_stream(stream).as_video_stream_profile()


def send(sensor, stream, picture, number, byte_count):
    frame = rs.software_video_frame()
    frame.stride, frame.bpp, frame.pixels = picture.shape[1] * byte_count, byte_count, picture
    frame.timestamp, frame.domain, frame.frame_number = 1000 + number * 33.3, rs.timestamp_domain.hardware_clock, number
    frame.profile = stream
    if byte_count == 2:
        frame.depth_units = 0.0001
    sensor.on_video_frame(frame)
    data = picture.tobytes()
    kind, tick = "depth" if byte_count == 2 else "color", round(frame.timestamp * 10**6)
    print(json.dumps({"kind": kind, "tick": tick, "sha256": hashlib.sha256(data).hexdigest()}))


device = rs.software_device()
# Open3D's reader needs both.
device.register_info(rs.camera_info.name, "Software device")
device.register_info(rs.camera_info.serial_number, "1")
depth_sensor, color_sensor = device.add_sensor("Stereo Module"), device.add_sensor("RGB Camera")
depth_stream = profile(depth_sensor, rs.stream.depth, 0, DEPTH_SIZE, rs.format.z16, 2, 60.5)
color_stream = profile(color_sensor, rs.stream.color, 1, COLOR_SIZE, rs.format.rgb8, 3, 90.25)
depth_sensor.add_read_only_option(rs.option.depth_units, 0.0001)
place = rs.extrinsics()
# Column by column: turned by 10 degrees about the view.
place.rotation = [np.cos(ANGLE), np.sin(ANGLE), 0, -np.sin(ANGLE), np.cos(ANGLE), 0, 0, 0, 1]
place.translation = [0.015, -0.002, 0.003]
depth_stream.register_extrinsics_to(color_stream, place)

recorder = rs.recorder(sys.argv[1], device)
queue = rs.frame_queue(50, keep_frames=True)
sensors = recorder.query_sensors()
for sensor in sensors:
    sensor.open(sensor.get_stream_profiles())
    sensor.start(queue)
random = np.random.default_rng(1)
for number in range(FRAMES):
    depth = random.integers(0, 5000, DEPTH_SIZE[::-1]).astype(np.uint16)
    send(depth_sensor, depth_stream, depth, number, 2)
    color = random.integers(0, 255, (*COLOR_SIZE[::-1], 3)).astype(np.uint8)
    send(color_sensor, color_stream, color, number, 3)
    time.sleep(0.05)
for sensor in sensors:
    sensor.stop()
    sensor.close()
time.sleep(0.3)
recorder.pause()
# Point of depth at 2 m, and where the SDK projects it in colour.
lens, other = depth_stream.get_intrinsics(), color_stream.get_intrinsics()
point = rs.rs2_transform_point_to_point(place, rs.rs2_deproject_pixel_to_point(lens, [20.0, 30.0], 2.0))
print(json.dumps({"pixel": rs.rs2_project_point_to_pixel(other, point), "meters": point[2]}))
del recorder, sensors, sensor
gc.collect()
