"""Reads chunk files with PyPI's mcap and the schemas they carry, and prints one JSON line for each frame.

Nothing here knows Retake's messages: fields are shown as the schema in the file names them. Only the payload's codec is
Retake's own (Tools/retake.py).
"""

import hashlib
import json
import pathlib
import sys

from mcap.reader import NonSeekingReader, SeekingReader
from mcap_protobuf.decoder import DecoderFactory

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))
import retake  # noqa: E402


def main(folder):
    for path in sorted(pathlib.Path(folder, "chunks").glob("*.mcap")):
        with open(path, "rb") as file:
            reader = SeekingReader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
            summary = reader.get_summary()
            assert summary is not None and summary.chunk_indexes, f"{path} has no index"
            indexed = list(reader.iter_decoded_messages(log_time_order=False))
            assert summary.statistics.message_count == len(indexed), path
            # A reader that goes through the file from the front, every checksum on the way, finds the same.
            file.seek(0)
            linear = list(NonSeekingReader(file, validate_crcs=True).iter_messages(log_time_order=False))
            assert [m.data for _, _, m in linear] == [m.message.data for m in indexed], path
            for item in indexed:
                if item.schema.name != "retake.Frame":
                    continue
                frame = item.decoded_message
                data = retake.decode(
                    frame.codec, frame.payload, frame.format, frame.width, frame.height, frame.byte_count
                )
                print(
                    json.dumps(
                        {
                            "stream": item.channel.topic,
                            "number": frame.number,
                            "format": frame.format,
                            "width": frame.width,
                            "height": frame.height,
                            "tick": frame.device_tick if frame.HasField("device_tick") else None,
                            "presentation": frame.presentation_ns,
                            "bytes": len(data),
                            "sha256": hashlib.sha256(data).hexdigest(),
                        }
                    )
                )


main(sys.argv[1])
