"""Reads an exported MCAP with Rerun's own reader (PyPI's rerun-sdk), and prints what it takes each topic for: its kind,
and of pictures their size, type and hashes, of lenses the numbers.

    read_with_rerun.py FILE.mcap
"""

import hashlib
import json
import sys

from rerun.chunk import McapReader

for chunk in McapReader(sys.argv[1]).stream():
    if chunk.is_static:
        continue
    columns = chunk.to_record_batch().to_pydict()
    for kind in ("DepthImage", "Image"):
        if f"{kind}:buffer" in columns:
            form = columns[f"{kind}:format"][0][0]
            hashes = [hashlib.sha256(bytes(picture[0])).hexdigest() for picture in columns[f"{kind}:buffer"]]
            line = {"kind": kind, "width": form["width"], "height": form["height"], "type": form["channel_datatype"]}
            print(json.dumps({"topic": chunk.entity_path, **line, "hashes": hashes}))
    if "Pinhole:image_from_camera" in columns:
        # Column by column.
        k = columns["Pinhole:image_from_camera"][0][0]
        size = columns["Pinhole:resolution"][0][0]
        numbers = [k[0], k[4], k[6], k[7], *size]
        print(json.dumps({"topic": chunk.entity_path, "kind": "Pinhole", "numbers": [float(n) for n in numbers]}))
    if "Transform3D:translation" in columns:
        translation = [float(n) for n in columns["Transform3D:translation"][0][0]]
        print(json.dumps({"topic": chunk.entity_path, "kind": "Transform3D", "numbers": translation}))
