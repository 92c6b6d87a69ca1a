"""Reads recordings of Retake, and results of its sweeps. Nothing here writes to them.

    import retake

    with retake.Recording("session.retake") as recording:
        for frames in recording.frame_sets():
            color = retake.rgb(frames.frame("color"))
            depth = frames.frame("depth")
        print(retake.faces_table(recording))
    print(retake.sweep_table("sweep.sqlite").sort_values("iou"))
"""

# The reader first: it names the packages that are missing.
from .reader import (
    DamagedFrame,
    Event,
    Face,
    Frame,
    FrameSet,
    Mark,
    Recording,
    RecordingError,
    Stream,
    decode,
)
from .pictures import millimeters, rgb
from .tables import events_table, faces_table, frames_table, marks_table, sets_table, sweep_table

__all__ = [
    "DamagedFrame",
    "Event",
    "Face",
    "Frame",
    "FrameSet",
    "Mark",
    "Recording",
    "RecordingError",
    "Stream",
    "decode",
    "events_table",
    "faces_table",
    "frames_table",
    "marks_table",
    "millimeters",
    "rgb",
    "sets_table",
    "sweep_table",
]
