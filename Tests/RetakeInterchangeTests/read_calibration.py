"""Reads an exported MCAP with PyPI's mcap, by the definitions that the file itself holds, and prints its calibration, and whether depth has the bytes of another file.

ROS 2's messages are decoded by rosbags, Foxglove's by mcap-protobuf-support."""

import json
import sys

import cv2
import numpy as np
from mcap.reader import make_reader

TURN = cv2.Rodrigues(np.array([0.01, -0.03, 0.02]))[0]


def from_ros(path):
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    store = get_typestore(Stores.EMPTY)
    with open(path, "rb") as file:
        for schema, channel, message in make_reader(file).iter_messages():
            if schema.name not in store.fielddefs:
                assert schema.encoding == "ros2msg" and channel.message_encoding == "cdr"
                store.register({
                    name: fields
                    for name, fields in get_types_from_msg(schema.data.decode(), schema.name).items()
                    if name not in store.fielddefs
                })
            yield channel.topic, schema.name, store.deserialize_cdr(message.data, schema.name)


def from_foxglove(path):
    from mcap_protobuf.decoder import DecoderFactory

    with open(path, "rb") as file:
        for schema, channel, _, message in make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages():
            yield channel.topic, schema.name, message


def turned(q):
    x, y, z, w = q.x, q.y, q.z, q.w
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])


facts = {"cameras": {}, "sizes": {}, "depth_is_equal": False}
depth = bytearray()
with open(sys.argv[1], "rb") as file:
    is_ros = make_reader(file).get_header().profile == "ros2"
for topic, name, message in from_ros(sys.argv[1]) if is_ros else from_foxglove(sys.argv[1]):
    stream = topic.split("/")[1]
    if name.endswith("CameraInfo") or name.endswith("CameraCalibration"):
        k = list(message.k if is_ros else message.K)
        facts["cameras"][stream] = [k[0], k[4], k[2], k[5]]
        facts["sizes"][stream] = [message.width, message.height]
        assert message.distortion_model == "plumb_bob" and len(message.d if is_ros else message.D) == 5
    elif name.endswith("TFMessage") or name.endswith("FrameTransform"):
        found = message.transforms[0].transform if is_ros else message
        parent, child = (
            (message.transforms[0].header.frame_id, message.transforms[0].child_frame_id)
            if is_ros
            else (message.parent_frame_id, message.child_frame_id)
        )
        assert parent.startswith("color") and child.startswith("depth")
        facts["translation"] = [found.translation.x, found.translation.y, found.translation.z]
        facts["rotation_error"] = float(np.abs(turned(found.rotation) - TURN).max())
    elif stream == "depth":
        assert message.encoding == "16UC1"
        frame = message.header.frame_id if is_ros else message.frame_id
        assert frame.startswith("depth"), frame
        depth += bytes(message.data)
facts["depth_is_equal"] = bytes(depth) == open(sys.argv[2], "rb").read()
print(json.dumps(facts))
