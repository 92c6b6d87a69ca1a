"""Writes and reads pictures with Open3D, and prints a JSON line for each: what a recording of it holds, or what Open3D
finds in an export.

    open3d_files.py write FOLDER LAYOUT   LAYOUT: recorder (Open3D's example of a recorder), pictures, tum
    open3d_files.py save BAG FOLDER       the frames of a RealSense recording, as Open3D's reader saves them
    open3d_files.py read FOLDER           what `retake export png` or `tum` wrote
    open3d_files.py meters FOLDER         the pairs of `retake export tum` as RGBDImage, depth in whole millimetres
    open3d_files.py lens FILE             intrinsics, within parameters
"""

import hashlib
import json
import pathlib
import sys
from unittest.mock import MagicMock

import numpy as np

# Only Open3D's viewers in a browser need these, but it imports them always.
for name in ("plotly", "plotly.graph_objects", "dash"):
    sys.modules[name] = MagicMock()
import open3d as o3d  # noqa: E402

FRAMES = 5
WIDTH, HEIGHT = 51, 37
LENS = o3d.camera.PinholeCameraIntrinsic(WIDTH, HEIGHT, 60.5, 61.25, 25.25, 18.75)


def line(stream, data, **more):
    print(json.dumps({"stream": stream, "sha256": hashlib.sha256(data).hexdigest(), **more}))


def pixels(path):
    return np.asarray(o3d.io.read_image(str(path)))


def save(path, array):
    path.parent.mkdir(parents=True, exist_ok=True)
    assert o3d.io.write_image(str(path), o3d.geometry.Image(np.ascontiguousarray(array)))


def write(folder, layout):
    random = np.random.default_rng(3)
    lists = {"rgb": [], "depth": []}
    for number in range(FRAMES):
        color = random.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
        # Odd sizes, of which those without a lens differ.
        size = (29, 41) if layout == "pictures" else (HEIGHT, WIDTH)
        depth = random.integers(0, 3999 if layout == "tum" else 65536, size, dtype=np.uint16)
        depth[0] = 0
        if layout != "tum":
            depth[1] = 65535
        nanoseconds = number * 50_000_000
        match layout:
            case "recorder":
                names = f"color/{number:06}.jpg", f"depth/{number:06}.png"
            case "pictures":
                names = f"image/{number + 1:05}.png", f"depth/{number + 1:05}.png"
            case _:
                # Microseconds, unevenly spaced.
                nanoseconds = number * 33_333_000 + number**2 * 1000
                time = f"{1305031102 + (nanoseconds + 175304000) // 10**9}.{(nanoseconds // 1000 + 175304) % 10**6:06}"
                names = f"rgb/{time}.png", f"depth/{time}.png"
                for kind, name in zip(lists, names):
                    lists[kind].append(f"{time} {name}\n")
        paths = [folder / name for name in names]
        save(paths[0], color)
        save(paths[1], depth)
        is_jpeg = paths[0].suffix == ".jpg"
        line("color", paths[0].read_bytes() if is_jpeg else color.tobytes(), nanoseconds=nanoseconds)
        line("depth", depth.astype("<u2").tobytes(), nanoseconds=nanoseconds)
    if layout == "tum":
        for kind, rows in lists.items():
            (folder / f"{kind}.txt").write_text("# timestamp filename\n" + "".join(rows))
    if layout == "recorder":
        assert o3d.io.write_pinhole_camera_intrinsic(str(folder / "camera_intrinsic.json"), LENS)


def save_frames(bag, folder):
    reader = o3d.t.io.RGBDVideoReader.create(bag)
    reader.save_frames(str(folder), 0, 10**9)
    for number, (color, depth) in enumerate(zip(sorted(folder.glob("color/*.jpg")), sorted(folder.glob("depth/*.png")))):
        nanoseconds = (number * 10**9 + 15) // 30
        line("color", color.read_bytes(), nanoseconds=nanoseconds)
        line("depth", pixels(depth).astype("<u2").tobytes(), nanoseconds=nanoseconds)


def read(folder):
    for stream, name in (("color", "color"), ("color", "rgb"), ("depth", "depth")):
        for path in sorted(folder.glob(f"{name}/*.png")):
            line(stream, pixels(path).tobytes())


def meters(folder):
    for row in (folder / "associations.txt").read_text().splitlines():
        if row.startswith("#"):
            continue
        _, color, _, depth = row.split()
        pictures = [o3d.io.read_image(str(folder / name)) for name in (color, depth)]
        pair = o3d.geometry.RGBDImage.create_from_tum_format(*pictures, convert_rgb_to_intensity=False)
        millimeters = np.asarray(pair.depth).astype(np.float64) * 1000
        assert np.abs(millimeters - np.rint(millimeters)).max() < 1e-3
        line("color", np.asarray(pair.color).tobytes())
        line("depth", np.rint(millimeters).astype("<u2").tobytes())


def lens(path):
    parameters = o3d.camera.PinholeCameraParameters()
    parameters.intrinsic, parameters.extrinsic = LENS, np.eye(4)
    assert o3d.io.write_pinhole_camera_parameters(path, parameters)


match sys.argv[1]:
    case "write":
        write(pathlib.Path(sys.argv[2]), sys.argv[3])
    case "save":
        # Open3D prints its own messages.
        o3d.utility.set_verbosity_level(o3d.utility.VerbosityLevel.Error)
        save_frames(sys.argv[2], pathlib.Path(sys.argv[3]))
    case "read":
        read(pathlib.Path(sys.argv[2]))
    case "meters":
        meters(pathlib.Path(sys.argv[2]))
    case "lens":
        lens(sys.argv[2])
