"""Checks recordings after faults or damage, by comparison with undisturbed recordings."""

import dataclasses
import json
import pathlib
import re
from dataclasses import dataclass

import recordings

DONE, FAILED, DONE_WITH_LOSS = 0, 1, 3
CHUNK_FILE = re.compile(r"\d{6}\.mcap")


@dataclass
class Reference:
    """An undisturbed recording, and the digests of its replay."""

    index: recordings.Index
    # By colour frame number: digests of its pixels and of the depth shown with it.
    shown: dict
    # Digest by depth frame number; only of frames that a replay shows.
    depth: dict

    @property
    def has_hidden_depth(self):
        return any(stream == "depth" and number not in self.depth for stream, number in self.index.frames)

    def followed_by(self, parts):
        """Returns this part continued by the later parts, as if the session had not been split."""
        index = dataclasses.replace(
            self.index, frames=dict(self.index.frames), rows=dict(self.index.rows), pairs=set(self.index.pairs))
        joined = Reference(index, dict(self.shown), dict(self.depth))
        first = {stream: frame.sequence for (stream, number), frame in self.index.frames.items() if number == 0}
        for part in parts:
            ahead = {
                stream: frame.sequence - first[stream]
                for (stream, number), frame in part.index.frames.items() if number == 0
            }
            for (stream, number), frame in part.index.frames.items():
                key = (stream, number + ahead[stream])
                index.frames[key] = dataclasses.replace(frame, number=key[1], digest=None)
                index.rows[key] = part.index.rows[stream, number]
            master = part.index.streams[0]
            index.pairs |= {(m + ahead[master], stream, n + ahead[stream]) for m, stream, n in part.index.pairs}
            joined.shown |= {number + ahead[master]: shown for number, shown in part.shown.items()}
            joined.depth |= {number + ahead["depth"]: depth for number, depth in part.depth.items()}
        return joined


def ended_badly(result, fault=None, statuses=(DONE, FAILED, DONE_WITH_LOSS)):
    """Returns complaints about how a run ended."""
    if result.status is None:
        return [f"hang: {result}"]
    if result.status < 0:
        if fault and fault.kills and result.hit_count and result.status == -9:
            return []
        return [f"crash: {result}"]
    if result.status not in statuses:
        return [f"exit code: {result}"]
    if result.status == FAILED and not (result.errors + result.output).strip():
        return [f"not a word: {result}"]
    if fault and fault.effect != "EACCES" and result.hit_count and "Permission denied" in result.errors:
        return [f"a false reason: {result}"]
    return []


def replayed(path):
    """Returns by frame set number: (digest of the colour frame, of the depth frame or None)."""
    lines = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    return {line["frame"]: (line.get("source_color"), line.get("source_depth")) for line in lines if "source_color" in line}


def wrong_frames(index, reference):
    """Returns complaints about indexed frames that differ from the undisturbed recording."""
    said = list(index.strays)
    for key, found in index.frames.items():
        expected = reference.frames.get(key)
        if expected is None:
            said.append(f"{key} was never recorded")
        elif not found.is_same(expected):
            said.append(f"{key} has other bytes")
        elif index.rows[key] != reference.rows[key]:
            said.append(f"{key} has other times")
    for pair in index.pairs - reference.pairs:
        said.append(f"{pair} is no pair")
    return [f"wrong frame: {sentence}" for sentence in said[:3]]


def unaccounted(index, expected=()):
    """Returns complaints about frames up to each stream's last, and of `expected`, that are
    missing without an event."""
    lost = index.lost_numbers()
    last = {}
    for stream, number in index.frames:
        last[stream] = max(last.get(stream, -1), number)
    known = {(stream, number) for stream, end in last.items() for number in range(end)} | set(expected)
    missing = sorted(known - set(index.frames) - lost)
    return [f"lost without an event: {brief(missing)}"] if missing else []


def brief(keys):
    keys = sorted(keys)
    return ", ".join(f"{stream} {number}" for stream, number in keys[:5]) + (
        f" and {len(keys) - 5} more" if len(keys) > 5 else "")


def wrong_pictures(sets, index, reference):
    """Returns complaints about replayed frame sets that differ from the undisturbed recording.

    A set without its partner shows an earlier depth frame, so any earlier one is accepted there.
    """
    partners = {master: number for master, stream, number in index.pairs if stream == "depth"}
    said = []
    for number, (color, depth) in sets.items():
        master = index.sets.get(number)
        if (color, depth) == reference.shown.get(master):
            continue
        if color != reference.shown.get(master, (None, None))[0]:
            said.append(f"set {number}: another picture")
        elif master in partners:
            if depth != reference.depth.get(partners[master]):
                said.append(f"set {number}: another depth")
        elif reference.has_hidden_depth:
            continue
        elif depth is not None and depth not in [reference.depth.get(before) for before in range(master + 1)]:
            said.append(f"set {number}: a depth that was never recorded")
    return [f"wrong frame: replay of {sentence}" for sentence in said[:3]]


def judge_recording(case, path, reference, needed=(), accounted=(), has_to_be_whole=True):
    """Checks a repaired recording: no wrong frames, no missing `needed` frames, no unreported loss.

    - needed: (stream, number) of frames that must be present
    - accounted: (stream, number) of frames that must be present or covered by an event
    - has_to_be_whole: whether `verify` must report no damage
    """
    try:
        index = recordings.index(path)
    except Exception as error:  # noqa: BLE001 any kind of broken index
        return [f"unreachable: the index cannot be read: {error}"]
    said = wrong_frames(index, reference.index)
    gone = set(needed) - set(index.frames)
    if gone:
        said.append(f"lost: {brief(gone)}, which were on the disk")
    said += unaccounted(index, accounted)
    verified = case.run("verify", path)
    said += ended_badly(verified, statuses=(DONE, FAILED))
    if has_to_be_whole and verified.status == FAILED:
        said.append(f"not whole: {verified}")
    if not index.is_closed:
        said.append("not closed")
    digests = case.folder / "judge.jsonl"
    digests.unlink(missing_ok=True)
    replay = case.run("replay", path, "--quiet", "--threads", "1", "--output", f"digests:{digests}")
    if index.sets or replay.status is None or replay.status < 0:
        said += ended_badly(replay)
    if replay.status in (DONE, DONE_WITH_LOSS) and digests.exists():
        sets = replayed(digests)
        said += wrong_pictures(sets, index, reference)
        # Sets before the first depth frame are skipped, which a quiet replay does not report.
        partners = {master for master, stream, _ in index.pairs if stream == "depth"}
        first = min(partners, default=0)
        count = sum(master in reference.shown for master in index.sets.values())
        skipped = sum(master in reference.shown and master < first for master in index.sets.values())
        if replay.status == DONE and not count - skipped <= len(sets) <= count:
            said.append(f"replay showed {len(sets)} of {count} frame sets and said nothing")
    elif index.sets:
        said.append(f"unreachable: {replay}")
    digests.unlink(missing_ok=True)
    return said


def left_over(path):
    """Returns names of files in a recording that an undisturbed recording does not have."""
    path = pathlib.Path(path)
    names = sorted(p.name for p in path.iterdir() if p.name not in ("chunks", "index.sqlite"))
    names += sorted(p.name for p in (path / "chunks").iterdir() if not CHUNK_FILE.fullmatch(p.name))
    return names
