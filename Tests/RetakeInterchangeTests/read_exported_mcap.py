"""Reads what `retake export mcap` wrote with PyPI's mcap and the schemas in the file, and prints one JSON line for each
message."""

import hashlib
import json
import sys

from mcap.reader import SeekingReader
from mcap_protobuf.decoder import DecoderFactory

with open(sys.argv[1], "rb") as file:
    reader = SeekingReader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
    summary = reader.get_summary()
    assert {index.compression for index in summary.chunk_indexes} == {"zstd"}
    for item in reader.iter_decoded_messages(log_time_order=False):
        message = item.decoded_message
        line = {"topic": item.channel.topic, "schema": item.schema.name, "time": item.message.log_time}
        if item.schema.name == "foxglove.ImageAnnotations":
            # Hexadecimal: the bits, whatever rounding a JSON reader does.
            line["boxes"] = [[[p.x.hex(), p.y.hex()] for p in points.points] for points in message.points]
            assert all(points.type == points.LINE_LOOP and points.outline_color.a == 1 for points in message.points)
        else:
            stamp = message.timestamp
            assert stamp.seconds * 10**9 + stamp.nanos == item.message.log_time
            line["sha256"] = hashlib.sha256(message.data).hexdigest()
            line["bytes"] = len(message.data)
            line["frame_id"] = message.frame_id
        if item.schema.name == "foxglove.RawImage":
            line["layout"] = f"{message.encoding} {message.width}x{message.height} {message.step}"
        if item.schema.name == "foxglove.CompressedImage":
            line["layout"] = message.format
        print(json.dumps(line))
