#!/usr/bin/env python3
"""Kills recorders of a ring at seeded moments and checks what is left.

    Tools/rigs/ring/run.py [--ring 1GB] [--kills 20] [--fills 10] [--size 640x480] [--seed 1]

Records the simulated camera at full speed into rings until they were filled as often as asked for, with marks, and kills each
recorder with SIGKILL. Ends with status 1 unless all of this holds, for every ring:

- the folder was never larger than the ring, while it was recorded and while it was repaired;
- `retake verify` finds nothing wrong after the repair, and no frame is lost within what reached the disk;
- every mark that was set a second before the kill is there, with every frame round it and its file.

Files are read with Python, not with the program under test. Needs free space of twice the ring.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNITS = {"MB": 10**6, "GB": 10**9, "MiB": 2**20, "GiB": 2**30}
PREROLL, POSTROLL = 2, 1
# Marks that a ring holds without being filled by what they keep.
LARGEST_MARK_COUNT = 4


class Watch:
    """Follows the files of a folder from another thread."""

    def __init__(self, path):
        self.path = path
        self.largest = 0
        self.looks = 0
        # The largest size of every chunk file that was seen.
        self.chunks = {}
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self):
        while not self._ends.is_set():
            self.look()
            time.sleep(0.005)

    def look(self):
        total = 0
        for folder in (self.path, self.path / "chunks"):
            try:
                entries = list(os.scandir(folder))
            except FileNotFoundError:
                continue
            for entry in entries:
                try:
                    size = entry.stat(follow_symlinks=False).st_size if entry.is_file() else 0
                except FileNotFoundError:
                    continue
                total += size
                if ".mcap" in entry.name:
                    number = entry.name.split(".")[0]
                    self.chunks[number] = max(self.chunks.get(number, 0), size)
        self.largest = max(self.largest, total)
        self.looks += 1

    @property
    def written(self):
        return sum(list(self.chunks.values()))

    def end(self):
        self._ends.set()
        self._thread.join()
        self.look()


def rows(path, query, *arguments):
    with sqlite3.connect(f"file:{path / 'index.sqlite'}?mode=ro", uri=True) as database:
        return database.execute(query, arguments).fetchall()


def record(given, path, chance):
    """Records until the kill. - Returns: its watch, and the labels of marks that must be there."""
    limit = given.byte_count
    kill_at = limit * chance.uniform(0.1, 1.6)
    marks_at = sorted(chance.uniform(0, kill_at) for _ in range(chance.randint(1, LARGEST_MARK_COUNT)))
    device = f"simulated?pace=fast&size={given.size}&seed={chance.randint(1, 1000)}"
    recorder = subprocess.Popen(
        [given.program, "record", "--device", device, "--ring", given.ring, "--preroll", f"{PREROLL}s", "--postroll",
         f"{POSTROLL}s", "--keep-free", "0", "--faces", "none", "--quiet", "-o", str(path)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    watch = Watch(path)
    marks = []
    deadline = time.monotonic() + given.patience
    while watch.written < kill_at and recorder.poll() is None and time.monotonic() < deadline:
        if marks_at and watch.written >= marks_at[0]:
            marks_at.pop(0)
            label = f"mark {len(marks)}"
            done = subprocess.run(
                [given.program, "mark", str(path), "--label", label, "--quiet"], capture_output=True, text=True)
            if done.returncode == 0:
                marks.append((time.monotonic(), label))
        time.sleep(0.005)
    if recorder.poll() is not None:
        raise SystemExit(f"ring: the recorder ended by itself: {recorder.stderr.read()}")
    if watch.written < kill_at:
        raise SystemExit(f"ring: nothing more is recorded after {given.patience} s")
    killed = time.monotonic()
    os.kill(recorder.pid, signal.SIGKILL)
    recorder.wait()
    return watch, [label for at, label in marks if killed - at > 1]


def judge(given, path, watch, needed):
    """Repairs and checks a ring. - Returns: (complaints, marks, frames near them)."""
    said = []
    repaired = subprocess.run([given.program, "info", str(path), "--json"], capture_output=True, text=True)
    if repaired.returncode != 0:
        return [f"cannot be opened: {repaired.stderr}"], 0, 0
    if not json.loads(repaired.stdout)["is_closed"]:
        said.append(f"was not repaired: {repaired.stderr}")
    verified = subprocess.run([given.program, "verify", str(path)], capture_output=True, text=True)
    if verified.returncode != 0:
        said.append(f"verify: {verified.stdout[-500:]} {verified.stderr[-500:]}")
    watch.end()
    if watch.largest > given.byte_count:
        said.append(f"was {watch.largest - given.byte_count} bytes larger than the ring")
    lost = rows(path, "SELECT count(*) FROM event WHERE stage = 'disk'")[0][0]
    if lost:
        said.append(f"{lost} events of lost frames")
    marks = rows(path, "SELECT label, presentation_ns FROM mark ORDER BY presentation_ns")
    said += [f"the mark '{label}' is gone" for label in needed if label not in [found for found, _ in marks]]
    near = 0
    for (stream,) in rows(path, "SELECT id FROM stream"):
        frames = rows(
            path, "SELECT number, presentation_ns, chunk_file, offset + length FROM frame WHERE stream = ? ORDER BY number",
            stream)
        if not frames:
            continue
        for label, at in marks:
            found = [row for row in frames if at - PREROLL * 1e9 <= row[1] <= at + POSTROLL * 1e9]
            near += len(found)
            numbers = [row[0] for row in found]
            # The camera takes a frame every thirtieth of a second, so numbers follow from times.
            first = max(0, round((at - PREROLL * 1e9) * 30 / 1e9) + 1)
            last = min(frames[-1][0], round((at + POSTROLL * 1e9) * 30 / 1e9) - 1)
            missing = sorted(set(range(first, last + 1)) - set(numbers))
            if missing:
                said.append(f"stream {stream} lacks {len(missing)} frames near '{label}', from {missing[0]} on")
            for file, end in {(row[2], max(r[3] for r in found if r[2] == row[2])) for row in found}:
                chunk = path / "chunks" / f"{file:06}.mcap"
                if not chunk.exists() or chunk.stat().st_size < end:
                    said.append(f"{chunk.name}, which '{label}' keeps, is not whole")
    return said, len(marks), near


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--ring", default="1GB")
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--fills", type=float, default=10)
    options.add_argument("--size", default="640x480")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--patience", type=int, default=600, help="seconds after which a recorder is taken to hang")
    options.add_argument("--program", default=str(ROOT / ".build/release/retake"))
    options.add_argument("--folder", help="where rings are recorded; by default a temporary folder")
    given = options.parse_args()
    amount, unit = re.fullmatch(r"([0-9.]+)([A-Za-z]+)", given.ring).groups()
    given.byte_count = int(float(amount) * UNITS[unit])
    chance = random.Random(given.seed)
    start = time.monotonic()
    kills = written = largest = looks = mark_count = near_count = 0
    complaints = []
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        while kills < given.kills or written < given.fills * given.byte_count:
            path = pathlib.Path(folder) / f"{kills}.retake"
            watch, needed = record(given, path, chance)
            said, marks, near = judge(given, path, watch, needed)
            kills += 1
            written += watch.written
            largest = max(largest, watch.largest)
            looks += watch.looks
            mark_count += marks
            near_count += near
            print(
                f"kill {kills}: {watch.written / 1e6:.0f} MB recorded, at most {watch.largest / 1e6:.1f} MB at once, "
                f"{marks} marks, {near} frames near them{''.join(f'; {sentence}' for sentence in said)}", flush=True)
            complaints += [f"kill {kills}: {sentence}" for sentence in said]
            shutil.rmtree(path)
    print(
        f"{kills} kills, a ring of {given.ring} filled {written / given.byte_count:.1f} times, at most "
        f"{largest / given.byte_count:.1%} of it in {looks} looks; {mark_count} marks with {near_count} frames near them; "
        f"{time.monotonic() - start:.0f} s")
    for sentence in complaints:
        print(sentence, file=sys.stderr)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
