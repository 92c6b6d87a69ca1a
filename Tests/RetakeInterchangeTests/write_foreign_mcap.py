"""Writes MCAP files as ROS 2, ROS 1 and Foxglove's libraries do, with PyPI's mcap, and prints what an importer is to
find in them: one JSON line for each picture, its pixels hashed after conversions done with numpy and OpenCV.

    write_foreign_mcap.py FILE CASE [zstd|lz4|none]
"""

import base64
import hashlib
import json
import struct
import sys

import cv2
import numpy as np
from mcap.writer import CompressionType, Writer

path, case = sys.argv[1:3]
compression = {"zstd": CompressionType.ZSTD, "lz4": CompressionType.LZ4, "none": CompressionType.NONE}[
    sys.argv[3] if len(sys.argv) > 3 else "zstd"
]
START = 1_700_000_000_123_456_789
PERIOD = 33_333_333


class CDR:
    """Plain CDR: four bytes of head, then fields at multiples of their size, counted from behind the head."""

    def __init__(self, big=False, head=None):
        self.order = ">" if big else "<"
        self.data = bytearray(head if head is not None else bytes([0, 0 if big else 1, 0, 0]))

    def align(self, size):
        while (len(self.data) - 4) % size:
            self.data.append(0)

    def u8(self, value):
        self.data.append(value)

    def u32(self, value):
        self.align(4)
        self.data += struct.pack(self.order + "I", value & 0xFFFFFFFF)

    def string(self, text):
        raw = text.encode() + b"\0"
        self.u32(len(raw))
        self.data += raw

    def bytes(self, raw):
        self.u32(len(raw))
        self.data += raw


class ROS1(CDR):
    """Little-endian, no gaps, strings without a zero."""

    def __init__(self):
        super().__init__(head=b"")
        self.u32(7)  # Header.seq

    def align(self, size):
        pass

    def string(self, text):
        self.u32(len(text))
        self.data += text.encode()


def image(out, stamp, encoding, height, width, step, data, big=False, frame="camera"):
    out.u32(stamp // 10**9)
    out.u32(stamp % 10**9)
    out.string(frame)
    out.u32(height)
    out.u32(width)
    out.string(encoding)
    out.u8(1 if big else 0)
    out.u32(step)
    out.bytes(data)
    return bytes(out.data)


def compressed(out, stamp, form, data):
    out.u32(stamp // 10**9)
    out.u32(stamp % 10**9)
    out.string("camera")
    out.string(form)
    out.bytes(data)
    return bytes(out.data)


def color(seed, height=24, width=33):
    rng = np.random.default_rng(seed)
    base = np.add.outer(np.arange(height), np.arange(width))[..., None] * np.array([3, 5, 7])
    return ((base + rng.integers(0, 9, (height, width, 3))) % 256).astype(np.uint8)


def depth(seed, height=24, width=33):
    rng = np.random.default_rng(seed)
    return (rng.integers(0, 3, (height, width)) * 5000 + rng.integers(0, 400, (height, width))).astype(np.uint16)


def padded(rows, count):
    """Rows of bytes with `count` more at the end of each, but for the last."""
    rows = rows.reshape(rows.shape[0], -1).view(np.uint8)
    return np.pad(rows, ((0, 0), (0, count)), constant_values=0xEE).tobytes()[: -count or None]


class File:
    def __init__(self, path, profile="ros2"):
        self.file = open(path, "wb")
        self.writer = Writer(self.file, chunk_size=100_000, compression=compression)
        self.writer.start(profile=profile, library="write_foreign_mcap")
        self.schemas, self.channels = {}, {}

    def write(self, topic, schema, encoding, log, data):
        if (schema, encoding) not in self.schemas:
            kind = {"cdr": "ros2msg", "ros1": "ros1msg", "json": "jsonschema", "protobuf": "protobuf"}.get(encoding, encoding)
            self.schemas[schema, encoding] = self.writer.register_schema(schema, kind, b"{}")
        if topic not in self.channels:
            self.channels[topic] = self.writer.register_channel(topic, encoding, self.schemas[schema, encoding])
        self.writer.add_message(self.channels[topic], log, data, log)

    def expect(self, topic, fmt, stamp, log, pixels, flags=0):
        data = pixels if isinstance(pixels, bytes) else np.ascontiguousarray(pixels).tobytes()
        print(
            json.dumps(
                {
                    "topic": topic,
                    "format": fmt,
                    "tick": stamp,
                    "log": log,
                    "bytes": len(data),
                    "sha256": hashlib.sha256(data).hexdigest(),
                    "flags": flags,
                }
            )
        )

    def end(self):
        self.writer.finish()
        self.file.close()


ROS_IMAGE, ROS_COMPRESSED = "sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage"


def png(pixels):
    ok, data = cv2.imencode(".png", pixels)
    assert ok
    return data.tobytes()


def jpeg(pixels):
    ok, data = cv2.imencode(".jpg", pixels)
    assert ok
    return data.tobytes()


def encodings(n):
    """(topic, message encoding, bytes of a frame, its step, big-endian, format of the recording, its pixels)"""
    rgb = color(n)
    bgr = rgb[..., ::-1].copy()
    alpha = np.full(rgb.shape[:2] + (1,), 77, np.uint8)
    grey = rgb[..., 0].copy()
    mm = depth(n)
    even = grey[:, :32].copy()
    yield "/rgb8", "rgb8", rgb.tobytes(), 99, False, "RGB24", rgb
    yield "/rgb8_padded", "rgb8", padded(rgb, 5), 104, False, "RGB24", rgb
    yield "/bgr8", "bgr8", padded(bgr, 1), 100, False, "RGB24", rgb
    yield "/rgba8", "rgba8", np.concatenate([rgb, alpha], 2).tobytes(), 132, False, "RGB24", rgb
    yield "/bgra8", "bgra8", np.concatenate([bgr, alpha], 2).tobytes(), 132, False, "RGB24", rgb
    yield "/mono8", "mono8", grey.tobytes(), 33, False, "GREY", grey
    for name in ["rggb", "grbg", "gbrg", "bggr"]:
        yield f"/bayer_{name}", f"bayer_{name}8", grey.tobytes(), 33, False, f"{name.upper()}8", grey
    yield "/yuyv", "yuv422_yuy2", even.tobytes(), 32, False, "YUYV", even
    yield "/uyvy", "uyvy", even.reshape(-1, 2)[:, ::-1].tobytes(), 32, False, "YUYV", even
    yield "/16UC1", "16UC1", padded(mm, 2), 68, False, "Z16", mm
    yield "/mono16_big", "mono16", mm.astype(">u2").tobytes(), 66, True, "Z16", mm
    meters = mm.astype(np.float32) / np.float32(1000) + np.float32(0.0004)
    meters[0, :6] = [np.nan, np.inf, -np.inf, -1.5, 70, 0.0005]
    exact = np.where(np.isfinite(meters) & (meters > 0), meters, 0).astype(np.float64) * 1000
    rounded = np.minimum(65535, np.floor(exact + 0.5)).astype(np.uint16)
    yield "/32FC1", "32FC1", meters.tobytes(), 132, False, "Z16", rounded
    yield "/32FC1_big", "32FC1", meters.astype(">f4").tobytes(), 132, True, "Z16", rounded


def main():
    if case == "ros2":
        out = File(path)
        for n in range(12):
            stamp, log = START + n * PERIOD, START + n * PERIOD + 4_000_000
            for topic, name, data, step, big, fmt, pixels in encodings(n):
                width = 16 if fmt == "YUYV" else 33
                # Every other message in the other byte order; they are to be told by each.
                body = image(CDR(big=n % 2 == 1), stamp, name, 24, width, step, data, big)
                out.write(topic, ROS_IMAGE, "cdr", log, body)
                out.expect(topic, fmt, stamp, log, pixels)
            out.write("/chatter", "std_msgs/msg/String", "cdr", log, b"\0\1\0\0\2\0\0\0a\0")
        out.end()
    elif case == "compressed":
        out = File(path)
        for n in range(5):
            stamp, log = START + n * PERIOD, START + n * PERIOD + 1_000_000
            rgb, mm = color(n), depth(n)
            bgr = rgb[..., ::-1].copy()
            file = jpeg(bgr)
            out.write("/jpeg", ROS_COMPRESSED, "cdr", log, compressed(CDR(), stamp, "rgb8; jpeg compressed bgr8", file))
            out.expect("/jpeg", "JPEG", stamp, log, file)
            out.write("/png", ROS_COMPRESSED, "cdr", log, compressed(CDR(), stamp, "png", png(bgr)))
            out.expect("/png", "RGB24", stamp, log, rgb)
            wide = png(bgr.astype(np.uint16) * 256 + 77)
            out.write("/png_16", ROS_COMPRESSED, "cdr", log, compressed(CDR(), stamp, "png", wide))
            out.expect("/png_16", "RGB24", stamp, log, rgb)
            out.write("/png_grey", ROS_COMPRESSED, "cdr", log, compressed(CDR(), stamp, "png", png(rgb[..., 1].copy())))
            out.expect("/png_grey", "GREY", stamp, log, rgb[..., 1])
            out.write("/png_depth", ROS_COMPRESSED, "cdr", log, compressed(CDR(), stamp, "16UC1; png", png(mm)))
            out.expect("/png_depth", "Z16", stamp, log, mm)
            head = struct.pack("<iff", 0, 0, 0)
            body = compressed(CDR(), stamp, "16UC1; compressedDepth png", head + png(mm))
            out.write("/depth/compressedDepth", ROS_COMPRESSED, "cdr", log, body)
            out.expect("/depth/compressedDepth", "Z16", stamp, log, mm)
        out.end()
    elif case == "ros1":
        out = File(path, "ros1")
        for n in range(3):
            stamp, log = START + n * PERIOD, START + n * PERIOD
            rgb = color(n)
            out.write("/image", "sensor_msgs/Image", "ros1", log, image(ROS1(), stamp, "rgb8", 24, 33, 99, rgb.tobytes()))
            out.expect("/image", "RGB24", stamp, log, rgb)
            file = jpeg(rgb)
            out.write("/jpeg", "sensor_msgs/CompressedImage", "ros1", log, compressed(ROS1(), stamp, "jpeg", file))
            out.expect("/jpeg", "JPEG", stamp, log, file)
        out.end()
    elif case == "json":
        out = File(path, "")
        for n in range(3):
            stamp, log = START + n * PERIOD, START + n * PERIOD
            time = {"sec": stamp // 10**9, "nsec": stamp % 10**9}
            rgb = color(n)
            message = {"timestamp": time, "frame_id": "x", "width": 33, "height": 24, "encoding": "rgb8", "step": 99}
            message["data"] = base64.b64encode(rgb.tobytes()).decode()
            out.write("/image", "foxglove.RawImage", "json", log, json.dumps(message).encode())
            out.expect("/image", "RGB24", stamp, log, rgb)
            file = jpeg(rgb)
            message = {"timestamp": time, "frame_id": "x", "format": "jpeg", "data": base64.b64encode(file).decode()}
            out.write("/jpeg", "foxglove.CompressedImage", "json", log, json.dumps(message).encode())
            out.expect("/jpeg", "JPEG", stamp, log, file)
        out.end()
    elif case == "odd":
        # Whole, short, of another size, no CDR, a JPEG cut short, no stamp, infrared, an encoding nobody knows.
        out = File(path)
        for n in range(6):
            stamp, log = START + n * PERIOD, START + n * PERIOD + 2_000_000
            rgb = color(n)
            data, height, width = rgb.tobytes(), 24, 33
            if n == 2:
                data = data[: 99 * 10 + 50]
                out.expect("/color", "RGB24", stamp, log, rgb[:10], 1)
            elif n == 3:
                height, width, data = 12, 66, data
            elif n != 4:
                out.expect("/color", "RGB24", stamp, log, rgb)
            body = image(CDR(), stamp, "rgb8", height, width, width * 3, data)
            out.write("/color", ROS_IMAGE, "cdr", log, body[:40] if n == 4 else body)
            file = jpeg(rgb)
            file = file[: len(file) // 2] if n == 1 else b"no JPEG at all" if n == 5 else file
            out.write("/jpeg", ROS_COMPRESSED, "cdr", log, compressed(CDR(), stamp, "jpeg", file))
            out.expect("/jpeg", "JPEG", stamp, log, file, 1 if n in (1, 5) else 0)
            out.write("/unstamped", ROS_IMAGE, "cdr", log, image(CDR(), 0, "mono8", 24, 33, 33, rgb[..., 0].tobytes()))
            out.expect("/unstamped", "GREY", None, log, rgb[..., 0])
            mm = depth(n)
            out.write("/ir/image_raw", ROS_IMAGE, "cdr", log, image(CDR(), stamp, "mono16", 24, 33, 66, mm.tobytes()))
            out.expect("/ir/image_raw", "Y16", stamp, log, mm)
            out.write("/imu", "sensor_msgs/msg/Imu", "cdr", log, b"")
            out.write("/microphone", "audio_common_msgs/msg/AudioData", "cdr", log, b"")
            out.write("/infra1/image", ROS_IMAGE, "cdr", log, image(CDR(), stamp, "mono8", 24, 33, 33, rgb[..., 2].tobytes()))
            out.expect("/infra1/image", "GREY", stamp, log, rgb[..., 2])
            out.write("/hdr", ROS_IMAGE, "cdr", log, image(CDR(), stamp, "64FC3", 24, 33, 792, bytes(792 * 24)))
            out.write("/video", "foxglove.CompressedVideo", "protobuf", log, b"")
        out.end()
    elif case == "clocks":
        # Depth is stamped by a clock that began five seconds ago, colour by the host's; the third topic lies out of order.
        out = File(path)
        for n in range(9):
            stamp, boot = START + n * PERIOD, 5 * 10**9 + n * PERIOD
            rgb, mm, swapped = color(n), depth(n), n if n < 7 else 15 - n
            time = START + swapped * PERIOD
            for topic, given, log, name, step, data in [
                ("/color", stamp, stamp + 3_000_000, "rgb8", 99, rgb.tobytes()),
                ("/depth", boot, stamp + 3_000_000, "16UC1", 66, mm.tobytes()),
                ("/swapped", time, time + 3_000_000, "mono8", 33, rgb[..., 0].tobytes()),
            ]:
                out.write(topic, ROS_IMAGE, "cdr", log, image(CDR(), given, name, 24, 33, step, data))
                out.expect(topic, {"/color": "RGB24", "/depth": "Z16"}.get(topic, "GREY"), given, log, data)
        out.end()
    elif case.startswith("pace-"):
        # Twelve of each topic, with log times that are not the cameras': played at double speed and recorded again,
        # without a clock, converted topic by topic, in 18 seconds; the same with right log times; and with a clock that
        # was set once, where the log is right.
        out, count, period = File(path), 12, 1_500_000_000 if "topics" in case else PERIOD
        order = [(n, topic) for n in range(count) for topic in ["/color", "/depth"]]
        if "topics" in case:
            order.sort(key=lambda message: message[1])
        for place, (n, topic) in enumerate(order):
            stamp = START + n * period + (2_000_000 if topic == "/depth" else 0)
            log = {
                "pace-double": START + 10**15 + (stamp - START) // 2,
                "pace-zero": 0,
                "pace-topics": START + 10**15 + place * 1_000_000,
                "pace-set": stamp + 3_000_000,
                "pace-topics-logged": stamp + 3_000_000,
            }[case]
            given = stamp + (10**12 if case == "pace-set" and n >= count // 2 else 0)
            name, step, data = ("16UC1", 66, depth(n)) if topic == "/depth" else ("rgb8", 99, color(n))
            out.write(topic, ROS_IMAGE, "cdr", log, image(CDR(), given, name, 24, 33, step, data.tobytes()))
            out.expect(topic, "Z16" if topic == "/depth" else "RGB24", given, log, data)
        out.end()
    elif case == "hostile":
        # Lengths and sizes beyond everything; one good topic, so that there is something to import.
        out = File(path)
        bodies = []
        for height, width, step, data in [
            (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, b"x"), (24, 33, 0xFFFFFFFF, b"x"), (24, 33, 1, b"x"), (0, 0, 0, b""),
            (16384, 16384, 49152, b"x"), (16385, 1, 3, b"x"),
        ]:  # fmt: skip
            bodies.append(image(CDR(), START, "rgb8", height, width, step, data))
        good = image(CDR(), START, "rgb8", 24, 33, 99, color(0).tobytes())
        bodies += [good[:n] for n in (0, 3, 4, 8, 15, 20, 40)]
        bodies.append(good[:12] + b"\xff\xff\xff\xff" + good[16:])  # a frame_id of 4 GiB
        bodies.append(b"\0\2" + good[2:])  # parameter lists
        bodies.append(image(CDR(), 2**63 - 1, "rgb8" * 100, 24, 33, 99, b""))
        out.write("/good", ROS_IMAGE, "cdr", START, good)
        out.expect("/good", "RGB24", START, START, color(0))
        for n, body in enumerate(bodies):
            out.write("/bad", ROS_IMAGE, "cdr", START + n, body)
            out.write("/good", ROS_IMAGE, "cdr", START + 1 + n, body)
            out.write("/bad_compressed", ROS_COMPRESSED, "cdr", START + n, body)
            out.write("/bad_json", "foxglove.RawImage", "json", START + n, body)
            out.write("/bad_protobuf", "foxglove.RawImage", "protobuf", START + n, body)
        out.write("/good", ROS_IMAGE, "cdr", 2**63 + 5, good)
        out.end()


main()
