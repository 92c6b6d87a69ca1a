"""What a recording's index and a sweep's results hold, as pandas tables."""

import dataclasses
import pathlib
import sqlite3
import urllib.parse

from .reader import RecordingError

_SWEEP_ID = 0x52545331
_SWEEP_VERSIONS = (1, 2, 3)


def _pandas():
    try:
        import pandas
    except ImportError:
        raise RecordingError("Tables need pandas: apt install python3-pandas, or pip install pandas.") from None
    return pandas


def _table(rows, columns):
    return _pandas().DataFrame(list(rows), columns=columns)


def frames_table(recording, stream):
    """A row for each frame of a stream: number, times, flags. No pixels are read."""
    columns = ["number", "presentation_ns", "arrival_ns", "device_tick", "is_damaged", "is_duplicate", "is_late"]
    return _table(([getattr(frame, name) for name in columns] for frame in recording.frames(stream)), columns)


def sets_table(recording):
    """A row for each frame set: its number, its time, and the number of each stream's frame in it."""
    names = [stream.name for stream in recording.streams]
    rows = []
    for frames in recording.frame_sets():
        numbers = [getattr(frames.frame(name), "number", None) for name in names]
        rows.append([frames.number, frames.master.presentation_ns, *numbers])
    table = _table(rows, ["number", "presentation_ns", *names])
    return table.astype({name: "Int64" for name in names})


def faces_table(recording, stream=None):
    """A row for each face, with its frame; of the master stream unless another is named."""
    stream = recording.master if stream is None else recording.stream(stream)
    names = ["x", "y", "width", "height", "confidence", "roll", "pitch", "yaw", "detector", "frames_since_seen"]
    rows = (
        [frame.number, frame.presentation_ns, *dataclasses.astuple(face)]
        for frame in recording.frames(stream)
        for face in recording.faces(stream, frame.number)
    )
    return _table(rows, ["frame", "presentation_ns", *names])


def events_table(recording):
    """A row for each loss and oddity."""
    columns = ["stream", "stage", "reason", "frame_number", "count", "presentation_ns"]
    return _table((dataclasses.astuple(event) for event in recording.events()), columns)


def marks_table(recording):
    """A row for each mark, by time."""
    return _table((dataclasses.astuple(mark) for mark in recording.marks()), ["label", "presentation_ns"])


def sweep_table(path):
    """The results of a sweep: a row for each setting and recording, with parameters, scores, cost and error."""
    pandas = _pandas()
    path = pathlib.Path(path)
    if not path.is_file():
        raise RecordingError(f"There is no file {path}.")
    # A sweep that is done leaves no log; then nothing has to be written to read.
    has_log = path.with_name(path.name + "-wal").exists()
    location = "file:" + urllib.parse.quote(str(path.absolute())) + ("?mode=ro" if has_log else "?immutable=1")
    try:
        connection = sqlite3.connect(location, uri=True)
        try:
            if connection.execute("PRAGMA application_id").fetchone()[0] != _SWEEP_ID:
                raise RecordingError(f"{path} is a database, but not a sweep's results.")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in _SWEEP_VERSIONS:
                raise RecordingError(f"{path} has version {version}; this reader supports 1 to {_SWEEP_VERSIONS[-1]}.")
            return pandas.read_sql("SELECT * FROM result", connection)
        finally:
            connection.close()
    except (sqlite3.Error, pandas.errors.DatabaseError) as error:
        raise RecordingError(f"{path} cannot be read: {error}.") from error
