"""Decodes the payloads of a recording's frames. Needs zstandard."""

import zstandard


def decode(codec, payload, pixel_format, width, height, byte_count):
    """Returns the frame's packed bytes."""
    if codec == "raw":
        data = bytes(payload)
    elif codec == "zstd":
        data = zstandard.ZstdDecompressor().decompress(payload, max_output_size=byte_count)
    else:
        raise ValueError(f"codec {codec!r} is not known")
    if len(data) != byte_count:
        raise ValueError(f"{len(data)} bytes instead of {byte_count}")
    return data
