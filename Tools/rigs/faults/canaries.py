"""Wrong programs that the checks must detect; otherwise finding nothing proves nothing."""

import shutil
import sqlite3
import subprocess
import sys

import scenarios
from program import Fault, Program


class WrongProgram(Program):
    """Runs the real program, and then corrupts its result."""

    def run(self, folder, arguments, fault=None, **options):
        result = super().run(folder, arguments, fault, **options)
        if arguments[0] == "recover":
            self.spoil(folder / "a.retake", result)
        return result


class Forgetful(WrongProgram):
    """Loses a frame without an event."""

    word = "lost"

    def spoil(self, path, result):
        with sqlite3.connect(path / "index.sqlite") as database:
            database.execute("DELETE FROM frame WHERE stream = 2 AND number = 7")


class Confused(WrongProgram):
    """Pairs depth frames with the wrong colour frames."""

    word = "wrong frame"

    def spoil(self, path, result):
        with sqlite3.connect(path / "index.sqlite") as database:
            database.execute("UPDATE partner SET frame = frame + 3 WHERE stream = 1 AND frame < 9")


class Careless(WrongProgram):
    """Reports success after a failure."""

    word = "exit 0"

    def spoil(self, path, result):
        result.status, result.errors = 0, ""


def find_wrong_programs(session):
    """Ends the run if a wrong program is not detected."""
    for kind in (Forgetful, Confused, Careless):
        folder = session.work / "cases" / kind.__name__
        folder.mkdir(parents=True)
        case = scenarios.Case(kind(session.program, session.library), folder)
        # Nothing can be repaired if the folder of chunk files cannot be read.
        fault = Fault("opendir", "folder", 1, "EIO" if kind is Careless else "short")
        _, said = scenarios.run_fault(session.book, case, "recover-killed", fault)
        if not any(sentence.startswith(kind.word) for sentence in said):
            sys.exit(f"Tools/develop/faults: a wrong program, {kind.__name__}, was taken for a right one: {said}")
        shutil.rmtree(folder)
    print("canaries: three wrong programs are found, as they have to be", flush=True)


# Fixed defects, each with: edits (source file, present text, text with the defect), the cases that
# trigger it, and the prefixes of complaints of which at least one must appear.
DEFECTS = {
    "a read error is taken for damage": (
        [("Sources/Recording/ChunkFormat/MCAP/MCAPRecordReader.swift",
          "guard options.isLenient, error.code == .corrupt || error.code == .unsupported else {",
          "guard options.isLenient else {")],
        [f"{repair}/pread.{kind}/{number}/EIO"
         for repair, kind in (("recover-killed", "partial"), ("recover-behind", "partial"), ("recover-unindexed", "chunk"))
         for number in range(3, 63, 3)],
        ("lost", "exit 0 without", "exit 3")),
    "a repair has no event for what it could not read": (
        [("Sources/Recording/RecordingStore/Repair/IndexRebuilder.swift",
          "        _ = try copy(.event(loss))\n        batch.events.append(loss)\n", "        _ = loss\n"),
         ("Sources/Recording/RecordingStore/Repair/IndexRebuilder.swift", "    batch.events += events\n    return events\n",
          "    return events.filter { _ in false }\n")],
        [f"damage/{target}/{number}" for target in ("partial", "chunk") for number in range(40)],
        ("lost without an event",)),
    "verify believes the index": (
        [("Sources/Recording/RecordingStore/Repair/Verification.swift",
          "  private mutating func compareIndex() throws(RetakeError) {\n    guard isDerivable else { return }\n",
          "  private mutating func compareIndex() throws(RetakeError) {\n"
          "    guard isDerivable, report.frameCount < 0 else { return }\n")],
        [f"damage/rows/{number}" for number in range(60)],
        ("verify says whole",)),
}


def put_back(root, work, run_session):
    """Builds a copy of the sources with each defect in turn, and runs the cases that must find it.

    - run_session: called with a program and cases; returns all complaints.
    - Returns: an exit code.
    """
    copy = work / "copy"
    copy.mkdir()
    for name in ("Package.swift", "Package.resolved"):
        shutil.copy(root / name, copy)
    for name in ("Sources", "Tests", "Tools"):
        shutil.copytree(root / name, copy / name)
    status = 0
    for defect, (edits, cases, words) in DEFECTS.items():
        before = {name: (copy / name).read_text() for name, _, _ in edits}
        for name, right, wrong in edits:
            text = (copy / name).read_text()
            if text.count(right) != 1:
                sys.exit(f"Tools/develop/faults: the canary '{defect}' is not up to date: {name} has changed.")
            (copy / name).write_text(text.replace(right, wrong))
        print(f"building with this put back: {defect}", flush=True)
        build = ["swift", "build", "-c", "release", "--product", "retake", "--scratch-path", str(copy / ".build")]
        subprocess.run(build, cwd=copy, check=True, stdout=sys.stderr)
        said = run_session(copy / ".build" / "release" / "retake", cases)
        found = [sentence for sentence in said if sentence.startswith(words)]
        print(f"{'found, as expected' if found else 'NOT FOUND'}: {defect} ({len(found)} of {len(cases)} cases)", flush=True)
        status |= not found
        for name, text in before.items():
            (copy / name).write_text(text)
    return int(status)
