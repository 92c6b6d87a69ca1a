"""Contact sheets: frames, depth, truth, mattes and composites, and crops at full size."""

import pathlib

import cv2
import numpy


def depth_picture(depth, near=500, far=4500):
    """Depth in false colours; holes are black."""
    value = numpy.clip((depth.astype(numpy.float32) - near) * 255 / (far - near), 0, 255).astype(numpy.uint8)
    picture = cv2.applyColorMap(value, cv2.COLORMAP_TURBO)
    picture[depth == 0] = 0
    return picture


def over(color, matte, background):
    """A composite with the video's own colours."""
    a = matte.astype(numpy.float32)[..., None] / 255
    return numpy.clip(a * color + (1 - a) * numpy.float32(background), 0, 255).astype(numpy.uint8)


def labelled(picture, text):
    out = picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    out = out.copy()
    cv2.putText(out, text, (6, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(out, text, (6, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 255, 255), 1, cv2.LINE_AA)
    return out


def fitted(picture, size, method=cv2.INTER_AREA):
    """Scaled to fit into a tile, the rest dark grey."""
    scale = min(size[0] / picture.shape[1], size[1] / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=method)[:size[1], :size[0]]
    if small.ndim == 2:
        small = cv2.cvtColor(small, cv2.COLOR_GRAY2BGR)
    tile = numpy.full((size[1], size[0], 3), 40, numpy.uint8)
    tile[:small.shape[0], :small.shape[1]] = small
    return tile


def grid(tiles, columns):
    blank = numpy.full_like(tiles[0], 40)
    tiles = tiles + [blank] * (-len(tiles) % columns)
    return numpy.vstack([numpy.hstack(tiles[i:i + columns]) for i in range(0, len(tiles), columns)])


def read(folder, number, flags=cv2.IMREAD_UNCHANGED):
    """Picture `number` of a folder, or its only picture."""
    path = pathlib.Path(folder) / f"{number:06}.png"
    if not path.exists():
        path = pathlib.Path(folder) / "000000.png"
    return cv2.imread(str(path), flags)


def scene_sheet(scenes, output, tile=(400, 300), numbers=(0,)):
    """Colour, depth and truth of each scene."""
    tiles = []
    for scene in scenes:
        scene = pathlib.Path(scene)
        for number in numbers:
            count = len(list((scene / "rgb").glob("*.png")))
            at = number if number >= 0 else count + number
            at = min(at, count - 1)
            color, depth = read(scene / "rgb", at), read(scene / "depth", at)
            tiles += [labelled(fitted(color, tile), f"{scene.name} {at}"),
                      fitted(depth_picture(depth), tile, cv2.INTER_NEAREST),
                      fitted(read(scene / "truth", at), tile)]
    cv2.imwrite(str(output), grid(tiles, 3))


def cut(picture, place):
    """A square at full size: (top, left, side)."""
    top, left, side = place
    part = picture[top:top + side, left:left + side]
    return part if part.ndim == 3 else cv2.cvtColor(part, cv2.COLOR_GRAY2BGR)
