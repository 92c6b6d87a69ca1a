"""Decodes the payloads of a recording's frames. Needs numpy and zstandard; says in code what the article FrameCodecs says."""

import numpy as np
import zstandard

BAYER = ("RGGB8", "GRBG8", "GBRG8", "BGGR8")


def decode(codec, payload, pixel_format, width, height, byte_count):
    """Returns the frame's packed bytes."""
    payload = bytes(payload)
    if codec == "raw":
        data = payload
    elif codec == "zstd":
        data = unzstd(payload)
    elif codec == "planes-med-tiles":
        sizes = plane_sizes(pixel_format, width, height)
        data = join(pixel_format, width, height, [undo_median(r, 8) for r in from_tiles(unzstd(payload), sizes)])
    elif codec in ("lifted-med-columns", "rgb-med-columns"):
        sizes = plane_sizes(pixel_format, width, height)
        planes = [undo_median(r, 8) for r in from_tiles(unzstd(payload), sizes, parts=2)]
        data = join_rgb(*(undo_lift(*planes) if codec.startswith("lifted") else planes))
    elif codec == "planes-med-nibbles":
        sizes = plane_sizes(pixel_format, width, height)
        data = join(pixel_format, width, height, [undo_median(r, 8) for r in from_nibbles(payload, sizes)])
    elif codec == "ranks-med-crumbs":
        data = from_ranks(unzstd(payload), pixel_format, width, height)
    elif codec == "delta-bytes":
        data = from_deltas(unzstd(payload), pixel_format, width, height)
    else:
        raise ValueError(f"codec {codec!r} is not known")
    if len(data) != byte_count:
        raise ValueError(f"{len(data)} bytes instead of {byte_count}")
    return data


def unzstd(payload):
    """A payload is one zstd frame, or two of which the contents belong behind each other."""
    data = b""
    while payload:
        frame = zstandard.ZstdDecompressor().decompressobj()
        data += frame.decompress(payload)
        payload = frame.unused_data
    return data


def undo_zigzag(codes):
    """0, 1, 2, 3, … → 0, −1, 1, −2, …"""
    codes = np.asarray(codes, np.int64)
    return (codes >> 1) ^ -(codes & 1)


def undo_median(residuals, bits):
    """Undoes the prediction from left, above and above left, all samples of an anti-diagonal at a time."""
    height, width = residuals.shape
    steps = width + height - 1
    # Row y moves y to the right, so that a column holds what can be computed together.
    skewed = np.zeros((height, steps + 1), np.int64)
    skewed[:, :width] = residuals
    skewed = skewed.ravel()[: height * steps].reshape(height, steps)
    # One row more, of zeros, above the first.
    samples = np.zeros((steps + 2, height + 1), np.int64)
    for step in range(steps):
        left, above, above_left = samples[step + 1, 1:], samples[step + 1, :-1], samples[step, :-1]
        low, high = np.minimum(left, above), np.maximum(left, above)
        prediction = left + above - np.clip(above_left, low, high)
        samples[step + 2, 1:] = (prediction + skewed[:, step]) & ((1 << bits) - 1)
    rows, columns = np.indices((height, width))
    return samples[rows + columns + 2, rows + 1]


# 8-bit colour


def plane_sizes(pixel_format, width, height):
    """(height, width) of each plane that has samples, in order."""
    half_width, half_height = (width + 1) // 2, (height + 1) // 2
    if pixel_format == "RGB24":
        sizes = [(height, width)] * 3
    elif pixel_format == "YUYV":
        sizes = [(height, 2 * half_width), (height, half_width), (height, half_width)]
    elif pixel_format == "NV12":
        sizes = [(height, 2 * half_width), (half_height, half_width), (half_height, half_width)]
    elif pixel_format == "GREY":
        sizes = [(height, width)]
    elif pixel_format in BAYER:
        sizes = [(h, w) for h in (half_height, height // 2) for w in (half_width, width // 2)]
    else:
        raise ValueError(f"{pixel_format!r} has no planes")
    return [(h, w) for h, w in sizes if h * w > 0]


def from_tiles(data, sizes, parts=1):
    """The residuals of each plane: undoes the sorting of tiles, of which a block of 16x8 is one, or its even and odd columns."""
    residuals = [np.zeros(size, np.uint8) for size in sizes]
    tiles = []
    for plane in residuals:
        for top in range(0, plane.shape[0], 8):
            for left in range(0, plane.shape[1], 16):
                block = plane[top : top + 8, left : left + 16]
                tiles += [block[:, part::parts] for part in range(parts)]
    data = np.frombuffer(data, np.uint8)
    classes = np.cumsum(data[: len(tiles)], dtype=np.uint8)
    place = len(tiles)
    for index in np.argsort(-classes.astype(int), kind="stable"):
        tile = tiles[index]
        tile[:] = data[place : place + tile.size].reshape(tile.shape)
        place += tile.size
    return residuals


def from_nibbles(data, sizes):
    """The residuals of each plane."""
    count = sum(height * width for height, width in sizes)
    data = np.frombuffer(data, np.uint8)
    groups = (count + 31) // 32
    halves = data[: 16 * groups].reshape(groups, 16)
    codes = np.concatenate([halves & 15, halves >> 4], axis=1).ravel()[:count]
    codes[codes == 15] = data[16 * groups :]
    residuals = undo_zigzag(codes) & 255
    ends = np.cumsum([height * width for height, width in sizes])[:-1]
    return [part.reshape(size) for part, size in zip(np.split(residuals, ends), sizes)]


def undo_lift(h, d, e):
    """Red, green and blue from about (r + g) / 2, r − g and b − h; all modulo 256."""
    green = h - (d >> 1) + 64
    return d + green - 128, green, e + h - 128


def join_rgb(red, green, blue):
    return (np.stack([red, green, blue], axis=-1) & 255).astype(np.uint8).tobytes()


def join(pixel_format, width, height, planes):
    """A frame's packed bytes from its planes."""
    half_width = (width + 1) // 2
    if pixel_format == "RGB24":
        luma, red, blue = planes
        green = luma - (red + blue) // 4 + 64
        frame = np.stack([red + green - 128, green, blue + green - 128], axis=-1)
    elif pixel_format == "YUYV":
        y, u, v = planes
        frame = np.stack([y[:, 0::2], u, y[:, 1::2], v], axis=-1)
    elif pixel_format == "NV12":
        y, u, v = planes
        frame = np.concatenate([y.ravel(), np.stack([u, v], axis=-1).ravel()])
    elif pixel_format == "GREY":
        frame = planes[0]
    else:
        frame = np.zeros((height, width), np.int64)
        places = [(y, x) for y in (0, 1) for x in (0, 1) if y < height and x < width]
        for (y, x), plane in zip(places, planes):
            frame[y::2, x::2] = plane
    return (frame & 255).astype(np.uint8).tobytes()


# Depth


def from_crumbs(data, count):
    """`count` numbers."""
    large_count, wide_count = np.frombuffer(data, "<u4", 2)
    data = np.frombuffer(data, np.uint8)[8:]
    crumb_bytes, data = np.split(data, [(count + 3) // 4])
    nibble_bytes, data = np.split(data, [(int(large_count) + 1) // 2])
    crumbs = np.stack([crumb_bytes >> shift & 3 for shift in (0, 2, 4, 6)], axis=1).ravel()
    numbers = crumbs[:count].astype(np.int64)
    large = np.stack([nibble_bytes & 15, nibble_bytes >> 4], axis=1).ravel()[:large_count].astype(np.int64)
    low, high = data.reshape(2, int(wide_count)).astype(np.int64)
    large[large == 15] += low | high << 8
    numbers[numbers == 3] += large
    return numbers


def from_ranks(data, pixel_format, width, height):
    distinct_count = int(np.frombuffer(data, "<u4", 1)[0])
    is_wide = pixel_format == "DISPARITY32"
    gap_count = distinct_count * (2 if is_wide else 1)
    numbers = from_crumbs(data[4:], gap_count + width * height)
    gaps = numbers[:distinct_count]
    if is_wide:
        gaps = gaps << 16 | numbers[distinct_count:gap_count]
    values = np.cumsum(gaps + 1) - 1
    ranks = undo_median(undo_zigzag(numbers[gap_count:]).reshape(height, width), 16)
    return values[ranks].astype("<u4" if is_wide else "<u2").tobytes()


def from_deltas(data, pixel_format, width, height):
    size = 4 if pixel_format == "DISPARITY32" else 2
    parts = np.frombuffer(data, np.uint8).reshape(size, height, width).astype(np.int64)
    differences = undo_zigzag(sum(parts[i] << (8 * i) for i in range(size)))
    differences[:, 0] = np.cumsum(differences[:, 0])
    samples = np.cumsum(differences, axis=1) & ((1 << (8 * size)) - 1)
    return samples.astype(f"<u{size}").tobytes()
