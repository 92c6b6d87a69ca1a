"""Makes test scenes of people with exact truth, seen by a simulated Kinect v1.

scenes.py OUTPUT [--fixtures FOLDER] [--only PREFIX] [--frames N]

A scene is a folder in the layout of TUM's RGB-D benchmark, with more beside it:
  rgb/000000.png, depth/000000.png   frames; depth in mm, 640x480, 0 = none; rgb.txt and depth.txt have times
  truth/000000.png                   alpha, 8 bits, at the size of the colour
  truth/ignore/000000.png            if present: 255 = leave this pixel out
  foreground/000000.png              the person's own colours; background.png: the room without the person
  empty/                             a portrait's room without the person, a data set of its own
  meta.json                          what it is: intrinsics, empty frames at the start, sensor, seed
A folder with a single picture (000000.png of truth or foreground) holds for every frame.
"""

import argparse
import json
import os
import pathlib
import zlib

import cv2
import numpy

import bodies
import cutouts
import moving
import rooms
import sensor

DEPTH_SIZE = (sensor.WIDTH, sensor.HEIGHT)
RATE = 30
EMPTY_FRAMES = 12  # of a portrait's room, in a data set of their own


def seed_of(name):
    return zlib.crc32(name.encode())


class SceneWriter:
    def __init__(self, folder, meta, parts=("rgb", "depth", "truth", "foreground")):
        self.folder, self.meta, self.count = pathlib.Path(folder), meta, 0
        for name in parts:
            os.makedirs(self.folder / name, exist_ok=True)

    def picture(self, name, picture, number=0):
        path = self.folder / (f"{name}/{number:06}.png" if "." not in name else name)
        path.parent.mkdir(exist_ok=True)
        if picture.ndim == 3:
            picture = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)
        if not cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1]):
            raise OSError(f"cannot write {path}")

    def frame(self, color, depth, truth=None, foreground=None, ignore=None):
        self.picture("rgb", color, self.count)
        self.picture("depth", depth, self.count)
        for name, picture in (("truth", truth), ("foreground", foreground), ("truth/ignore", ignore)):
            if picture is not None:
                self.picture(name, picture, self.count)
        self.count += 1

    def finish(self):
        for name in ("rgb", "depth"):
            with open(self.folder / f"{name}.txt", "w") as file:
                if name == "depth":
                    file.write("# depth in 1000 units per metre\n")
                for number in range(self.count):
                    file.write(f"{1 + number / self.meta['rate']:.6f} {name}/{number:06}.png\n")
        self.meta["frames"] = self.count
        (self.folder / "meta.json").write_text(json.dumps(self.meta, indent=1))


def intrinsics(size):
    focal = sensor.FOCAL * size[0] / sensor.WIDTH
    return {"width": size[0], "height": size[1], "fx": focal, "fy": focal, "cx": size[0] / 2, "cy": size[1] / 2}


def at_depth_size(picture, size):
    """A map at the colour's size, brought to the depth map's: scaled by widths, centres coinciding."""
    scale = size[0] / DEPTH_SIZE[0]
    rows = round(size[1] / scale)
    small = cv2.resize(picture, (DEPTH_SIZE[0], rows), interpolation=cv2.INTER_AREA)
    missing = DEPTH_SIZE[1] - rows
    if missing > 0:
        # What is cropped from the colour goes on below and is the same room above.
        small = cv2.copyMakeBorder(small, missing // 2, missing - missing // 2, 0, 0, cv2.BORDER_REPLICATE)
    return small


def layer_of(alpha, relief, loss, distance, size):
    return sensor.Layer(at_depth_size(alpha, size), distance + at_depth_size(relief, size), at_depth_size(loss, size))


def base_meta(name, size, kind, camera, **more):
    return {
        "name": name, "kind": kind, "seed": seed_of(name), "color": intrinsics(size),
        "depth": intrinsics(DEPTH_SIZE), "rate": RATE, "emptyFrames": 0,
        "sensor": {"projectorMeters": camera.projector, "cameraMeters": camera.camera, "shift": list(camera.shift),
                   "border": camera.border}, **more,
    }


# Portraits: canvas scale and place at 960x720, metres to the nearest point.
PORTRAITS = {
    "p_015cd10e": dict(scale=1.0, x=70, y=240, wide=(210, 240), distance=1.0),
    "p_514ca06a": dict(scale=1.0, x=240, y=72, wide=(560, 72), distance=0.9),
    "p_bd6af989": dict(scale=1.0, x=230, y=0, wide=(380, 0), distance=1.5),
}


def portrait_rooms(fixtures, name, size):
    """Three rooms for a portrait: name → (colour, depth)."""
    exact = f"{fixtures}/exact-alpha"
    own = cutouts.read_color(f"{exact}/{name}_background.png")
    coffee = cutouts.read_color(f"{fixtures}/faces/coffee.png")
    other = cutouts.read_color(f"{fixtures}/azure-kinect-mkv/color_001.png")[:, 420:]
    bokeh = cutouts.read_color(f"{exact}/p_514ca06a_background.png")
    second = {"p_015cd10e": coffee, "p_514ca06a": other, "p_bd6af989": bokeh}[name]
    return {
        "own": rooms.from_picture(own, size, near=2.4, far=3.0),
        "picture": rooms.from_picture(second, size, near=2.0, far=3.4, tilt=-0.25, table=0.22),
        "room": rooms.rendered(rooms.living_room(seed=seed_of(name) % 50), size),
    }


def own_background_placed(portrait, size, place):
    """The portrait's own background, so that the composite is the original picture; edges are replicated."""
    matrix = numpy.array([[place["scale"], 0, place["x"] + (place["scale"] - 1) / 2],
                          [0, place["scale"], place["y"] + (place["scale"] - 1) / 2]], numpy.float32)
    return numpy.clip(cv2.warpAffine(portrait, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT), 0, 255)


SENSORS = {
    "own": dict(projector=0.075, camera=0.0),
    "picture": dict(projector=0.05, camera=0.025),
    "room": dict(projector=0.05, camera=0.025),
    "wide": dict(projector=0.05, camera=0.025, shift=(-2, -3)),
}


def portraits(output, fixtures, frames, only):
    for name, place in PORTRAITS.items() if "portrait".startswith(only[:8]) else []:
        color, alpha, background, _ = cutouts.exact_portrait(f"{fixtures}/exact-alpha", name)
        person = cutouts.Cutout(color, alpha)
        for room in ("own", "picture", "room", "wide"):
            title = f"portrait-{name[2:6]}-{room}"
            if not title.startswith(only):
                continue
            size = (1280, 720) if room == "wide" else (960, 720)
            x, y = place["wide"] if room == "wide" else (place["x"], place["y"])
            if room == "wide":
                room_color, room_z = rooms.rendered(rooms.office(), size)
            else:
                room_color, room_z = portrait_rooms(fixtures, name, size)[room]
            if room == "own":
                room_color = own_background_placed(background, size, place)
            draw = numpy.random.default_rng(seed_of(title))
            camera = sensor.Sensor(seed_of(title) + 1, **SENSORS[room])
            noise = 3.0 if room == "picture" else 2.0
            empty = SceneWriter(f"{output}/{title}/empty", {"name": title, "rate": RATE}, ("rgb", "depth"))
            for _ in range(EMPTY_FRAMES):
                empty.frame(sensor.colour_noise(draw, room_color, noise), camera.frame(room_z, []))
            empty.finish()
            writer = SceneWriter(f"{output}/{title}", base_meta(title, size, "portrait", camera, sways=room == "wide"))
            writer.picture("background.png", moving.bytes_of(room_color))
            for number in range(frames):
                sway = 3 + 3 * numpy.sin(number / 5) if room == "wide" else 0.0
                premultiplied, a, relief, loss = person.placed(
                    size, place["scale"], x + sway, y + abs(sway) / 4)
                a = moving.bytes_of(a * 255).astype(numpy.float32) / 255
                picture = premultiplied + (1 - a[..., None]) * room_color
                layer = layer_of(a, relief, loss, place["distance"], size)
                moved = number == 0 or sway
                writer.frame(
                    sensor.colour_noise(draw, picture, noise),
                    camera.frame(room_z, [layer]), moving.bytes_of(a * 255) if moved else None,
                    moving.bytes_of(moving.own_colors(premultiplied, a)) if moved else None)
            writer.finish()
            print(title, flush=True)


def people_writer(output):
    """Opens the scenes that `moving` films."""
    def open_scene(title, options, actors):
        camera = sensor.Sensor(0, shift=options.get("shift", (0, 0)), border=options.get("border", 0))
        meta = base_meta(title, moving.SIZE, "people", camera, actors=actors, options=options)
        meta.update(rate=moving.RATE, emptyFrames=moving.EMPTY)
        return SceneWriter(f"{output}/{title}", meta), meta["seed"]
    return open_scene


def real_pair(output, fixtures, only):
    """TUM's pair as it is: one frame, without the empty room; its truth is doubtful at the outline."""
    title = "real-tum"
    if not title.startswith(only):
        return
    color, depth, alpha, ignore = bodies.tum_pair(f"{fixtures}/tum-walking")
    camera = sensor.Sensor(0)
    writer = SceneWriter(f"{output}/{title}", base_meta(title, moving.SIZE, "real", camera))
    writer.frame(color, depth, moving.bytes_of(alpha * 255),
                 moving.bytes_of(cutouts.foreground(color, alpha)), ignore)
    writer.finish()
    print(title, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output")
    parser.add_argument("--fixtures", default=str(pathlib.Path(__file__).resolve().parents[4] / "shared/fixtures"))
    parser.add_argument("--only", default="", help="scenes whose name begins so")
    parser.add_argument("--frames", type=int, default=10, help="frames of a portrait")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    portraits(options.output, options.fixtures, options.frames, options.only)
    real_pair(options.output, options.fixtures, options.only)
    moving.make(options.output, options.fixtures, options.only, people_writer(options.output))


if __name__ == "__main__":
    main()
