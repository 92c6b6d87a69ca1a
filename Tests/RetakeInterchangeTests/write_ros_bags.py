"""Writes bags of ROS 1 and ROS 2 with PyPI's rosbags, and prints what an importer is to find in them: one JSON line for
each picture, its pixels hashed after conversions done with numpy.

    write_ros_bags.py PATH CONTAINER CASE [FRAMES]

CONTAINER: bag, bag-bz2, bag-lz4, db3, db3-message, db3-file, db3-split, mcap, mcap-message, mcap-file, mcap-split
CASE: encodings, depths, realsense
"""

import hashlib
import json
import pathlib
import struct
import sys

import cv2
import numpy as np
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin
from rosbags.rosbag2 import Writer as Writer2
from rosbags.typesys import Stores, get_typestore

path, container, case = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
FRAMES = int(sys.argv[4]) if len(sys.argv) > 4 else 8
START = 1_700_000_000_123_456_789
PERIOD = 33_333_333
HEIGHT, WIDTH = 24, 33
is_ros1 = container.startswith("bag")
store = get_typestore(Stores.ROS1_NOETIC if is_ros1 else Stores.ROS2_HUMBLE)
types = store.types
Time, Header = types["builtin_interfaces/msg/Time"], types["std_msgs/msg/Header"]
Image, Compressed = types["sensor_msgs/msg/Image"], types["sensor_msgs/msg/CompressedImage"]


class Bags:
    """One bag, or one bag of several files that are then made into one folder as rosbag2 splits it."""

    def __init__(self, path):
        if is_ros1:
            self.writer = Writer1(path)
            self.writer.chunk_threshold = 1 << 13
            if "-" in container:
                self.writer.set_compression(Writer1.CompressionFormat[container.split("-")[1].upper()])
        else:
            plugin = StoragePlugin.SQLITE3 if container.startswith("db3") else StoragePlugin.MCAP
            self.writer = Writer2(path, version=9, storage_plugin=plugin)
            mode = container.split("-")[-1]
            if mode in ("message", "file"):
                self.writer.set_compression(CompressionMode[mode.upper()], CompressionFormat.ZSTD)
        self.writer.open()
        self.connections = {}

    def write(self, topic, message, log):
        kind = message.__msgtype__
        if topic not in self.connections:
            self.connections[topic] = self.writer.add_connection(topic, kind, typestore=store)
        serialize = store.serialize_ros1 if is_ros1 else store.serialize_cdr
        self.writer.write(self.connections[topic], log, serialize(message, kind))

    def close(self):
        self.writer.close()


def header(stamp):
    time = Time(stamp // 10**9, stamp % 10**9)
    return Header(7, time, "camera") if is_ros1 else Header(time, "camera")


def expect(topic, fmt, stamp, log, pixels):
    data = pixels if isinstance(pixels, bytes) else np.ascontiguousarray(pixels).tobytes()
    line = {"topic": topic, "format": fmt, "tick": stamp, "log": log, "bytes": len(data), "flags": 0}
    print(json.dumps(line | {"sha256": hashlib.sha256(data).hexdigest()}))


def image(stamp, encoding, pixels, big=0):
    data = np.frombuffer(np.ascontiguousarray(pixels).tobytes(), np.uint8)
    height = pixels.shape[0]
    step = len(data) // height
    return Image(header(stamp), height, pixels.shape[1], encoding, big, step, data)


def compressed(stamp, form, data):
    return Compressed(header(stamp), form, np.frombuffer(data, np.uint8))


def color(seed):
    rng = np.random.default_rng(seed)
    base = np.add.outer(np.arange(HEIGHT), np.arange(WIDTH))[..., None] * np.array([3, 5, 7])
    return ((base + rng.integers(0, 9, (HEIGHT, WIDTH, 3))) % 256).astype(np.uint8)


def wide(seed):
    return np.random.default_rng(seed).integers(0, 65536, (HEIGHT, WIDTH, 4)).astype(np.uint16)


def depth(seed):
    rng = np.random.default_rng(seed)
    return (rng.integers(0, 3, (HEIGHT, WIDTH)) * 5000 + rng.integers(0, 400, (HEIGHT, WIDTH))).astype(np.uint16)


def narrowed(samples):
    """16 bits to 8, rounded, as cv_bridge does."""
    return np.rint(samples.astype(np.float64) * 255 / 65535).astype(np.uint8)


def millimeters(meters):
    exact = np.where(np.isfinite(meters) & (meters > 0), meters, 0).astype(np.float64) * 1000
    return np.minimum(65535, np.floor(exact + 0.5)).astype(np.uint16)


def png(pixels):
    ok, data = cv2.imencode(".png", pixels)
    assert ok
    return data.tobytes()


def rvl(samples):
    """Run lengths and differences in nibbles, as compressed_depth_image_transport's RVL codec (Wilson, 2017)."""
    nibbles = []

    def number(value):
        while True:
            nibble, value = value & 7, value >> 3
            nibbles.append(nibble | (8 if value else 0))
            if not value:
                return

    flat, place, last = [int(v) for v in samples.ravel()], 0, 0
    while place < len(flat):
        start = place
        while place < len(flat) and flat[place] == 0:
            place += 1
        number(place - start)
        start = place
        while place < len(flat) and flat[place] != 0:
            place += 1
        number(place - start)
        for value in flat[start:place]:
            delta, last = value - last, value
            number((delta << 1) ^ (delta >> 31) if delta >= 0 else ((-delta) << 1) - 1)
    nibbles += [0] * (-len(nibbles) % 8)
    words = [int("".join(f"{n:x}" for n in nibbles[i : i + 8]), 16) for i in range(0, len(nibbles), 8)]
    return struct.pack(f"<II{len(words)}I", samples.shape[1], samples.shape[0], *words)


def quantised(meters, a=120.0, b=-2.0):
    """32FC1 as inverse depth, as compressed_depth_image_transport quantises it, and what it decodes to."""
    a, b = np.float32(a), np.float32(b)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.where((meters > 0) & np.isfinite(meters), a / meters + b, 0).astype(np.uint16)
        back = np.where(inverse > 0, a / (inverse.astype(np.float32) - b), 0).astype(np.float32)
    return inverse, struct.pack("<iff", 0, a, b), back


def encodings(out, n, stamp, log):
    rgb, many, mm = color(n), wide(n), depth(n)
    bgr, grey = rgb[..., ::-1], rgb[..., 0]
    alpha = np.full((HEIGHT, WIDTH, 1), 77, np.uint8)
    even = grey[:, :32]
    meters = mm.astype(np.float32) / np.float32(1000)
    rows = [
        ("rgb8", rgb, "RGB24", rgb), ("bgr8", bgr, "RGB24", rgb), ("8UC3", bgr, "RGB24", rgb),
        ("rgba8", np.concatenate([rgb, alpha], 2), "RGB24", rgb),
        ("bgra8", np.concatenate([bgr, alpha], 2), "RGB24", rgb),
        ("8UC4", np.concatenate([bgr, alpha], 2), "RGB24", rgb),
        ("rgb16", many[..., :3], "RGB24", narrowed(many[..., :3])),
        ("bgr16", many[..., 2::-1], "RGB24", narrowed(many[..., :3])),
        ("16UC3", many[..., 2::-1], "RGB24", narrowed(many[..., :3])),
        ("rgba16", many, "RGB24", narrowed(many[..., :3])),
        ("bgra16", many[..., [2, 1, 0, 3]], "RGB24", narrowed(many[..., :3])),
        ("mono8", grey, "GREY", grey), ("8UC1", grey, "GREY", grey),
        ("bayer_rggb8", grey, "RGGB8", grey), ("bayer_bggr8", grey, "BGGR8", grey),
        ("bayer_gbrg8", grey, "GBRG8", grey), ("bayer_grbg8", grey, "GRBG8", grey),
        ("mono16", mm, "Z16", mm), ("16UC1", mm, "Z16", mm), ("32FC1", meters, "Z16", millimeters(meters)),
    ]  # fmt: skip
    for name, pixels, fmt, expected in rows:
        out.write("/" + name, image(stamp, name, pixels), log)
        expect("/" + name, fmt, stamp, log, expected)
    for name, pairs in [("yuv422_yuy2", even), ("yuv422", even.reshape(-1, 2)[:, ::-1].reshape(HEIGHT, 32))]:
        out.write("/" + name, image(stamp, name, pairs.reshape(HEIGHT, 16, 2)), log)
        expect("/" + name, "YUYV", stamp, log, even)
    big = many[..., :3].astype(">u2")
    out.write("/rgb16_big", image(stamp, "rgb16", big, 1), log)
    expect("/rgb16_big", "RGB24", stamp, log, narrowed(many[..., :3]))
    ok, jpeg = cv2.imencode(".jpg", bgr)
    out.write("/jpeg", compressed(stamp, "bgr8; jpeg compressed bgr8", jpeg.tobytes()), log)
    expect("/jpeg", "JPEG", stamp, log, jpeg.tobytes())
    out.write("/png", compressed(stamp, "bgr8; png compressed bgr8", png(bgr)), log)
    expect("/png", "RGB24", stamp, log, rgb)


def depths(out, n, stamp, log):
    mm = depth(n)
    meters = mm.astype(np.float32) / np.float32(1000)
    meters[0, :3] = [np.nan, np.inf, -1]
    inverse, head, back = quantised(meters)
    plain = struct.pack("<iff", 0, 0, 0)
    for topic, form, data, expected in [
        ("/png16", "16UC1; compressedDepth png", plain + png(mm), mm),
        ("/png16_old", "16UC1; compressedDepth", plain + png(mm), mm),
        ("/rvl16", "16UC1; compressedDepth rvl", plain + rvl(mm), mm),
        ("/png32", "32FC1; compressedDepth png", head + png(inverse), millimeters(back)),
        ("/rvl32", "32FC1; compressedDepth rvl", head + rvl(inverse), millimeters(back)),
    ]:
        out.write(topic, compressed(stamp, form, data), log)
        expect(topic, "Z16", stamp, log, expected)


def realsense(out, n, stamp, log):
    """Topics as librealsense records them: depth in tenths of a millimetre, times since the recording began."""
    log -= START
    if n == 0:
        topic = "/device_0/sensor_0/option/Depth_Units/value"
        if is_ros1:
            out.write(topic, types["std_msgs/msg/Float32"](0.0001), 1)
        else:
            out.write(topic, types["std_msgs/msg/String"]("0.000100"), 1)
    mm, rgb = depth(n), color(n)
    out.write("/device_0/sensor_0/Depth_0/image/data", image(stamp, "mono16", mm), log)
    expect("/device_0/sensor_0/Depth_0/image/data", "Y16", stamp, log, mm)
    out.write("/device_0/sensor_0/Infrared_1/image/data", image(stamp, "mono8", rgb[..., 1]), log)
    expect("/device_0/sensor_0/Infrared_1/image/data", "GREY", stamp, log, rgb[..., 1])
    out.write("/device_0/sensor_1/Color_0/image/data", image(stamp, "rgb8", rgb), log)
    expect("/device_0/sensor_1/Color_0/image/data", "RGB24", stamp, log, rgb)


def split(path, suffix):
    """Parts that were written as bags of their own, as one folder with one metadata.yaml."""
    import ruamel.yaml

    yaml = ruamel.yaml.YAML()
    path.mkdir()
    whole = None
    for part in sorted(path.parent.glob(path.name + ".part*")):
        meta = yaml.load((part / "metadata.yaml").read_text())["rosbag2_bagfile_information"]
        name = f"{path.name}_{part.name[-1]}.{suffix}"
        (part / meta["relative_file_paths"][0]).rename(path / name)
        meta["relative_file_paths"] = [name]
        if whole is None:
            whole = meta
        else:
            whole["relative_file_paths"].append(name)
            for mine, more in zip(whole["topics_with_message_count"], meta["topics_with_message_count"]):
                mine["message_count"] += more["message_count"]
    with open(path / "metadata.yaml", "w") as file:
        yaml.dump({"rosbag2_bagfile_information": whole}, file)


make = {"encodings": encodings, "depths": depths, "realsense": realsense}[case]
parts = [range(0, FRAMES)]
if container.endswith("split"):
    parts = [range(0, FRAMES // 2), range(FRAMES // 2, FRAMES)]
for index, numbers in enumerate(parts):
    out = Bags(path.with_name(f"{path.name}.part{index}") if len(parts) > 1 else path)
    for n in numbers:
        make(out, n, START + n * PERIOD, START + n * PERIOD + 4_000_000)
    out.close()
if len(parts) > 1:
    split(path, "db3" if container.startswith("db3") else "mcap")
