"""Runs the program under test, undisturbed or with one fault."""

import os
import pathlib
import signal
import struct
import subprocess
from dataclasses import dataclass

CALLS = (
    "open opendir read pread write pwrite fsync rename mmap truncate unlink mkdir fallocate close stat access lock readdir "
    "space descriptors disk"
).split()
KINDS = "chunk partial index wal shm journal folder other any".split()
_COUNTS = struct.Struct(f"<{len(CALLS) * len(KINDS)}I")
_TEXT_LENGTH = 252


@dataclass(frozen=True)
class Fault:
    """Makes the `number`-th `call` on files of a kind fail, or kills the program there."""

    call: str
    kind: str
    number: int
    effect: str

    def __str__(self):
        return f"{self.call}.{self.kind}/{self.number}/{self.effect}"

    @staticmethod
    def parse(text):
        place, number, effect = text.split("/")
        return Fault(*place.split("."), int(number), effect)

    @property
    def kills(self):
        return self.effect in ("kill", "killed", "torn")

    @property
    def is_sqlites(self):
        return self.kind in ("index", "wal", "shm", "journal")

    @property
    def is_reading(self):
        return self.call in ("open", "opendir", "read", "pread", "mmap", "stat", "access", "readdir", "descriptors", "disk")

    @property
    def is_harmless(self):
        """Whether the program must continue normally: one call was short or interrupted.

        SQLite makes its own calls, and fails if a flush or a lock is interrupted.
        """
        return self.effect == "short" or self.effect == "EINTR" and not self.is_sqlites


@dataclass
class Result:
    arguments: list
    # Exit code; minus the signal number if killed; None after a timeout.
    status: int | None
    output: str
    errors: str
    # The first call that the fault hit, empty if none, and the number of hits.
    hit: str = ""
    hit_count: int = 0
    counts: dict | None = None

    def __str__(self):
        said = " ".join(self.errors.split())[:300]
        return f"'{' '.join(map(str, self.arguments))}' ended with {self.status}: {said}"


class Program:
    def __init__(self, path, library, timeout=30):
        self.path, self.library, self.timeout = str(path), str(library), timeout

    def run(self, folder, arguments, fault=None, counts=False, settles=False, output=subprocess.PIPE):
        """Runs `retake`; faults affect only files below the folder."""
        folder = pathlib.Path(folder)
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        environment = dict(os.environ, TMPDIR=str(temporary), SWIFT_BACKTRACE="enable=no", LC_ALL="C.UTF-8")
        table = folder.parent / f"{folder.name}.table"
        if fault or counts:
            table.write_bytes(bytes(_COUNTS.size + 4 + _TEXT_LENGTH))
            environment |= {"LD_PRELOAD": self.library, "FAULTS_ROOT": str(folder), "FAULTS_TABLE": str(table)}
        if fault:
            environment["FAULTS_AT"] = f"{fault.call} {fault.kind} {fault.number} {fault.effect}"
        if settles:
            environment["FAULTS_SETTLE"] = "1"
        process = subprocess.Popen(
            [self.path, *map(str, arguments)], env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.PIPE, start_new_session=True)
        try:
            said, errors = process.communicate(timeout=self.timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, errors = process.communicate()
            status = None
        result = Result(
            [str(part).replace(f"{folder}/", "") for part in arguments], status,
            (said or b"").decode(errors="replace").replace(str(folder), ""),
            errors.decode(errors="replace").replace(str(folder), ""))
        if fault or counts:
            data = table.read_bytes()
            table.unlink()
            numbers = _COUNTS.unpack_from(data)
            result.counts = {
                (call, kind): numbers[row * len(KINDS) + column]
                for row, call in enumerate(CALLS)
                for column, kind in enumerate(KINDS)
                if numbers[row * len(KINDS) + column]
            }
            (result.hit_count,) = struct.unpack_from("<I", data, _COUNTS.size)
            result.hit = data[_COUNTS.size + 4 :].split(b"\0")[0].decode(errors="replace").replace(str(folder), "")
        return result
