"""Damages chunk files, partial files and the index, and computes which frames that may lose."""

import random
import sqlite3
from dataclasses import dataclass

import recordings

INDEX_TARGETS = ("index", "rows", "wal")
TARGETS = ("chunk", "partial", *INDEX_TARGETS)


@dataclass
class Damage:
    seed: int
    what: str
    # (stream, number)
    may_be_lost: set
    # Whether a partial file was cut at its end, which a killed recorder may do too.
    is_cut: bool = False
    drops_rows: bool = False
    text: str = ""

    def is_same(self, path):
        """Whether the content of the index is unchanged."""
        try:
            return recordings.dump(path / "index.sqlite") == self.text
        except (sqlite3.Error, UnicodeDecodeError):
            return False


def plan(book, target, seed):
    """- Returns: the fixture, and a function that damages a copy of it; None if nothing changed."""
    random_ = random.Random(f"{target} {seed}")
    if target == "chunk":
        return "whole.retake", lambda path: _damage_file(
            path / "chunks" / f"{random_.randrange(3):06d}.mcap", random_, seed, can_vanish=True)
    if target == "partial":
        source = random_.choice(("killed.retake", "torn.retake"))
        return source, lambda path: _damage_file(next((path / "chunks").glob("*.partial")), random_, seed, is_partial=True)
    if target == "wal":
        source = random_.choice(("killed.retake", "torn.retake"))
        return source, lambda path: _damage_bytes(path / "index.sqlite-wal", random_, seed, "")
    if target == "index":
        return "whole.retake", lambda path: _damage_bytes(
            path / "index.sqlite", random_, seed, book.whole.index.text)
    return "whole.retake", lambda path: _damage_rows(path / "index.sqlite", random_, seed, book.whole.index.text)


def _changed(data, random_):
    """- Returns: the new bytes, the changed offsets, and a description."""
    kind = random_.choice(("flip", "flip", "flips", "zeros", "cut", "noise"))
    new = bytearray(data)
    if kind == "cut":
        new = new[: random_.randrange(len(new))]
        return bytes(new), range(len(new), len(data)), f"cut to {len(new)} of {len(data)} bytes"
    count = {"flip": 1, "flips": random_.randint(2, 20)}.get(kind)
    if count:
        places = sorted(random_.randrange(len(new)) for _ in range(count))
        for place in places:
            new[place] ^= 1 << random_.randrange(8)
        what = f"bits flipped at {places}"
    else:
        start, length = random_.randrange(len(new)), random_.choice((1, 16, 512, 4096))
        end = min(len(new), start + length)
        new[start:end] = bytes(end - start) if kind == "zeros" else random_.randbytes(end - start)
        what = f"{kind} at {start}..<{end}"
    return bytes(new), [place for place in range(len(data)) if new[place] != data[place]], what


def _damage_file(path, random_, seed, can_vanish=False, is_partial=False):
    data = path.read_bytes()
    if not data:
        return None
    if can_vanish and random_.random() < 0.03:
        path.unlink()
        return Damage(seed, f"{path.name} is gone", set(recordings.frames_of(data)))
    if random_.random() < 0.03:
        path.write_bytes(data + random_.randbytes(random_.choice((1, 100, 5000))))
        return Damage(seed, f"{path.name} has more behind it", set())
    new, places, what = _changed(data, random_)
    if new == data:
        return None
    path.write_bytes(new)
    return Damage(seed, f"{path.name}: {what}", may_be_lost(data, places), is_cut=is_partial and len(new) < len(data))


def may_be_lost(data, places):
    """Returns the frames that damage at some offsets may lose. Damage to a message loses that
    message; to a record's length, what follows in the chunk or file; to the file's head, all."""
    lost = set()
    records = recordings.layout(data)

    def take(messages):
        for message in messages:
            if message.topic not in recordings.NO_STREAMS:
                lost.add((message.topic, recordings.frame(message.data).number))

    all_messages = [message for record in records for message in record.messages]
    if any(place < recordings.MAGIC_LENGTH for place in places):
        take(all_messages)
        return lost
    first = min(places)
    is_cut = isinstance(places, range) and places.stop == len(data)
    if is_cut:
        take(message for message in all_messages if message.end > first)
        # Names, sizes and the identity are stored before the first chunk.
        if all(record.start > first for record in records if record.opcode == recordings.CHUNK):
            take(all_messages)
        return lost
    for place in set(places):
        record = next((record for record in records if record.start <= place < record.end), None)
        if record is None:
            continue
        behind = [message for message in all_messages if message.end > record.start]
        if record.opcode != recordings.CHUNK:
            is_head = record.start < min((r.start for r in records if r.opcode == recordings.CHUNK), default=len(data))
            take(all_messages if is_head else behind if place < record.start + 9 else [])
        elif place < record.records_start:
            take(behind if place < record.start + 9 or place >= record.start + 9 + 28 else record.messages)
        else:
            hit = next((message for message in record.messages if message.start <= place < message.end), None)
            if hit is None or place < hit.start + 9:
                take(message for message in record.messages if message.end > (hit.start if hit else record.start))
            else:
                take([hit])
    return lost


def _damage_bytes(path, random_, seed, text):
    if not path.exists() or path.stat().st_size == 0:
        return None
    data = path.read_bytes()
    new, _, what = _changed(data, random_)
    if new == data:
        return None
    path.write_bytes(new)
    return Damage(seed, f"{path.name}: {what}", set(), drops_rows=True, text=text)


def _damage_rows(path, random_, seed, text):
    """Changes the index by SQL, so that SQLite detects no corruption."""
    database = sqlite3.connect(path)
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    table = random_.choice(tables)
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    count = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    if not count:
        database.close()
        return None
    column = random_.choice(columns)
    keys = [row for row in database.execute(f"SELECT {', '.join(columns)} FROM {table}")]
    key = random_.choice(keys)
    kind = random_.choice(("row", "row", "all", "delete", "swap"))
    where = " AND ".join(f"{name} IS ?" for name in columns)
    try:
        with database:
            if kind == "delete":
                statement, arguments = f"DELETE FROM {table} WHERE {where}", key
            elif kind == "swap" and count > 1:
                other = random_.choice(keys)[columns.index(column)]
                statement, arguments = f"UPDATE {table} SET {column} = ? WHERE {where}", (other, *key)
            else:
                value = key[columns.index(column)]
                new = f"'{value}x'" if isinstance(value, str) else f"{column} + {random_.choice((-1, 1, 3, 1000))}"
                statement = f"UPDATE {table} SET {column} = {new}" + ("" if kind == "all" else f" WHERE {where}")
                arguments = () if kind == "all" else key
            database.execute(statement, arguments)
    except sqlite3.Error:
        database.close()
        return None
    database.close()
    if recordings.dump(path) == text:
        return None
    # A frame set whose partner row is gone shows the previous depth, as any set without a partner.
    drops = kind == "delete" or table in ("frame", "frame_set", "partner", "recording", "stream", "chunk_file")
    return Damage(seed, f"index.sqlite: {statement} {arguments if kind != 'all' else ''}", set(), drops_rows=drops, text=text)
