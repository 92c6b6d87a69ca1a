"""A bag of two cameras with distorted lenses, and where OpenCV says that points of depth lie in colour.

    calibrated_mcap.py write FILE [CASE]   writes an MCAP as ROS 2 does: images, CameraInfo, static transforms
    calibrated_mcap.py yaml FILE           writes the same calibration as YAML
    calibrated_mcap.py check PNG           compares registered depth with cv2.projectPoints; prints JSON
"""

import json
import struct
import sys

import cv2
import numpy as np
from mcap.writer import Writer

DEPTH_SIZE, COLOR_SIZE = (160, 120), (320, 240)
DEPTH_K = np.array([[140, 0, 79.2], [0, 141, 60.3], [0, 0, 1.0]])
COLOR_K = np.array([[300, 0, 158.5], [0, 301, 121.2], [0, 0, 1.0]])
DEPTH_D = np.array([0.1, -0.05, 0.001, -0.002, 0.01])
COLOR_D = np.array([-0.12, 0.08, 0.0015, 0.0008, -0.02])
# From depth to colour, metres.
ROTATION = cv2.Rodrigues(np.array([0.01, -0.03, 0.02]))[0]
TRANSLATION = np.array([0.025, -0.004, 0.006])
START = 1_700_000_000_000_000_000


def dots():
    """Depth pixels and their distances in millimetres; all others are holes."""
    places = [(x, y) for y in range(15, 110, 12) for x in range(15, 150, 12)]
    return [(x, y, 600 + 37 * i % 3400) for i, (x, y) in enumerate(places)]


def depth_picture():
    picture = np.zeros((DEPTH_SIZE[1], DEPTH_SIZE[0]), np.uint16)
    for x, y, z in dots():
        picture[y, x] = z
    return picture


def cdr(*values):
    """Plain CDR, little-endian. Integers are uint32, floats float64, lists of floats have no count."""
    out = bytearray([0, 1, 0, 0])

    def put(form, size, value):
        while (len(out) - 4) % size:
            out.append(0)
        out.extend(struct.pack(form, value))

    for value in values:
        if isinstance(value, str):
            put("<I", 4, len(value) + 1)
            out.extend(value.encode() + b"\0")
        elif isinstance(value, bytes):
            put("<I", 4, len(value))
            out.extend(value)
        elif isinstance(value, int):
            put("<I", 4, value)
        elif isinstance(value, bool | np.bool_):
            out.append(int(value))
        elif isinstance(value, tuple):
            out.append(value[0])
        else:
            for number in np.asarray(value, float).ravel():
                put("<d", 8, number)
    return bytes(out)


def header(stamp, frame):
    return stamp // 10**9, stamp % 10**9, frame


def image(stamp, frame, encoding, pixels):
    height, width = pixels.shape[:2]
    data = pixels.tobytes()
    return cdr(*header(stamp, frame), height, width, encoding, (0,), len(data) // height, data)


def info(stamp, frame, size, k, d, model="plumb_bob"):
    p = np.hstack([k, np.zeros((3, 1))])
    return cdr(*header(stamp, frame), size[1], size[0], model, len(d), d, k, np.eye(3), p, 0, 0, 0, 0, 0, 0, (0,))


def quaternion(rotation):
    vector = cv2.Rodrigues(rotation)[0].ravel()
    angle = np.linalg.norm(vector)
    axis = vector / angle if angle else vector
    return [*(axis * np.sin(angle / 2)), np.cos(angle / 2)]


def transform(stamp, parent, child, rotation, translation):
    return cdr(1, *header(stamp, parent), child, translation, quaternion(rotation))


def write(path, case):
    with open(path, "wb") as file:
        plain = case == "uncompressed"
        writer = Writer(file, **({"use_chunking": False, "enable_crcs": False} if plain else {}))
        writer.start(profile="ros2", library="calibrated_mcap")
        channels = {}

        def add(topic, kind, stamp, data):
            if topic not in channels:
                schema = writer.register_schema(kind, "ros2msg", b"")
                channels[topic] = writer.register_channel(topic, "cdr", schema)
            writer.add_message(channels[topic], stamp, data, stamp)

        color = np.full((COLOR_SIZE[1], COLOR_SIZE[0], 3), 90, np.uint8)
        # The optical frames hang from one link by poses of which only the difference is known.
        link_color = cv2.Rodrigues(np.array([1.2, -1.1, 1.3]))[0]
        color_at = np.array([0.01, 0.02, 0.03])
        link_depth, depth_at = link_color @ ROTATION, link_color @ TRANSLATION + color_at
        depth_frame = "color" if case == "same-frame" else "depth"
        if case != "no-transform":
            add("/tf_static", "tf2_msgs/msg/TFMessage", START, transform(START, "link", "color", link_color, color_at))
            add("/tf_static", "tf2_msgs/msg/TFMessage", START, transform(START, "link", "depth", link_depth, depth_at))
        if case == "moving":
            add("/tf", "tf2_msgs/msg/TFMessage", START, transform(START, "link", "depth", link_depth, depth_at + 0.01))
        for number in range(3):
            stamp = START + number * 33_333_333
            k, size, model = COLOR_K.copy(), COLOR_SIZE, "plumb_bob"
            if case == "absurd":
                k[0, 0] = 1e9
            if case == "other-size":
                size = (640, 480)
            if case == "fisheye":
                model = "equidistant"
            add("/camera/color/camera_info", "sensor_msgs/msg/CameraInfo", stamp, info(stamp, "color", size, k, COLOR_D, model))
            add("/camera/color/image_raw", "sensor_msgs/msg/Image", stamp, image(stamp, "color", "rgb8", color))
            add("/camera/depth/camera_info", "sensor_msgs/msg/CameraInfo", stamp, info(stamp, depth_frame, DEPTH_SIZE, DEPTH_K, DEPTH_D))
            add("/camera/depth/image_raw", "sensor_msgs/msg/Image", stamp, image(stamp, depth_frame, "16UC1", depth_picture()))
        writer.finish()


def yaml(path):
    def lens(name, size, k, d):
        return (
            f"{name}:\n  width: {size[0]}\n  height: {size[1]}\n  fx: {k[0, 0]}\n  fy: {k[1, 1]}\n  cx: {k[0, 2]}\n"
            f"  cy: {k[1, 2]}\n  distortion: {d.tolist()}\n"
        )

    with open(path, "w") as file:
        file.write(lens("color", COLOR_SIZE, COLOR_K, COLOR_D) + lens("depth", DEPTH_SIZE, DEPTH_K, DEPTH_D))
        file.write(f"depth-to-color:\n  rotation: {ROTATION.ravel().tolist()}\n")
        file.write(f"  translation-mm: {(TRANSLATION * 1000).tolist()}\n")


def check(path):
    picture = cv2.imread(path, cv2.IMREAD_UNCHANGED).astype(float)
    width, height = DEPTH_SIZE
    assert picture.shape == (height, width), picture.shape
    scale = width / COLOR_SIZE[0]
    worst, worst_depth, count, missing = 0.0, 0.0, 0, 0
    explained = np.zeros((height, width), bool)
    for x, y, z in dots():
        direction = cv2.undistortPoints(np.array([[[x, y]]], float), DEPTH_K, DEPTH_D).ravel()
        point = np.array([*direction, 1]) * z
        seen = ROTATION @ point + TRANSLATION * 1000
        u, v = cv2.projectPoints(
            point[None], cv2.Rodrigues(ROTATION)[0], TRANSLATION * 1000, COLOR_K, COLOR_D
        )[0].ravel()
        # The middle of a pixel of the map is 0.5 from its corner.
        px, py = (u + 0.5) * scale - 0.5, (v + 0.5) * scale - 0.5
        left, top = max(0, int(px) - 2), max(0, int(py) - 2)
        window = (slice(top, int(py) + 4), slice(left, int(px) + 4))
        explained[window] = True
        if not (3 < px < width - 4 and 3 < py < height - 4):
            continue
        found = np.argwhere(picture[window] > 0)
        count += 1
        if not len(found):
            missing += 1
            continue
        cy, cx = found.mean(axis=0) + (top, left)
        worst = max(worst, abs(cx - px), abs(cy - py))
        values = picture[window][picture[window] > 0]
        worst_depth = max(worst_depth, np.abs(values - seen[2]).max())
    print(
        json.dumps(
            {
                "dots": count,
                "missing": missing,
                "pixels": worst,
                "millimeters": worst_depth,
                "elsewhere": int((picture[~explained] > 0).sum()),
            }
        )
    )


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "good")
    elif sys.argv[1] == "yaml":
        yaml(sys.argv[2])
    else:
        check(sys.argv[2])
