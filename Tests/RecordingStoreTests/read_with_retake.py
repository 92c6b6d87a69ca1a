"""Reads a recording with Tools/retake.py. Writes the bytes of all frames, one after the other, to a file, and prints a
JSON line for each frame, frame set and event."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))
import retake  # noqa: E402


def frame_line(frame, output):
    line = {
        "kind": "frame",
        "stream": frame.stream.name,
        "number": frame.number,
        "sequence": frame.device_sequence,
        "tick": frame.device_tick,
        "unwrapped": frame.unwrapped_tick,
        "arrival": frame.arrival_ns,
        "presentation": frame.presentation_ns,
        "flags": frame.flags,
    }
    try:
        output.write(frame.data)
        line |= {"bytes": len(frame.data), "codec": frame.codec}
        line["array"] = f"{frame.array.dtype} {'x'.join(map(str, frame.array.shape))}"
        assert frame.array.tobytes() == frame.data
    except retake.DamagedFrame as error:
        line["error"] = str(error)
    return line


with retake.Recording(sys.argv[1]) as recording, open(sys.argv[2], "wb") as output:
    for stream in recording.streams:
        print(json.dumps({"kind": "stream", "name": stream.name, "frames": stream.frame_count}))
        for frame in recording.frames(stream):
            print(json.dumps(frame_line(frame, output)))
        times = recording.times(stream.name)
        assert list(times) == [frame.presentation_ns for frame in recording.frames(stream)]
        if stream.frame_count > 1:
            assert recording.frame(stream.name, 1).presentation_ns == times[1]
            assert [frame.number for frame in recording.frames(stream, 1, 2)] == [1]
    for frames in recording.frame_sets():
        partners = {name: frame.number for name, frame in frames.partners.items()}
        faces = [[face.x, face.y, face.width, face.height, face.roll, face.detector] for face in frames.faces]
        print(json.dumps({"kind": "set", "master": frames.master.number, "partners": partners, "faces": faces}))
    for event in recording.events():
        print(
            json.dumps(
                {
                    "kind": "event",
                    "text": f"{event.stream} {event.stage} {event.reason} {event.frame_number} {event.count}"
                    f" {event.presentation_ns}",
                }
            )
        )
    for mark in recording.marks():
        print(json.dumps({"kind": "mark", "text": f"{mark.presentation_ns} {mark.label}"}))
