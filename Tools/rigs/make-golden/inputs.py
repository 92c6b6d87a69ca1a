#!/usr/bin/env python3
"""Writes the input files of the golden recordings: person.onnx, person.yaml and background.png.

The network outputs a matte of one channel: a head and shoulders where the simulated person stands,
plus (r + 2 g + b) / 4096 of the picture. All its numbers are multiples of 1/4096, so no sum is
rounded and every machine gets the same bits. The background is an evening sky over a chequered
floor. Its PNG is uncompressed, since library versions compress differently.
"""

import os
import struct
import sys
import zlib

WIDTH, HEIGHT = 64, 48


def varint(value):
    parts = bytearray()
    while value >= 128:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes(parts + bytes([value]))


def field(number, value):
    """Encodes a protobuf field: a varint, or bytes, text or encoded fields with a length prefix."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, sides, values):
    """Encodes an onnx.TensorProto of Float32."""
    return (
        b"".join(field(1, side) for side in sides)
        + field(2, 1)
        + field(8, name)
        + field(9, struct.pack(f"<{len(values)}f", *values))
    )


def node(kind, inputs, output, attributes=b""):
    """Encodes an onnx.NodeProto."""
    names = b"".join(field(1, name) for name in inputs)
    return names + field(2, output) + field(3, "make-" + output) + field(4, kind) + attributes


def value(name, sides):
    """Encodes an onnx.ValueInfoProto of Float32."""
    shape = b"".join(field(1, field(1, side)) for side in sides)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def silhouette(x, y):
    """Alpha in units of 1/4096: 0 outside, 3/4 inside, and a ramp between."""
    across, down = (x + 0.5) / WIDTH - 0.51, (y + 0.5) / HEIGHT
    head = (across / 0.11) ** 2 + ((down - 0.36) / 0.19) ** 2
    shoulders = (across / 0.27) ** 4 + ((down - 0.95) / 0.45) ** 4
    nearest = min(head, shoulders)
    inside = max(0.0, min(1.0, (1.5 - nearest) / 1.0))
    return int(3072 * inside)


def network():
    """Encodes the network as an onnx.ModelProto."""
    kernel = field(5, field(1, "kernel_shape") + field(8, 1) + field(8, 1) + field(20, 7))
    prior = [silhouette(x, y) / 4096 for y in range(HEIGHT) for x in range(WIDTH)]
    graph = (
        field(1, node("Conv", ["image", "weights"], "light", kernel))
        + field(1, node("Add", ["light", "silhouette"], "matte"))
        + field(2, "golden")
        + field(5, tensor("weights", [1, 3, 1, 1], [1 / 4096, 2 / 4096, 1 / 4096]))
        + field(5, tensor("silhouette", [1, 1, HEIGHT, WIDTH], prior))
        + field(11, value("image", [1, 3, HEIGHT, WIDTH]))
        + field(12, value("matte", [1, 1, HEIGHT, WIDTH]))
    )
    return field(1, 7) + field(7, graph) + field(8, field(2, 11))


def png(width, height, palette, pixel):
    """Encodes a PNG of up to 256 colours, its data in one stored (uncompressed) block."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(pixel(x, y) for x in range(width)) for y in range(height))
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(rows), len(rows) ^ 0xFFFF) + rows
    stored += struct.pack(">I", zlib.adler32(rows))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    colors = b"".join(bytes(color) for color in palette)
    parts = [(b"IHDR", header), (b"PLTE", colors), (b"IDAT", stored), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)


def evening():
    """The background PNG. Its size and shape differ from the videos', so it must be scaled."""
    width, height, horizon = 140, 104, 68
    sky = [(60 + 5 * y // 2, 60 + 5 * y // 4, 150 - 5 * y // 4) for y in range(horizon)]
    floor = [(230, 220, 90), (30, 120, 60)]
    return png(
        width, height, sky + floor, lambda x, y: y if y < horizon else horizon + (x // 10 + (y - horizon) // 8) % 2
    )


def main(folder):
    files = {
        "person.onnx": network(),
        "person.yaml": b"input:\n  scale: 1\n",
        "background.png": evening(),
    }
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: inputs.py FOLDER")
    main(sys.argv[1])
