"""Writes a data set's folder of pictures with OpenCV and pillow, and prints a JSON line for each picture: what a recording
of it holds. Arguments: the folder, the layout, and the format of colour (jpg or png)."""

import hashlib
import json
import os
import sys

import cv2
import numpy as np
from PIL import Image

folder, layout, ending = sys.argv[1:4]
rng = np.random.default_rng(7)
count = 6


def line(stream, number, form, data):
    print(json.dumps({"stream": stream, "number": number, "format": form, "sha256": hashlib.sha256(data).hexdigest()}))


def names(number):
    match layout:
        case "7-scenes":
            return f"frame-{number:06}.color.{ending}", f"frame-{number:06}.depth.png"
        case "scannet":
            return f"color/{number}.{ending}", f"depth/{number}.png"
        case "open3d":
            return f"image/{number + 1:06}.{ending}", f"depth/{number + 1:06}.png"
        case _:
            return f"left cam/im_{number * 10}_c.{ending}", f"z16/d{number * 10}.png"


for number in range(count):
    # Numbers of one and two digits are to be in order of their values.
    number += 7
    color_name, depth_name = (os.path.join(folder, name) for name in names(number))
    for path in (color_name, depth_name):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    color = rng.integers(0, 256, (37, 51, 3), dtype=np.uint8)
    if ending == "png":
        Image.fromarray(color).save(color_name)
        line("color", number, "RGB24", color.tobytes())
    else:
        cv2.imwrite(color_name, color)
        line("color", number, "JPEG", open(color_name, "rb").read())
    depth = rng.integers(0, 65536, (29, 41), dtype=np.uint16)
    depth[:3] = 65535
    depth[3] = 0
    cv2.imwrite(depth_name, depth)
    if layout == "7-scenes":
        depth = np.where(depth == 65535, 0, depth).astype(np.uint16)
    line("depth", number, "Z16", depth.astype("<u2").tobytes())
    if layout in ("7-scenes", "scannet"):
        pose = f"frame-{number:06}.pose.txt" if layout == "7-scenes" else f"pose/{number}.txt"
        os.makedirs(os.path.dirname(os.path.join(folder, pose)), exist_ok=True)
        np.savetxt(os.path.join(folder, pose), np.eye(4))

matrix = np.array([[585.5, 0, 320.25], [0, 586, 240], [0, 0, 1]])
if layout == "7-scenes":
    np.savetxt(os.path.join(folder, "camera-intrinsics.txt"), matrix)
if layout == "scannet":
    os.makedirs(os.path.join(folder, "intrinsic"))
    for name, factor in (("color", 2), ("depth", 1)):
        wide = np.eye(4)
        wide[:3, :3] = matrix
        wide[:2, :3] *= factor
        np.savetxt(os.path.join(folder, "intrinsic", f"intrinsic_{name}.txt"), wide)
