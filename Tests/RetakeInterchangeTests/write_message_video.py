"""Writes compressed video as messages, and prints what an importer is to find: one JSON line for each picture, as ffmpeg
decodes the same stream.

    write_message_video.py PATH CONTAINER CODEC CASE
    write_message_video.py read RECORDING          prints the same of a recording's NV12 frames, and their flags

CONTAINER: protobuf, json (MCAP with foxglove.CompressedVideo), mcap, db3 (foxglove_msgs/msg/CompressedVideo),
packets (MCAP with ffmpeg_image_transport's FFMPEGPacket), compressed, bag (sensor_msgs/CompressedImage)
CODEC: h264, h265, vp9, av1
CASE: plain; late (the first messages are missing); reordered (B frames, stamped as captured); decoding (B frames, stamped as
encoded); damaged (a packet's bytes are wrong); keyless (no key frame at all)
"""

import base64
import hashlib
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np
from google.protobuf.internal.encoder import _VarintBytes as varint
from mcap.writer import Writer
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Writer2
from rosbags.typesys import Stores, get_types_from_msg, get_typestore



def digests(luma, chroma):
    return {name: hashlib.sha256(np.ascontiguousarray(part).tobytes()).hexdigest() for name, part in
            (("luma", luma), ("chroma", chroma))}  # fmt: skip


def read(recording):
    from mcap.reader import NonSeekingReader
    from mcap_protobuf.decoder import DecoderFactory

    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))
    import retake

    for path in sorted(pathlib.Path(recording, "chunks").glob("*.mcap")):
        with open(path, "rb") as file:
            reader = NonSeekingReader(file, decoder_factories=[DecoderFactory()])
            for item in reader.iter_decoded_messages(log_time_order=False):
                if item.schema.name != "retake.Frame":
                    continue
                frame = item.decoded_message
                data = retake.decode(
                    frame.codec, frame.payload, frame.format, frame.width, frame.height, frame.byte_count)
                assert frame.format == "NV12", frame.format
                rows = np.frombuffer(data, np.uint8).reshape(-1, (frame.width + 1) // 2 * 2)
                chroma = rows[frame.height :].reshape((frame.height + 1) // 2, -1, 2)
                facts = {"tick": frame.device_tick, "flags": frame.flags, "size": f"{frame.width}x{frame.height}"}
                print(json.dumps(facts | digests(rows[: frame.height, : frame.width], chroma)))


if sys.argv[1] == "read":
    read(sys.argv[2])
    sys.exit()
path, container, codec, case = sys.argv[1:5]
START, PERIOD, COUNT, GROUP = 1_700_000_000_123_456_789, 33_333_333, 30, 12
# The encoders but VP9's have only even sizes of 4:2:0.
WIDTH, HEIGHT = (161, 119) if codec == "vp9" else (160, 120)
bframes = 3 if case in ("reordered", "decoding") else 0
folder = pathlib.Path(tempfile.mkdtemp())


def ffmpeg(*arguments):
    return subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], check=True, capture_output=True).stdout


def encoded():
    """The stream's packets in the order of decoding, and the numbers of the pictures that they are."""
    source = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=1", "-vf", f"format=rgb24,crop={WIDTH}:{HEIGHT}:40:30"]
    whole = str(folder / "whole.mkv")
    if codec in ("h264", "h265"):
        options = f"aud=1:repeat-headers=1:keyint={GROUP}:min-keyint={GROUP}:scenecut=0:bframes={bframes}"
        name = {"h264": "libx264", "h265": "libx265"}[codec]
        flag = {"h264": "-x264-params", "h265": "-x265-params"}[codec]
        options += ":log-level=none" if codec == "h265" else ""
        ffmpeg(*source, "-pix_fmt", "yuv420p", "-c:v", name, flag, options, "-threads", "1", whole)
        filters = {"h264": "h264_mp4toannexb", "h265": "hevc_mp4toannexb"}[codec]
        raw = {"h264": "h264", "h265": "hevc"}[codec]
        data = ffmpeg("-i", whole, "-c", "copy", "-bsf:v", filters, "-f", raw, "-")
        delimiter = (lambda b: b >> 1 & 63 == 35) if codec == "h265" else (lambda b: b & 31 == 9)
        places = [m.start() for m in re.finditer(b"\0?\0\0\1", data) if delimiter(data[m.end()])]
        packets = [data[a:b] for a, b in zip(places, places[1:] + [len(data)])]
        shown = subprocess.run(
            ["ffprobe", "-v", "error", "-show_entries", "packet=pts", "-of", "csv=p=0", whole],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        times = [int(line.split(",")[0]) for line in shown.split()]
        return packets, [sorted(times).index(time) for time in times]
    name = {"vp9": ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"], "av1": ["libsvtav1", "-preset", "12"]}[codec]
    ffmpeg(*source, "-pix_fmt", "yuv420p", "-c:v", *name, "-g", str(GROUP), str(folder / "whole.ivf"))
    data, place, packets = (folder / "whole.ivf").read_bytes(), 32, []
    while place < len(data):
        (size,) = struct.unpack_from("<I", data, place)
        packets.append(data[place + 12 : place + 12 + size])
        place += 12 + size
    return packets, list(range(len(packets)))


def decoded(packets):
    """Every picture as NV12, whose rows are even, in the order in which they are shown."""
    if codec in ("h264", "h265"):
        raw = {"h264": "h264", "h265": "hevc"}[codec]
        (folder / "part").write_bytes(b"".join(packets))
    else:
        raw = "ivf"
        head = (folder / "whole.ivf").read_bytes()[:32]
        (folder / "part").write_bytes(head + b"".join(struct.pack("<IQ", len(p), n) + p for n, p in enumerate(packets)))
    planes = ffmpeg(
        "-flags:v", "+bitexact", "-idct", "simple", "-f", raw, "-i", str(folder / "part"), "-fps_mode", "passthrough",
        "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
    )  # fmt: skip
    half = ((HEIGHT + 1) // 2, (WIDTH + 1) // 2)
    size = WIDTH * HEIGHT + 2 * half[0] * half[1]
    for place in range(0, len(planes), size):
        flat = np.frombuffer(planes[place : place + size], np.uint8)
        luma = flat[: WIDTH * HEIGHT].reshape(HEIGHT, WIDTH)
        chroma = flat[WIDTH * HEIGHT :].reshape(2, *half)
        yield luma, np.stack([chroma[0], chroma[1]], -1)


def fixed(number, kind):
    return varint(number << 3 | kind)


def protobuf(stamp, data, name):
    time = fixed(1, 0) + varint(stamp // 10**9) + fixed(2, 0) + varint(stamp % 10**9)
    parts = [(1, time), (2, b"camera"), (3, data), (4, name.encode())]
    return b"".join(fixed(number, 2) + varint(len(value)) + value for number, value in parts)


def text(stamp, data, name):
    time = {"sec": stamp // 10**9, "nsec": stamp % 10**9}
    return json.dumps(
        {"timestamp": time, "frame_id": "camera", "data": base64.b64encode(data).decode(), "format": name}
    ).encode()


def bag(messages):
    store = get_typestore(Stores.ROS1_NOETIC if container == "bag" else Stores.ROS2_HUMBLE)
    video, packet = "foxglove_msgs/msg/CompressedVideo", "ffmpeg_image_transport_msgs/msg/FFMPEGPacket"
    if container != "bag":
        store.register(
            get_types_from_msg("builtin_interfaces/Time timestamp\nstring frame_id\nuint8[] data\nstring format", video))
        store.register(
            get_types_from_msg(
                "std_msgs/Header header\nint32 width\nint32 height\nstring encoding\nuint64 pts\nuint8 flags\n"
                "bool is_bigendian\nuint8[] data", packet))
    time, header = store.types["builtin_interfaces/msg/Time"], store.types["std_msgs/msg/Header"]
    plugin = StoragePlugin.SQLITE3 if container == "db3" else StoragePlugin.MCAP
    with Writer1(path) if container == "bag" else Writer2(path, version=9, storage_plugin=plugin) as writer:
        connection = None
        for n, (stamp, log, data) in enumerate(messages):
            at = time(stamp // 10**9, stamp % 10**9)
            data = np.frombuffer(data, np.uint8)
            if container == "bag":
                kind, name = "sensor_msgs/msg/CompressedImage", codec
                message = store.types[kind](header(n, at, "camera"), name, data)
            elif container == "compressed":
                kind, name = "sensor_msgs/msg/CompressedImage", codec
                message = store.types[kind](header(at, "camera"), name, data)
            elif container == "packets":
                kind, name = packet, {"h264": "libx264;yuv420p;bgr8;bgr8", "h265": "hevc_nvenc"}.get(codec, codec)
                message = store.types[kind](header(at, "camera"), WIDTH, HEIGHT, name, n, 0, False, data)
            else:
                kind = video
                message = store.types[kind](at, "camera", data, codec)
            connection = connection or writer.add_connection("/video", kind, typestore=store)
            serialize = store.serialize_ros1 if container == "bag" else store.serialize_cdr
            writer.write(connection, log, serialize(message, kind))


def mcap(messages):
    with open(path, "wb") as file:
        writer = Writer(file)
        writer.start()
        schema = writer.register_schema("foxglove.CompressedVideo", "protobuf" if container == "protobuf" else "jsonschema", b"{}")
        channel = writer.register_channel("/video", container, schema)
        for stamp, log, data in messages:
            body = (protobuf if container == "protobuf" else text)(stamp, data, codec)
            writer.add_message(channel, log, body, stamp)
        writer.finish()


packets, shown = encoded()
assert len(packets) == COUNT, len(packets)
if bframes:
    assert shown != sorted(shown), "the encoder made no B frames"
stamps = [START + (n if case == "decoding" else shown[n]) * PERIOD for n in range(COUNT)]
messages = [(stamps[n], START + (n + 6) * PERIOD, packets[n]) for n in range(COUNT)]
first = 0
if case == "late":
    messages, first = messages[5:], GROUP
if case == "keyless":
    messages, first = messages[5:GROUP], COUNT
if case == "damaged":
    broken = bytearray(packets[15])
    for place in range(len(broken) // 3, len(broken)):
        broken[place] ^= 0x55
    messages[15] = (*messages[15][:2], bytes(broken))
(mcap if container in ("protobuf", "json") else bag)(messages)
for number, (luma, chroma) in enumerate(decoded(packets[first:]) if first < COUNT else []):
    facts = {"tick": START + (first + number) * PERIOD, "flags": 0, "size": f"{WIDTH}x{HEIGHT}"}
    print(json.dumps(facts | digests(luma, chroma)))
