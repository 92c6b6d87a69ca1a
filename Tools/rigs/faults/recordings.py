"""Reads recordings independently of Retake, with Python's standard library alone."""

import hashlib
import pathlib
import shutil
import sqlite3
import struct
import tempfile
from dataclasses import dataclass, field

MAGIC_LENGTH = 8
CHANNEL, MESSAGE, CHUNK = 4, 5, 6
MESSAGE_HEADER_LENGTH = 22


@dataclass
class Message:
    topic: str
    # Byte range of the record in its file, including the opcode.
    start: int
    end: int
    data: bytes


@dataclass
class Record:
    """A top-level record of a chunk file."""

    opcode: int
    start: int
    end: int
    # For an MCAP chunk: the offset of its first record, and its messages.
    records_start: int = 0
    messages: list = field(default_factory=list)


@dataclass(frozen=True)
class Frame:
    number: int
    sequence: int
    # `digest` covers everything but codec and payload: under load, the recorder uses another codec,
    # and replays check the pixels. `content` covers the fields that are unchanged in a copy with
    # other numbers and times.
    digest: bytes
    content: bytes

    def is_same(self, other):
        """Compares digests, or only contents if a digest is unknown."""
        digests = (self.digest, other.digest)
        return self.sequence == other.sequence and self.content == other.content and (
            None in digests or digests[0] == digests[1])


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def protobuf(data):
    """Returns the last value by field number: an int for varints, otherwise bytes."""
    fields, at = {}, 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == 0:
            fields[key >> 3], at = _varint(data, at)
        else:
            length = {1: 8, 5: 4}.get(key & 7)
            if length is None:
                length, at = _varint(data, at)
            fields[key >> 3] = data[at : at + length]
            at += length
    return fields


def frame(data):
    fields = protobuf(data)

    def digest(keys):
        return hashlib.blake2b(repr([fields.get(key) for key in keys]).encode(), digest_size=16).digest()

    # 1-6: numbers and times; 7-10: flags, format, size; 12, 13: length and checksum of pixels.
    content = (7, 8, 9, 10, 12, 13)
    return Frame(fields.get(1, 0), fields.get(2, 0), digest((*range(1, 7), *content)), digest(content))


def _string(data, at):
    (length,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + length].decode(), at + 4 + length


def _records(data, at, end, channels, record=None):
    """Yields (opcode, start, body, end) of each record; the last one may end beyond the data."""
    while at + 9 <= end:
        opcode = data[at]
        (length,) = struct.unpack_from("<Q", data, at + 1)
        body, stop = at + 9, at + 9 + length
        if opcode == CHANNEL and stop <= end:
            (number,) = struct.unpack_from("<H", data, body)
            channels[number] = _string(data, body + 4)[0]
        yield opcode, at, body, stop
        at = stop


def layout(data):
    """Returns the records of a chunk file, which may be truncated, without its summary."""
    records, channels = [], {}
    for opcode, start, body, end in _records(data, MAGIC_LENGTH, len(data), channels):
        record = Record(opcode, start, min(end, len(data)))
        if opcode == CHUNK and body + 32 <= len(data):
            _, at = _string(data, body + 28)
            record.records_start = at + 8
            for inner, at, inner_body, stop in _records(data, at + 8, record.end, channels):
                if inner == MESSAGE and stop <= record.end:
                    (channel,) = struct.unpack_from("<H", data, inner_body)
                    message = data[inner_body + MESSAGE_HEADER_LENGTH : stop]
                    record.messages.append(Message(channels[channel], at, stop, message))
        records.append(record)
        # DataEnd: only copies follow in the summary.
        if opcode == 0x0F:
            break
    return records


NO_STREAMS = ("faces", "events", "marks")


def frames_of(data):
    """Returns the frames by (stream, number) of a chunk file, which may be truncated."""
    frames = {}
    for record in layout(data):
        for message in record.messages:
            if message.topic not in NO_STREAMS:
                found = frame(message.data)
                frames[message.topic, found.number] = found
    return frames


def frames_on_disk(folder):
    """Returns every frame in a recording's chunk files, finished or partial."""
    frames = {}
    chunks = pathlib.Path(folder) / "chunks"
    if chunks.is_dir():
        for path in sorted(chunks.iterdir()):
            if path.name.endswith((".mcap", ".partial")):
                frames.update(frames_of(path.read_bytes()))
    return frames


# Event reasons that account for lost frames.
LOSSES = ("dropped", "damaged", "not-kept")


@dataclass
class Index:
    """The content of an index, and the frames read from the places it names."""

    streams: list
    # By (stream, number): the row without the frame's place in the files.
    rows: dict
    frames: dict
    # Complaints about rows whose place holds no frame.
    strays: list
    # (stream, stage, reason, first number, count)
    events: list
    # Number of the master frame by frame set number.
    sets: dict
    # (master frame number, stream, frame number)
    pairs: set
    marks: list
    is_closed: bool
    text: str

    def lost_numbers(self):
        """Returns the (stream, number) of frames that an event accounts for."""
        return {
            (stream, number)
            for stream, stage, reason, first, count in self.events
            if stage != "pairing" and reason in LOSSES
            for number in range(first, first + min(count, 10_000))
        }


def index(folder):
    """Reads the index of a recording from a copy, so that nothing in the folder changes."""
    folder = pathlib.Path(folder)
    with tempfile.TemporaryDirectory(prefix="retake-faults-index") as copy:
        for suffix in ("", "-wal"):
            path = folder / f"index.sqlite{suffix}"
            if path.exists():
                shutil.copy(path, copy)
        database = sqlite3.connect(f"{copy}/index.sqlite")
        try:
            return _index(folder, database)
        finally:
            database.close()


def dump(path):
    """Returns a database as SQL text."""
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        return "\n".join(database.iterdump())
    finally:
        database.close()


def _index(folder, database):
    names = [row[0] for row in database.execute("SELECT name FROM stream ORDER BY id")]
    files, rows, frames, strays = {}, {}, {}, []
    for row in database.execute("SELECT * FROM frame"):
        stream, number, chunk_file, offset, length = names[row[0]], row[1], row[8], row[9], row[10]
        rows[stream, number] = row[2:8] + row[11:]
        if chunk_file not in files:
            path = folder / "chunks" / f"{chunk_file:06d}.mcap"
            files[chunk_file] = path.read_bytes() if path.exists() else b""
        record = files[chunk_file][offset : offset + length]
        try:
            if record[0] != MESSAGE or struct.unpack_from("<Q", record, 1)[0] != length - 9:
                raise ValueError
            frames[stream, number] = frame(record[9 + MESSAGE_HEADER_LENGTH :])
        except (IndexError, ValueError, struct.error):
            strays.append(f"{stream} {number}: no message at {offset} of chunk file {chunk_file}")
    sets = dict(database.execute("SELECT number, master_frame FROM frame_set"))
    return Index(
        streams=names, rows=rows, frames=frames, strays=strays,
        events=[
            (names[row[0]], *row[1:])
            for row in database.execute("SELECT stream, stage, reason, frame, count FROM event ORDER BY id")
        ],
        sets=sets,
        pairs={
            (sets.get(number), names[stream], frame_number)
            for number, stream, frame_number in database.execute("SELECT frame_set, stream, frame FROM partner")
        },
        marks=[row[0] for row in database.execute("SELECT label FROM mark ORDER BY id")],
        is_closed=bool(database.execute("SELECT is_closed FROM recording").fetchone()[0]),
        text="\n".join(database.iterdump()),
    )
