"""The scene of calibrated_mcap.py as other programs record it, with PyPI's rosbags and mcap.

    calibrated_bags.py PATH KIND

KIND: bag (CameraInfo and /tf_static, ROS 1), db3 (the same, ROS 2), json (Foxglove's messages as JSON in MCAP),
bag-driver and db3-driver (Extrinsics of RealSense's ROS drivers), bag-sdk (a .bag of RealSense's SDK)
"""

import base64
import json
import pathlib
import sys

import numpy as np
from mcap.writer import Writer
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Writer2
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from calibrated_mcap import (
    COLOR_D, COLOR_K, COLOR_SIZE, DEPTH_D, DEPTH_K, DEPTH_SIZE, ROTATION, START, TRANSLATION, depth_picture, quaternion,
)  # fmt: skip

path, kind = pathlib.Path(sys.argv[1]), sys.argv[2]
PERIOD = 33_333_333
CAMERAS = [("color", COLOR_SIZE, COLOR_K, COLOR_D), ("depth", DEPTH_SIZE, DEPTH_K, DEPTH_D)]


def pixels(name):
    return depth_picture() if name == "depth" else np.full((COLOR_SIZE[1], COLOR_SIZE[0], 3), 90, np.uint8)


def write_json():
    def stamp(time):
        return {"sec": time // 10**9, "nsec": time % 10**9}

    with open(path, "wb") as file:
        writer = Writer(file)
        writer.start()
        channels = {}

        def add(topic, schema, time, message):
            if topic not in channels:
                identity = writer.register_schema(schema, "jsonschema", b"{}")
                channels[topic] = writer.register_channel(topic, "json", identity)
            data = json.dumps({"timestamp": stamp(time), **message}).encode()
            writer.add_message(channels[topic], time, data, time)

        x, y, z, w = (float(v) for v in quaternion(ROTATION))
        offset = dict(zip("xyz", TRANSLATION.tolist()))
        pose = {"translation": offset, "rotation": {"x": x, "y": y, "z": z, "w": w}}
        add("/tf", "foxglove.FrameTransform", START, {"parent_frame_id": "color", "child_frame_id": "depth", **pose})
        for number in range(3):
            time = START + number * PERIOD
            for name, (width, height), k, d in CAMERAS:
                p = np.hstack([k, np.zeros((3, 1))])
                lens = {"D": d, "K": k, "R": np.eye(3), "P": p}
                lens = {key: np.asarray(value, float).ravel().tolist() for key, value in lens.items()}
                size = {"frame_id": name, "width": width, "height": height}
                add(f"/{name}/info", "foxglove.CameraCalibration", time, {**size, "distortion_model": "plumb_bob", **lens})
                image = pixels(name)
                encoding, data = ("16UC1" if name == "depth" else "rgb8"), image.tobytes()
                rows = {"encoding": encoding, "step": len(data) // height, "data": base64.b64encode(data).decode()}
                add(f"/{name}/image", "foxglove.RawImage", time, {**size, **rows})
        writer.finish()


def write_ros():
    is_ros1 = kind.startswith("bag")
    store = get_typestore(Stores.ROS1_NOETIC if is_ros1 else Stores.ROS2_HUMBLE)
    driver = "realsense2_camera/msg/Extrinsics" if is_ros1 else "realsense2_camera_msgs/msg/Extrinsics"
    fields = ("std_msgs/Header header\n" if is_ros1 else "") + "float64[9] rotation\nfloat64[3] translation\n"
    store.register(get_types_from_msg(fields, driver))
    transforms = "tf2_msgs/msg/TFMessage"
    if transforms not in store.types:
        store.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms\n", transforms))
    types = store.types
    writer = Writer1(path) if is_ros1 else Writer2(path, version=9, storage_plugin=StoragePlugin.SQLITE3)
    writer.open()
    connections = {}

    def add(topic, time, message):
        name = message.__msgtype__
        if topic not in connections:
            connections[topic] = writer.add_connection(topic, name, typestore=store)
        serialize = store.serialize_ros1 if is_ros1 else store.serialize_cdr
        writer.write(connections[topic], time, serialize(message, name))

    def header(time, frame):
        stamp = types["builtin_interfaces/msg/Time"](time // 10**9, time % 10**9)
        return types["std_msgs/msg/Header"](*([0] if is_ros1 else []), stamp, frame)

    def pose(rotation, translation):
        vector, turn = types["geometry_msgs/msg/Vector3"], types["geometry_msgs/msg/Quaternion"]
        return types["geometry_msgs/msg/Transform"](vector(*translation), turn(*quaternion(rotation)))

    def info(time, frame, size, k, d, model):
        region = types["sensor_msgs/msg/RegionOfInterest"](0, 0, 0, 0, False)
        p = np.hstack([k, np.zeros((3, 1))])
        return types["sensor_msgs/msg/CameraInfo"](
            header(time, frame), size[1], size[0], model, d, k.ravel(), np.eye(3).ravel(), p.ravel(), 0, 0, region
        )

    is_sdk = kind == "bag-sdk"
    if kind in ("bag", "db3"):
        stamped = types["geometry_msgs/msg/TransformStamped"](header(START, "color"), "depth", pose(ROTATION, TRANSLATION))
        add("/tf_static", START, types[transforms]([stamped]))
    elif is_sdk:
        # From the group's reference to each stream. Here the reference is neither of them.
        to_depth, depth_at = ROTATION @ ROTATION, np.array([0.1, 0.2, -0.05])
        add("/device_0/sensor_0/Depth_0/tf/3", START, pose(to_depth, depth_at))
        add("/device_0/sensor_1/Color_0/tf/3", START, pose(ROTATION @ to_depth, ROTATION @ depth_at + TRANSLATION))
    else:
        columns = ROTATION.T.ravel()
        message = types[driver](*([header(START, "")] if is_ros1 else []), columns, TRANSLATION)
        add("/camera/extrinsics/depth_to_color", START, message)
    for number in range(3):
        time = START + number * PERIOD
        for place, (name, size, k, d) in enumerate(CAMERAS):
            base = f"/device_0/sensor_{1 - place}/{name.title()}_0" if is_sdk else f"/camera/{name}"
            # The SDK gives all streams the same frame of reference, which means nothing.
            frame = "0" if is_sdk else name
            if number == 0 or not is_sdk:
                topic = base + ("/info/camera_info" if is_sdk else "/camera_info")
                add(topic, time, info(time, "" if is_sdk else frame, size, k, d, "Brown Conrady" if is_sdk else "plumb_bob"))
            image = pixels(name)
            encoding = ("mono16" if is_sdk else "16UC1") if name == "depth" else "rgb8"
            data = image.view(np.uint8).ravel()
            message = types["sensor_msgs/msg/Image"](
                header(time, frame), size[1], size[0], encoding, 0, len(data) // size[1], data
            )
            add(base + ("/image/data" if is_sdk else "/image_raw"), time, message)
    writer.close()


if kind == "json":
    write_json()
else:
    write_ros()
