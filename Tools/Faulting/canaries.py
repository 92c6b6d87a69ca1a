"""Wrong programs that have to be found: what finds nothing there has not shown that there is nothing elsewhere."""

import shutil
import sqlite3
import sys

import scenarios
from program import Fault, Program


class WrongProgram(Program):
    """Runs the right program, and then spoils what it did."""

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
    """Shows depth with another picture than the one that it was taken with."""

    word = "wrong frame"

    def spoil(self, path, result):
        with sqlite3.connect(path / "index.sqlite") as database:
            database.execute("UPDATE partner SET frame = frame + 3 WHERE stream = 1 AND frame < 9")


class Careless(WrongProgram):
    """Says that it is done when it is not."""

    word = "exit 0"

    def spoil(self, path, result):
        result.status, result.errors = 0, ""


def find_wrong_programs(session):
    """Ends the run when a wrong program is taken for a right one."""
    for kind in (Forgetful, Confused, Careless):
        folder = session.work / "cases" / kind.__name__
        folder.mkdir(parents=True)
        case = scenarios.Case(kind(session.program, session.library), folder)
        # Without its folder of chunk files nothing can be repaired.
        fault = Fault("opendir", "folder", 1, "EIO" if kind is Careless else "short")
        _, said = scenarios.run_fault(session.book, case, "recover-killed", fault)
        if not any(sentence.startswith(kind.word) for sentence in said):
            sys.exit(f"Tools/faults: a wrong program, {kind.__name__}, was taken for a right one: {said}")
        shutil.rmtree(folder)
    print("canaries: three wrong programs are found, as they have to be", flush=True)


def put_back(root, work, library, arguments, seed):
    return 1
