"""Rooms: colour (float32 RGB, 0 to 255) and depth (metres, 640x480), from ray-cast boxes or from a picture."""

import cv2
import numpy
from scipy.ndimage import map_coordinates

import sensor


def view(size, scale):
    """Ray directions of a picture whose width is that of the depth map, centres coinciding."""
    width, height = size
    focal = sensor.FOCAL * width / sensor.WIDTH * scale
    rows, columns = numpy.mgrid[0:height * scale, 0:width * scale].astype(numpy.float32)
    return (columns + 0.5 - width * scale / 2) / focal, (rows + 0.5 - height * scale / 2) / focal


class Box:
    """An axis-parallel box: x to the right, y down, z away, metres; `texture(u, v, face)` gives RGB."""

    def __init__(self, low, high, texture):
        self.low, self.high, self.texture = low, high, texture


def value_noise(u, v, seed, octaves=3):
    """Smooth noise over the plane, about 0 ± 1."""
    total = numpy.zeros(u.shape, numpy.float32)
    for octave in range(octaves):
        table = numpy.random.default_rng(seed + octave).standard_normal((64, 64)).astype(numpy.float32)
        at = numpy.stack([v * 2 ** octave, u * 2 ** octave])
        total += map_coordinates(table, at, order=1, mode="grid-wrap") / 1.7 ** octave
    return total / 1.6


def plain(color, grain=4, scale=30, seed=1):
    def texture(u, v, face):
        return numpy.array(color, numpy.float32) + grain * value_noise(u * scale, v * scale, seed)[..., None]
    return texture


def wood(color, seed=2):
    def texture(u, v, face):
        rings = value_noise(u * 3, v * 40, seed) + 0.5 * value_noise(u * 8, v * 160, seed + 9)
        return numpy.array(color, numpy.float32) * (1 + 0.13 * rings[..., None])
    return texture


def books(seed=3):
    def texture(u, v, face):
        draw = numpy.random.default_rng(seed)
        colors = draw.uniform(25, 215, (97, 3)).astype(numpy.float32)
        shelf = numpy.floor(v / 0.33).astype(int)
        slot = numpy.floor(u / 0.036 + 0.3 * numpy.sin(u * 17)).astype(int)
        color = colors[(slot * 7 + shelf * 31) % 97]
        tall = 0.2 + 0.08 * ((slot * 5 + shelf) % 4) / 3
        inside = (v / 0.33 - shelf) * 0.33 > 0.31 - tall
        board = (v / 0.33 - shelf) * 0.33 > 0.31
        color = numpy.where(inside[..., None], color, 22)
        return numpy.where(board[..., None], numpy.array([120, 84, 52], numpy.float32), color)
    return texture


def stripes(a, b, width, seed=4):
    def texture(u, v, face):
        phase = numpy.sin(2 * numpy.pi * u / width + 0.6 * value_noise(u * 2, v * 2, seed))
        mix = 0.5 + 0.5 * numpy.tanh(3 * phase)[..., None]
        return mix * numpy.array(a, numpy.float32) + (1 - mix) * numpy.array(b, numpy.float32)
    return texture


def window(u, v, face):
    frame = (numpy.abs(numpy.mod(u, 0.6) - 0.3) > 0.275) | (numpy.abs(numpy.mod(v, 0.7) - 0.35) > 0.325)
    sky = 228 + 22 * value_noise(u * 3, v * 3, 77)[..., None] * numpy.array([1, 0.8, 0.5], numpy.float32)
    return numpy.where(frame[..., None], 205, numpy.clip(sky, 0, 250))


def poster(seed):
    def texture(u, v, face):
        a = numpy.stack([value_noise(u * 7, v * 7, seed + i, 4) for i in range(3)], -1)
        return 120 + 110 * numpy.tanh(1.6 * a)
    return texture


def living_room(depth=3.6, light=1.0, seed=0):
    """Wallpaper, floor, book-case, sofa, window, poster, desk and a plant's pot."""
    floor, back = 1.3, depth
    return [
        Box((-4, -2, back), (4, floor, back + 0.1), stripes((176, 168, 150), (160, 154, 140), 0.16, seed + 5)),
        Box((-4, floor, 0.3), (4, floor + 0.1, back), wood((128, 92, 62), seed + 6)),
        Box((-2.9, -2, 0.3), (-2.8, floor, back), plain((150, 146, 138), 5, 12, seed + 7)),
        Box((2.4, -2, 0.3), (2.5, floor, back), plain((158, 150, 136), 5, 12, seed + 8)),
        Box((-2.2, -1.0, back - 0.35), (-1.1, floor, back), books(seed + 3)),
        Box((0.55, -0.95, back - 0.02), (1.75, 0.1, back), window),
        Box((-0.75, -0.85, back - 0.02), (0.05, -0.2, back), poster(seed + 20)),
        Box((-0.6, 0.45, back - 0.95), (1.15, floor, back - 0.1), plain((96, 52, 48), 9, 60, seed + 9)),
        Box((-0.6, 0.12, back - 0.3), (1.15, floor, back - 0.1), plain((104, 56, 50), 9, 60, seed + 10)),
        Box((1.25, 0.3, back - 1.5), (1.95, 0.36, back - 0.7), wood((150, 112, 70), seed + 11)),
        Box((1.3, 0.36, back - 1.45), (1.36, floor, back - 1.39), wood((120, 86, 56), seed + 12)),
        Box((1.84, 0.36, back - 1.45), (1.9, floor, back - 1.39), wood((120, 86, 56), seed + 12)),
        Box((1.4, 0.02, back - 1.2), (1.75, 0.3, back - 1.1), plain((28, 30, 34), 3, 30, seed + 13)),
        Box((-1.55, 0.55, back - 1.4), (-1.2, floor, back - 1.1), plain((52, 92, 60), 26, 50, seed + 14)),
        Box((-1.5, 0.15, back - 1.35), (-1.25, 0.6, back - 1.15), plain((46, 104, 52), 40, 80, seed + 15)),
    ]


def office(depth=4.0, seed=100):
    """Plain walls, partition, screens and a table nearer than the people: hard for cut-offs by distance."""
    floor, back = 1.35, depth
    return [
        Box((-4, -2, back), (4, floor, back + 0.1), plain((188, 190, 188), 4, 8, seed)),
        Box((-4, floor, 0.3), (4, floor + 0.1, back), plain((104, 108, 116), 9, 200, seed + 1)),
        Box((-3.0, -2, 0.3), (-2.9, floor, back), plain((172, 168, 160), 4, 8, seed + 2)),
        Box((-2.4, -0.15, back - 0.7), (-0.1, floor, back - 0.6), plain((150, 118, 84), 8, 120, seed + 3)),
        Box((-1.9, 0.35, back - 1.2), (0.0, 0.4, back - 0.6), plain((206, 200, 188), 4, 30, seed + 4)),
        Box((-1.6, -0.05, back - 0.95), (-1.05, 0.3, back - 0.9), plain((18, 20, 24), 2, 20, seed + 5)),
        Box((-0.8, -0.05, back - 0.95), (-0.3, 0.3, back - 0.9), plain((22, 22, 26), 2, 20, seed + 6)),
        Box((0.7, -1.4, back - 0.06), (1.5, floor, back), wood((142, 104, 70), seed + 7)),
        Box((1.75, -0.9, back - 0.4), (2.3, floor, back), books(seed + 8)),
        Box((0.62, 0.5, 1.45), (1.1, 0.56, 1.95), plain((176, 122, 58), 8, 80, seed + 9)),
        Box((0.64, 0.56, 1.5), (0.68, floor, 1.54), plain((66, 66, 70), 4, 20, seed + 10)),
        Box((1.02, 0.56, 1.5), (1.06, floor, 1.54), plain((66, 66, 70), 4, 20, seed + 10)),
        Box((0.64, 0.05, 1.88), (1.08, 0.5, 1.93), plain((176, 122, 58), 8, 80, seed + 11)),
    ]


def cast(boxes, x, y):
    """Distance along z and colour of what each ray meets first; slabs in turn."""
    shape = x.shape
    nearest = numpy.full(shape, 12.0, numpy.float32)
    color = numpy.zeros(shape + (3,), numpy.float32)
    for box in boxes:
        enter = numpy.full(shape, 0.05, numpy.float32)
        leave = numpy.full(shape, numpy.inf, numpy.float32)
        side = numpy.zeros(shape, numpy.int8)
        for axis, ray in enumerate((x, y, numpy.ones(shape, numpy.float32))):
            safe = numpy.where(numpy.abs(ray) < 1e-6, 1e-6, ray)
            one, two = box.low[axis] / safe, box.high[axis] / safe
            first, last = numpy.minimum(one, two), numpy.maximum(one, two)
            side = numpy.where(first > enter, axis, side)
            enter, leave = numpy.maximum(enter, first), numpy.minimum(leave, last)
        hit = (enter < leave) & (enter < nearest) & (enter > 0.06)
        if not hit.any():
            continue
        t, s = enter[hit], side[hit]
        px, py, pz = x[hit] * t, y[hit] * t, t
        u = numpy.where(s == 0, pz, px)
        v = numpy.where(s == 1, pz, py)
        shade = numpy.array([0.72, 1.06, 0.94], numpy.float32)[s]
        falloff = 1.25 / (1 + 0.09 * ((px - 0.8) ** 2 + (py + 1.4) ** 2 + (pz - 2.2) ** 2))
        color[hit] = box.texture(u.astype(numpy.float32), v.astype(numpy.float32), s) * (shade * falloff)[:, None]
        nearest[hit] = t
    return nearest, color


def rendered(boxes, size, light=1.0):
    """(colour, depth) of a procedural room."""

    x, y = view(size, 2)
    _, color = cast(boxes, *as_columns(x, y))
    color = color.reshape(x.shape + (3,))
    color = cv2.resize(color, size, interpolation=cv2.INTER_AREA)
    color = cv2.GaussianBlur(color, (0, 0), 0.6 * size[0] / 640)
    x, y = view((sensor.WIDTH, sensor.HEIGHT), 1)
    z, _ = cast(boxes, *as_columns(x, y))
    return numpy.clip(color * light, 0, 255), z.reshape(x.shape)


def as_columns(x, y):
    return x.ravel(), y.ravel()


def from_picture(picture, size, near=2.0, far=3.4, tilt=0.35, table=0.0):
    """(colour, depth) of a picture as a slanted wall; `table` is the share of rows of a surface in front."""
    width, height = size
    scale = max(width / picture.shape[1], height / picture.shape[0])
    big = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    top, left = (big.shape[0] - height) // 2, (big.shape[1] - width) // 2
    color = numpy.clip(big[top:top + height, left:left + width].astype(numpy.float32), 0, 255)
    x, y = view((sensor.WIDTH, sensor.HEIGHT), 1)
    wall = far / (1 + tilt * x)
    floor = 0.55 / numpy.maximum(y, 0.02)
    z = numpy.minimum(wall, numpy.maximum(floor, near))
    if table:
        row = numpy.arange(sensor.HEIGHT, dtype=numpy.float32)[:, None] / sensor.HEIGHT
        z = numpy.where(row > 1 - table, numpy.minimum(z, near), z)
    return color, z.astype(numpy.float32)
