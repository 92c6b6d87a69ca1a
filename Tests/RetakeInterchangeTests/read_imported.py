"""Reads a recording's chunk files with PyPI's mcap and the schemas they carry, and prints one JSON line for each frame,
with the topic that it was imported from. Only the payload's codec is Retake's own (Tools/retake.py)."""

import hashlib
import json
import pathlib
import sys

from mcap.reader import NonSeekingReader
from mcap_protobuf.decoder import DecoderFactory

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))
import retake  # noqa: E402

for path in sorted(pathlib.Path(sys.argv[1], "chunks").glob("*.mcap")):
    with open(path, "rb") as file:
        reader = NonSeekingReader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for item in reader.iter_decoded_messages(log_time_order=False):
            if item.schema.name != "retake.Frame":
                continue
            frame = item.decoded_message
            data = retake.decode(
                frame.codec, frame.payload, frame.format, frame.width, frame.height, frame.byte_count
            )
            line = {
                "stream": item.channel.topic,
                "topic": item.channel.metadata.get("setting.topic"),
                "kind": item.channel.metadata["kind"],
                "rate": item.channel.metadata["rate"],
                "size": f"{frame.width}x{frame.height}",
                "format": frame.format,
                "tick": frame.device_tick if frame.HasField("device_tick") else None,
                "arrival": frame.arrival_monotonic_ns,
                "presentation": frame.presentation_ns,
                "flags": frame.flags,
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
            print(json.dumps(line))
