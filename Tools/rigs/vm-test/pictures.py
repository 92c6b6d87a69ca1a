"""Makes the pictures of the emulated cameras with numpy on the host, since the VM is slow."""

import io

import numpy as np
from PIL import Image

COUNT = 4
NO_DEPTH = 2047


def write_all(folder):
    """Writes frames in the devices' formats: MODE-N.raw, MODE-N.jpg."""
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(COUNT):
        depth = _depth(index)
        light = _light(index, 488, 640)
        for mode, data in {
            "depth11": pack(depth, 11),
            "depth10": pack(depth >> 1, 10),
            "bayer": _bayer(index, 480, 640).tobytes(),
            "bayer-high": _bayer(index, 1024, 1280).tobytes(),
            "infrared10": pack(light, 10),
            "infrared10-high": pack(_light(index, 1024, 1280), 10),
            "uyvy": _uyvy(index).tobytes(),
            "yuyv": _uyvy(index).reshape(-1, 2)[:, ::-1].tobytes(),
            "grey": (light[:480] >> 2).astype("u1").tobytes(),
            "z16": (depth.astype("<u2") * 3).tobytes(),
        }.items():
            (folder / f"{mode}-{index}.raw").write_bytes(data)
        picture = io.BytesIO()
        Image.fromarray(_color(index)).save(picture, "JPEG", quality=85)
        (folder / f"mjpg-{index}.jpg").write_bytes(picture.getvalue())


def pack(samples, bits):
    """Packs samples of `bits` bits, highest bit first, as a Kinect sends them."""
    samples = np.ascontiguousarray(samples, ">u2").reshape(-1, 1)
    return np.packbits(np.unpackbits(samples.view("u1"), axis=1)[:, 16 - bits :].ravel()).tobytes()


SHAPES = {"infrared10": (488, 640), "bayer-high": (1024, 1280), "infrared10-high": (1024, 1280), "uyvy": (480, 640, 2)}


def samples(mode, data):
    """Unpacks a Kinect's frame of a mode into an array of samples."""
    shape = SHAPES.get(mode, (480, 640))
    bits = next((bits for bits in (10, 11) if f"{bits}" in mode), 8)
    if bits == 8:
        return np.frombuffer(data, "u1").reshape(shape)
    rows = np.unpackbits(np.frombuffer(data, "u1")).reshape(-1, bits)
    wide = np.zeros((len(rows), 16), "u1")
    wide[:, 16 - bits :] = rows
    return np.packbits(wide, axis=1).view(">u2").astype("<u2").reshape(shape)


def _grid(height, width):
    return np.mgrid[0:height, 0:width].astype(np.float32)


def _depth(index):
    """A slanted wall behind a ball with a shadow, in 11-bit Kinect disparities, with noise."""
    y, x = _grid(480, 640)
    generator = np.random.default_rng(index)
    wall = 960 - x / 16 + y / 24
    center = 220 + 50 * index
    ball = np.hypot(x - center, y - 240) < 110
    shadow = np.hypot(x - center + 30, y - 240) < 110
    depth = np.where(ball, 640 + np.hypot(x - center, y - 240) / 4, np.where(shadow, NO_DEPTH, wall))
    depth = np.where(depth < NO_DEPTH, depth + generator.integers(-1, 2, depth.shape), depth)
    # The sensor's invalid border, where the two images that it matches do not overlap.
    depth[:, -8:] = NO_DEPTH
    return depth.astype(np.uint16)


def _light(index, height, width):
    """An infrared picture: bright in the middle, with noise as of the projector's dots."""
    y, x = _grid(height, width)
    generator = np.random.default_rng(100 + index)
    light = 400 - np.hypot(x - width / 2, y - height / 2) * 300 / width
    return (light + generator.integers(0, 300, light.shape)).astype(np.uint16)


def _color(index):
    y, x = _grid(480, 640)
    red, green = 255 * x / 639, 255 * y / 479
    blue = 255 * (np.hypot(x - 220 - 50 * index, y - 240) < 110)
    return np.stack([red, green, blue], axis=-1).astype(np.uint8)


def _bayer(index, height, width):
    """A Bayer mosaic with noise: rows of green and red, then of blue and green."""
    color = np.array(Image.fromarray(_color(index)).resize((width, height)))
    mosaic = color[:, :, 1].copy()
    mosaic[0::2, 1::2] = color[0::2, 1::2, 0]
    mosaic[1::2, 0::2] = color[1::2, 0::2, 2]
    noise = np.random.default_rng(200 + index).integers(0, 8, mosaic.shape, np.uint8)
    return np.minimum(mosaic, 247) + noise


def _uyvy(index):
    luma_and_chroma = np.array(Image.fromarray(_color(index)).convert("YCbCr"))
    frame = np.empty((480, 640, 2), np.uint8)
    frame[:, :, 1] = luma_and_chroma[:, :, 0]
    frame[:, 0::2, 0] = luma_and_chroma[:, 0::2, 1]
    frame[:, 1::2, 0] = luma_and_chroma[:, 0::2, 2]
    return frame
