#!/usr/bin/env python3
"""Reads recordings of Retake. One file to copy; needs Python 3.10, numpy and zstandard.

    import retake

    recording = retake.Recording("session.retake")
    for frame in recording.frames("depth"):
        print(frame.number, frame.presentation_ns, frame.array.mean())
    for frames in recording.frame_sets():
        color, depth = frames.master, frames.partners.get("depth")

From a shell: `python3 retake.py info session.retake`, `python3 retake.py extract --help`.

`pip install ./Tools/python` installs it as the package `retake`, with tables and pictures beside it.

It says in code what the articles FileFormat and FrameCodecs say. Frames are checked against their XXH3 where the package
xxhash is installed.
"""

import argparse
import functools
import json
import os
import pathlib
import sqlite3
import struct
import sys
import urllib.parse
from dataclasses import dataclass, field, replace
from fractions import Fraction

try:
    import numpy as np
    import zstandard
except ImportError as error:
    sentence = (
        f"Retake's reader needs {error.name}: apt install python3-numpy python3-zstandard, or pip install numpy zstandard."
    )
    # As a program it is a sentence without a trace of calls; "-m" stands there while 'python3 -m retake' is imported.
    if __name__ == "__main__" or sys.argv[:1] == ["-m"]:
        sys.exit(f"error: {sentence}")
    raise ModuleNotFoundError(sentence, name=error.name) from None

try:
    import xxhash
except ImportError:
    xxhash = None


class RecordingError(Exception):
    """A recording that cannot be read, in one sentence."""


class DamagedFrame(RecordingError):
    """One frame that cannot be read; the others still can."""


# What a recording holds

LARGEST_SIDE = 16_384
LARGEST_BYTE_COUNT = 1 << 28
LARGEST_CALIBRATION = 1 << 16
LARGEST_MARK_CHANGES = 1 << 20


@dataclass(frozen=True)
class Stream:
    index: int
    name: str
    # color, depth, infrared, alpha or motion
    kind: str
    # RGB24, YUYV, NV12, GREY, RGGB8, GRBG8, GBRG8, BGGR8, JPEG, Y16, Z16, KINECT11, DISPARITY32 or MOTION
    format: str
    width: int
    height: int
    # Frames per second.
    rate: Fraction
    tick_hertz: int
    tick_bits: int
    device: str
    settings: dict = field(hash=False)
    # Host minus device clock at the end of the recording; None where unknown.
    clock_offset_ns: int | None
    # How much faster than the host's the device's clock runs, parts per 10^9; None where unknown.
    clock_drift_ppb: int | None
    frame_count: int

    @property
    def dtype(self):
        """Of a frame's array."""
        return np.dtype({"Y16": "<u2", "Z16": "<u2", "KINECT11": "<u2", "DISPARITY32": "<f4", "MOTION": "<i2"}.get(self.format, "u1"))

    @property
    def shape(self):
        """Of a frame's array: that which OpenCV expects. None for JPEG, whose frames are files of any length."""
        even = (self.width + 1) // 2 * 2
        if self.format == "JPEG":
            return None
        if self.format == "RGB24":
            return (self.height, self.width, 3)
        if self.format == "YUYV":
            return (self.height, even, 2)
        if self.format == "NV12":
            return (self.height + (self.height + 1) // 2, even)
        return (self.height, self.width)

    @property
    def byte_count(self):
        """Of a whole frame; for JPEG the most that there can be."""
        if self.format == "JPEG":
            return max(65_536, self.width * self.height * 6)
        return int(np.prod(self.shape)) * self.dtype.itemsize


class Frame:
    """A frame's times; its pixels are read when they are first asked for, and kept."""

    def __init__(self, recording, stream, row):
        self._recording = recording
        self.stream = stream
        # Counts the recorded frames of its stream from 0.
        self.number = _integer(row[0], 0, 1 << 48)
        # The driver's counter, and the device's clock as it came: None where there is none.
        self.device_sequence = _unsigned(row[1])
        self.device_tick = _unsigned(row[2])
        # The device's clock with its wraps undone.
        self.unwrapped_tick = None if row[3] is None else _integer(row[3])
        # CLOCK_MONOTONIC of the host.
        self.arrival_ns = _integer(row[4])
        # From the start of the recording.
        self.presentation_ns = _integer(row[5])
        # 1 damaged, 2 sent twice, 4 late, 8 the first since the device was opened again
        self.flags = _integer(row[6])
        self._place = (
            _integer(row[7], 0, 1 << 32),
            _integer(row[8], 0, 1 << 48),
            _integer(row[9], 1, LARGEST_BYTE_COUNT + 65_536),
        )
        # Of `data`: fewer than the stream's for a frame that was cut short.
        self.byte_count = _integer(row[10], 0, stream.byte_count)
        self.xxh3 = _unsigned(_integer(row[11]))

    is_damaged = property(lambda self: self.flags & 1 != 0)
    is_duplicate = property(lambda self: self.flags & 2 != 0)
    is_late = property(lambda self: self.flags & 4 != 0)
    is_cut = property(lambda self: self.stream.format != "JPEG" and self.byte_count < self.stream.byte_count)

    def __repr__(self):
        return f"<frame {self.number} of {self.stream.name!r} at {self.presentation_ns / 1e9:.6f} s>"

    @functools.cached_property
    def data(self):
        """The frame's packed bytes, whole or cut short. Raises DamagedFrame."""
        return self._recording._decoded(self)

    @functools.cached_property
    def array(self):
        """The frame with its stream's dtype and shape, or a JPEG file's bytes. Raises DamagedFrame."""
        data = np.frombuffer(self.data, self.stream.dtype if not self.is_cut else "u1")
        if self.stream.shape is None:
            return data
        if self.is_cut:
            raise DamagedFrame(
                f"{self._name} is truncated; its data has {self.byte_count} of {self.stream.byte_count} bytes."
            )
        return data.reshape(self.stream.shape)

    def __array__(self, dtype=None, copy=None):
        array = self.array if dtype is None else self.array.astype(dtype)
        return array.copy() if copy else array

    @property
    def codec(self):
        """How it is stored. Raises DamagedFrame."""
        return self._recording._message(self)[0]

    @property
    def _name(self):
        return f"Frame {self.number} of stream '{self.stream.name}'"


@dataclass(frozen=True)
class Face:
    """A box in pixels of the colour frame; angles in radians, None where unknown."""

    x: float
    y: float
    width: float
    height: float
    confidence: float
    roll: float | None
    pitch: float | None
    yaw: float | None
    detector: str
    # 0 where it was seen in this very frame; else the box is carried on from so many frames before.
    frames_since_seen: int = 0


@dataclass(frozen=True)
class FrameSet:
    """A frame of the master stream, what other streams saw at the same time (by their names), and the faces in it."""

    number: int
    master: Frame
    partners: dict
    faces: list

    def frame(self, stream):
        """The set's frame of a stream by its name; None where it has none."""
        return self.master if stream == self.master.stream.name else self.partners.get(stream)


@dataclass(frozen=True)
class Event:
    """Something that did not go as in a perfect recording. The frame is the one concerned, or the next one kept."""

    stream: str
    # device, queue, encoder, disk, pairing, preroll
    stage: str
    # dropped, damaged, lost-packets, duplicate, late, unpaired, not-due, no-master, surplus, cheaper-codec, not-kept,
    # stalled, disconnected, wrong-timestamp, wrong-sequence, wrapped
    reason: str
    frame_number: int
    count: int
    presentation_ns: int


@dataclass(frozen=True)
class Mark:
    """A moment that somebody wanted to find again."""

    label: str
    presentation_ns: int


class Recording:
    """A recording's folder, opened to read. Streams are named by their name, their index or themselves."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        index = self.path / "index.sqlite"
        if not self.path.exists():
            raise RecordingError(f"There is no recording {self.path}.")
        if not index.is_file():
            if (self.path / "chunks").is_dir():
                raise RecordingError(
                    f"{index} is missing: 'retake recover {self.path}' rebuilds it from the chunk files."
                )
            raise RecordingError(f"{self.path} is not a recording: it has neither chunks nor an index.")
        # A recorder that is done leaves no log; then nothing has to be written to read.
        has_log = index.with_name("index.sqlite-wal").exists()
        location = "file:" + urllib.parse.quote(str(index.absolute())) + ("?mode=ro" if has_log else "?immutable=1")
        try:
            self._index = sqlite3.connect(location, uri=True)
        except sqlite3.Error as error:
            raise RecordingError(f"{index} cannot be opened: {error}.") from error
        self._file = (None, None)
        if self._one("PRAGMA application_id")[0] != 0x52544B31:
            raise RecordingError(f"{index} is a database, but not the index of a recording.")
        version = self._one("PRAGMA user_version")[0]
        if version != 3:
            hint = "; 'retake recover' rebuilds it" if version in (1, 2) else ""
            raise RecordingError(f"{index} has version {version}; this reader supports version 3{hint}.")
        row = self._one("SELECT id, wall_clock_ns, monotonic_origin_ns, is_closed FROM recording")
        if row is None:
            raise RecordingError(f"{self.path} is an empty recording: nothing was recorded yet.")
        self.id = _text(row[0])
        # Unix time at presentation time 0; 0 for sources without a clock. And CLOCK_MONOTONIC then.
        self.wall_clock_ns = _integer(row[1])
        self.monotonic_origin_ns = _integer(row[2])
        # False while a recorder is at work, and after one was killed: the index then lacks the last moments.
        self.is_closed = bool(row[3])
        self._calibration = self._given_calibration()
        self.streams = [self._stream(*row) for row in enumerate(self._rows(f"{_STREAM} ORDER BY id"))]
        if not self.streams:
            raise RecordingError(f"{index} has no streams: 'retake recover {self.path}' rebuilds it.")

    def close(self):
        self._index.close()
        if self._file[1]:
            self._file[1].close()
        self._file = (None, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def stream(self, name):
        """A stream by its name."""
        if isinstance(name, Stream):
            return name
        if isinstance(name, int) and 0 <= name < len(self.streams):
            return self.streams[name]
        for stream in self.streams:
            if stream.name == name:
                return stream
        names = ", ".join(stream.name for stream in self.streams)
        raise RecordingError(f"There is no stream {name!r} in {self.path}: there are {names}.")

    @property
    def master(self):
        """The stream that frame sets are made around: the first of colour, or the first."""
        return next((stream for stream in self.streams if stream.kind == "color"), self.streams[0])

    def frames(self, stream, start=0, stop=None):
        """Iterates over a stream's frames, damaged ones too, by their numbers from `start` to before `stop`."""
        stream = self.stream(stream)
        rows = self._rows(
            f"{_FRAME} WHERE stream = ? AND number >= ? AND number < ? ORDER BY number",
            (stream.index, start, 1 << 62 if stop is None else stop),
        )
        for row in rows:
            yield Frame(self, stream, row)

    def frame(self, stream, number):
        """One frame by its number."""
        stream = self.stream(stream)
        row = self._one(f"{_FRAME} WHERE stream = ? AND number = ?", (stream.index, int(number)))
        if row is None:
            raise RecordingError(f"There is no frame {number} of stream '{stream.name}' in {self.path}.")
        return Frame(self, stream, row)

    def times(self, stream):
        """Presentation times of all of a stream's frames in nanoseconds, as one array."""
        rows = self._rows(
            "SELECT presentation_ns FROM frame WHERE stream = ? ORDER BY number", (self.stream(stream).index,)
        )
        return np.array([_integer(row[0]) for row in rows], np.int64)

    def frame_sets(self, start=0, stop=None):
        """Iterates over frame sets by their numbers."""
        rows = self._rows(
            "SELECT number, master_frame FROM frame_set WHERE number >= ? AND number < ? ORDER BY number",
            (start, 1 << 62 if stop is None else stop),
        )
        for number, master in rows:
            partners = self._rows("SELECT stream, frame FROM partner WHERE frame_set = ? ORDER BY stream", (number,))
            frames = [self.frame(_integer(stream, 0, len(self.streams) - 1), frame) for stream, frame in partners]
            yield FrameSet(
                number, self.frame(self.master, master), {f.stream.name: f for f in frames}, self.faces(self.master, master)
            )

    def faces(self, stream, number):
        """The faces that were seen in a frame."""
        rows = self._rows(
            "SELECT x, y, width, height, confidence, roll, pitch, yaw, detector, frames_since_seen FROM face"
            " WHERE stream = ? AND frame = ? ORDER BY position",
            (self.stream(stream).index, int(number)),
        )
        return [Face(*row) for row in rows]

    def faces_state(self, stream, number):
        """Whether somebody looked for faces in a frame: "looked", "skipped", or None where nobody was to, or a device that
        reports faces by itself reported none."""
        row = self._one(
            "SELECT is_skipped FROM face_look WHERE stream = ? AND frame = ?", (self.stream(stream).index, int(number))
        )
        return None if row is None else "skipped" if row[0] else "looked"

    def events(self):
        """Everything that was dropped, late, damaged or unpaired, in the order in which it was noticed."""
        rows = self._rows("SELECT stream, stage, reason, frame, count, presentation_ns FROM event ORDER BY id")
        return [Event(self.streams[_integer(row[0], 0, len(self.streams) - 1)].name, *row[1:]) for row in rows]

    def marks(self):
        """The moments that were marked, in the order of their times: with the labels that they have now, and without those
        that were removed."""
        changes = self._mark_changes()
        marks = [Mark(*row) for row in self._rows("SELECT label, presentation_ns FROM mark ORDER BY presentation_ns, id")]
        marks = [replace(mark, label=changes.get(mark, mark.label)) for mark in marks]
        return [mark for mark in marks if mark.label is not None]

    # The index

    def _rows(self, query, arguments=()):
        try:
            yield from self._index.execute(query, arguments)
        except sqlite3.Error as error:
            raise RecordingError(
                f"{self.path}/index.sqlite is damaged ({error}): 'retake recover' rebuilds it."
            ) from error

    def _one(self, query, arguments=()):
        return next(self._rows(query, arguments), None)

    def _stream(self, index, row):
        settings = dict(self._rows("SELECT name, value FROM setting WHERE stream = ? ORDER BY position", (index,)))
        for given in self._calibration:
            if given["name"] == _text(row[1]):
                if {"extrinsics-color", "registered"} & given["settings"].keys():
                    settings.pop("extrinsics-color", None)
                    settings.pop("registered", None)
                settings |= given["settings"]
        count = self._one("SELECT count(*) FROM frame WHERE stream = ?", (index,))[0]
        try:
            rate = Fraction(_text(row[6]))
        except (ValueError, ZeroDivisionError):
            raise RecordingError(f"The index has an invalid frame rate, {row[6]!r}.") from None
        stream = Stream(
            _integer(row[0], index, index),
            _text(row[1]),
            _text(row[2]),
            _text(row[3]),
            _integer(row[4], 1, LARGEST_SIDE),
            _integer(row[5], 1, LARGEST_SIDE),
            rate,
            _integer(row[7], 1),
            _integer(row[8], 8, 64),
            _text(row[9]),
            settings,
            row[10],
            row[11],
            count,
        )
        if stream.format not in FORMATS:
            raise RecordingError(f"This reader does not support the pixel format {stream.format!r}.")
        return stream

    def _given_calibration(self):
        """Lenses and places that were given after recording: a list of streams' names and settings."""
        path = self.path / "calibration.json"
        if not path.exists():
            return []
        try:
            members = json.loads(path.read_bytes()[:LARGEST_CALIBRATION])
            if members["format"] != "retake-calibration-1":
                raise ValueError(f"its format is {members['format']!r}")
            return [{"name": str(s["name"]), "settings": dict(s["settings"])} for s in members["streams"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RecordingError(f"{path} cannot be read: {error}.") from error

    def _mark_changes(self):
        """New labels of marks that were renamed; None for those that were removed."""
        path = self.path / "marks.json"
        if not path.exists():
            return {}
        try:
            with open(path, "rb") as file:
                members = json.loads(file.read(LARGEST_MARK_CHANGES))
            if members["format"] != "retake-marks-1":
                raise ValueError(f"its format is {members['format']!r}")
            return {Mark(str(c["label"]), int(c["presentation_ns"])): c.get("new_label") for c in members["changes"]}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise RecordingError(f"{path} cannot be read: {error}.") from error

    # The chunk files

    def _message(self, frame):
        """A frame's codec and payload."""
        chunk_file, offset, length = frame._place
        path = self.path / "chunks" / f"{chunk_file:06d}.mcap"
        try:
            if self._file[0] != path:
                if self._file[1]:
                    self._file[1].close()
                self._file = (None, None)
                self._file = (path, open(path, "rb", buffering=0))
            file = self._file[1]
            # The length comes from the index: memory is taken only for what is there.
            if os.fstat(file.fileno()).st_size < offset + length:
                raise DamagedFrame(f"{frame._name} is missing: {path} ends before it.")
            file.seek(offset)
            record = file.read(length)
        except OSError as error:
            raise DamagedFrame(f"{frame._name} cannot be read: {error}.") from error
        try:
            opcode, rest, channel, _, _, _ = struct.unpack_from("<BQHIQQ", record)
            if (opcode, rest, channel) != (5, len(record) - 9, frame.stream.index):
                raise ValueError("the index does not point to a frame message")
            fields = _fields(record[31:])
            stream = frame.stream
            expected = {1: frame.number, 8: stream.format.encode(), 9: stream.width, 10: stream.height}
            expected |= {12: frame.byte_count, 13: frame.xxh3}
            if any(fields.get(number, 0) != value for number, value in expected.items()):
                raise ValueError("it is not the frame that the index describes")
            codec, payload = fields.get(11, b""), fields.get(14, b"")
            if not isinstance(codec, bytes) or not isinstance(payload, bytes):
                raise ValueError("its message is incomplete")
            return codec.decode(), payload
        except (ValueError, struct.error) as error:
            raise DamagedFrame(f"{frame._name} in {path} is damaged: {error}.") from error

    def _decoded(self, frame):
        stream = frame.stream
        codec, payload = self._message(frame)
        try:
            data = decode(codec, payload, stream.format, stream.width, stream.height, frame.byte_count)
            if xxhash and xxhash.xxh3_64_intdigest(data) != frame.xxh3:
                raise ValueError("its checksum does not match")
        except (ValueError, IndexError, zstandard.ZstdError) as error:
            path = self.path / "chunks" / f"{frame._place[0]:06d}.mcap"
            raise DamagedFrame(f"{frame._name} in {path} is damaged: {error}.") from error
        return data


_STREAM = "SELECT id, name, kind, format, width, height, rate, tick_hertz, tick_bits, device, clock_offset_ns, clock_drift_ppb FROM stream"
_FRAME = (
    "SELECT number, device_sequence, device_tick, unwrapped_tick, arrival_ns, presentation_ns, flags, chunk_file,"
    " offset, length, byte_count, xxh3 FROM frame"
)


def _integer(value, low=-(1 << 63), high=(1 << 63) - 1):
    """A value of the index, which may come from a stranger."""
    if type(value) is not int or not low <= value <= high:
        raise RecordingError(f"The index has an invalid value, {value!r}: 'retake recover' rebuilds it.")
    return value


def _unsigned(value):
    """Unsigned 64-bit values are stored as the signed number with the same bits."""
    return None if value is None else _integer(value) & (1 << 64) - 1


def _text(value):
    if type(value) is not str:
        raise RecordingError(f"The index has an invalid value, {value!r}: 'retake recover' rebuilds it.")
    return value


def _fields(message):
    """A protobuf message's fields by their numbers: varints and fixed64 as unsigned integers, the rest as bytes."""
    fields = {}
    at = 0

    def varint():
        nonlocal at
        value = 0
        for shift in range(0, 64, 7):
            if at >= len(message):
                raise ValueError("its message is incomplete")
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value & (1 << 64) - 1
        raise ValueError("its message is incomplete")

    while at < len(message):
        key = varint()
        if key & 7 == 0:
            fields[key >> 3] = varint()
            continue
        length = {1: 8, 5: 4}[key & 7] if key & 7 in (1, 5) else varint() if key & 7 == 2 else -1
        if not 0 <= length <= len(message) - at:
            raise ValueError("its message is incomplete")
        value = message[at : at + length]
        at += length
        fields[key >> 3] = value if key & 7 == 2 else int.from_bytes(value, "little")
    return fields


# How frames are stored

BAYER = ("RGGB8", "GRBG8", "GBRG8", "BGGR8")
FORMATS = ("RGB24", "YUYV", "NV12", "GREY", *BAYER, "JPEG", "Y16", "Z16", "KINECT11", "DISPARITY32", "MOTION")


def decode(codec, payload, pixel_format, width, height, byte_count):
    """Returns the frame's packed bytes. Raises ValueError, IndexError or ZstdError for what no encoder wrote."""
    payload = bytes(payload)
    # No transform makes a frame so much larger before zstd; what unpacks to more is an attack on memory.
    limit = 4 * byte_count + (1 << 20)
    if codec == "raw":
        data = payload
    elif codec == "zstd":
        data = unzstd(payload, limit)
    elif codec == "planes-med-tiles":
        sizes = plane_sizes(pixel_format, width, height)
        data = join(pixel_format, width, height, undo_planes(from_tiles(unzstd(payload, limit), sizes)))
    elif codec in ("lifted-med-columns", "rgb-med-columns"):
        sizes = plane_sizes(pixel_format, width, height)
        planes = undo_planes(from_tiles(unzstd(payload, limit), sizes, parts=2))
        data = join_rgb(*(undo_lift(*planes) if codec.startswith("lifted") else planes))
    elif codec == "planes-med-nibbles":
        sizes = plane_sizes(pixel_format, width, height)
        data = join(pixel_format, width, height, undo_planes(from_nibbles(payload, sizes)))
    elif codec == "ranks-med-crumbs":
        data = from_ranks(unzstd(payload, limit), pixel_format, width, height)
    elif codec == "delta-bytes":
        data = from_deltas(unzstd(payload, limit), pixel_format, width, height)
    else:
        raise ValueError(f"codec {codec!r} is not supported")
    if len(data) != byte_count:
        raise ValueError(f"{len(data)} bytes instead of {byte_count}")
    return data


def unzstd(payload, limit):
    """A payload is one zstd frame, or two of which the contents belong behind each other."""
    with zstandard.ZstdDecompressor().stream_reader(payload, read_across_frames=True) as reader:
        data = reader.read(limit + 1)
    if len(data) > limit:
        raise ValueError("its payload is too large")
    return data


def undo_zigzag(codes):
    """0, 1, 2, 3, … → 0, −1, 1, −2, …"""
    codes = np.asarray(codes, np.int64)
    return (codes >> 1) ^ -(codes & 1)


def undo_median(residuals, bits):
    """Undoes the prediction from left, above and above left in planes of one size, all samples of an anti-diagonal at a
    time."""
    count, height, width = residuals.shape
    steps = width + height - 1
    # Row y moves y to the right, so that a column holds what can be computed together.
    skewed = np.zeros((count, height, steps + 1), np.int32)
    skewed[:, :, :width] = residuals
    skewed = skewed.reshape(count, -1)[:, : height * steps].reshape(count, height, steps)
    skewed = np.ascontiguousarray(skewed.transpose(2, 0, 1))
    # One row more, of zeros, above the first.
    samples = np.zeros((steps + 2, count, height + 1), np.int32)
    for step in range(steps):
        left, above, above_left = samples[step + 1, :, 1:], samples[step + 1, :, :-1], samples[step, :, :-1]
        low, high = np.minimum(left, above), np.maximum(left, above)
        prediction = left + above - np.minimum(np.maximum(above_left, low), high)
        np.bitwise_and(prediction + skewed[step], (1 << bits) - 1, out=samples[step + 2, :, 1:])
    rows, columns = np.indices((height, width))
    return samples.transpose(1, 0, 2)[:, rows + columns + 2, rows + 1]


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


def undo_planes(residuals):
    """The planes, from the residuals of each. Those of one size are undone together, which saves time."""
    planes = [None] * len(residuals)
    for size in dict.fromkeys(plane.shape for plane in residuals):
        places = [place for place, plane in enumerate(residuals) if plane.shape == size]
        for place, plane in zip(places, undo_median(np.stack([residuals[place] for place in places]), 8)):
            planes[place] = plane
    return planes


def from_tiles(data, sizes, parts=1):
    """The residuals of each plane: undoes the sorting of tiles, of which a block of 16x8 is one, or its even and odd
    columns."""
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
    ranks = undo_median(undo_zigzag(numbers[gap_count:]).reshape(1, height, width), 16)
    return values[ranks].astype("<u4" if is_wide else "<u2").tobytes()


def from_deltas(data, pixel_format, width, height):
    size = 4 if pixel_format == "DISPARITY32" else 2
    parts = np.frombuffer(data, np.uint8).reshape(size, height, width).astype(np.int64)
    differences = undo_zigzag(sum(parts[i] << (8 * i) for i in range(size)))
    differences[:, 0] = np.cumsum(differences[:, 0])
    samples = np.cumsum(differences, axis=1) & ((1 << (8 * size)) - 1)
    return samples.astype(f"<u{size}").tobytes()


# From a shell


def _info(recording):
    print(f"{recording.path}  id {recording.id}{'' if recording.is_closed else '  (not closed)'}")
    for stream in recording.streams:
        shape = "JPEG files" if stream.shape is None else f"{stream.dtype} {'x'.join(map(str, stream.shape))}"
        print(
            f"{stream.name:10} {stream.kind:8} {stream.format:11} {stream.width}x{stream.height} at {stream.rate} fps:"
            f" {stream.frame_count} frames, {shape}, {stream.device}"
        )
    for event in recording.events():
        print(
            f"{event.presentation_ns / 1e9:.3f} s: {event.stream}: {event.count} {event.reason} ({event.stage}),"
            f" at frame {event.frame_number}"
        )
    for mark in recording.marks():
        print(f"{mark.presentation_ns / 1e9:.3f} s: mark {mark.label}")


def _extract(recording, name, folder, start, stop):
    """Returns how many frames could not be read."""
    stream = recording.stream(name)
    folder.mkdir(parents=True, exist_ok=True)
    lost = 0
    for frame in recording.frames(stream, start, stop):
        try:
            if stream.format == "JPEG":
                (folder / f"{frame.number:06d}.jpg").write_bytes(frame.data)
            else:
                np.save(folder / f"{frame.number:06d}.npy", frame.array)
        except DamagedFrame as error:
            print(error, file=sys.stderr)
            lost += 1
    return lost


def main(program=None):
    parser = argparse.ArgumentParser(prog=program, description="Reads recordings of Retake.")
    commands = parser.add_subparsers(dest="command", required=True)
    info = commands.add_parser("info", help="print streams, events and marks")
    extract = commands.add_parser("extract", help="write a stream's frames as .npy files (JPEG: .jpg), named by number")
    for command in (info, extract):
        command.add_argument("recording")
    extract.add_argument("--stream", required=True)
    extract.add_argument("--output", required=True, type=pathlib.Path, help="folder to write to")
    extract.add_argument("--from", dest="start", type=int, default=0, help="number of the first frame (0)")
    extract.add_argument("--to", dest="last", type=int, help="number of the last frame; by default the stream's last")
    words = parser.parse_args()
    try:
        with Recording(words.recording) as recording:
            if words.command == "info":
                return _info(recording)
            stop = None if words.last is None else words.last + 1
            return 3 if _extract(recording, words.stream, words.output, words.start, stop) else 0
    except (RecordingError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
