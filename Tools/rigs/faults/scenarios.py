"""The fault and damage scenarios, and the checks after each."""

import hashlib
import pathlib
import shutil
import sqlite3

import damaging
import recordings
from judging import (
    DONE, DONE_WITH_LOSS, FAILED, Reference, brief, ended_badly, judge_recording, left_over, replayed, unaccounted,
    wrong_frames, wrong_pictures)
from program import Fault

# Gives three small chunk files of at most two seconds.
SIZE = "size=96x72&fps=10&frames=50&pace=fast"
RECORDERS = {
    # (device options, command options)
    "record": (f"{SIZE}&seed=7", []),
    "record-split": (f"{SIZE}&seed=8", ["--split", "2s"]),
    "record-lossy": (f"{SIZE}&seed=9&format=YUYV&alpha=0&drop=0.1&damage=0.1&duplicate=0.1", ["--faces", "none"]),
    "record-faces": ("size=160x120&fps=10&frames=25&pace=fast&seed=5&alpha=0", ["--faces", "lbp"]),
}
# Commands on a recording, each with the name of its output. REC, BUNDLE and OUT stand for paths.
COMMANDS = {
    "info": (["info", "REC", "--json"], None),
    "verify": (["verify", "REC", "--json"], None),
    "replay": (["replay", "REC", "--quiet", "--threads", "1", "--output", "digests:OUT"], "out.jsonl"),
    "replay-png": (["replay", "REC", "--quiet", "--every", "5", "--tap", "matte", "--output", "png:OUT"], "out"),
    "replay-sheet": (["replay", "REC", "--quiet", "--output", "sheet:OUT"], "out.png"),
    "trim": (["trim", "REC", "--from", "12", "--to", "34", "--output", "OUT"], "out.retake"),
    "join": (["join", "REC", "REC", "--gap", "1s", "--output", "OUT"], "out.retake"),
    "pack": (["pack", "REC", "--threads", "1", "--output", "OUT"], "out.retake"),
    "bundle": (["bundle", "REC", "--from", "15", "--to", "25", "--threads", "1", "--output", "OUT"], "out.retake-bundle"),
    "bundle-private": (
        ["bundle", "REC", "--from", "15", "--to", "25", "--drop-color", "--drop-serials", "--output", "OUT"],
        "out.retake-bundle"),
    "reproduce": (["reproduce", "BUNDLE", "--json"], None),
    "sweep": (["sweep", "REC", "--list", "matte.blur=1,3", "--every", "10", "--quiet", "--output", "OUT"], "out.sqlite"),
    "export-png": (["export", "png", "REC", "--from", "10", "--to", "14", "--output", "OUT"], "out"),
    "export-mcap": (["export", "mcap", "REC", "--output", "OUT"], "out.mcap"),
    "export-tum": (["export", "tum", "REC", "--from", "10", "--to", "14", "--output", "OUT"], "out"),
    "mark": (["mark", "REC", "--at", "2s", "--label", "here"], None),
    "faces": (["faces", "REC", "--detector", "lbp", "--replace"], None),
}
# Commands that change the recording itself.
IN_PLACE = ("mark", "faces")
# Commands that leave partial output: a folder of files so far, or sweep results to continue from.
KEEPS_PARTS = ("replay-png", "export-png", "export-tum", "sweep")
# Commands that repair a recording of a killed recorder, or one without its index.
REPAIRS = {
    name: arguments
    for opener, arguments in {
        "recover": ["recover", "REC"],
        "info": ["info", "REC", "--json"],
        "replay": ["replay", "REC", "--quiet", "--threads", "1", "--output", "digests:OUT"],
    }.items()
    for name in (f"{opener}-killed", f"{opener}-torn", f"{opener}-behind", f"{opener}-unindexed")
}
# Recorders killed between two writes, within one, and before a finished chunk file entered the
# index; and a recording without an index.
KILLED = ("killed", "torn", "behind", "unindexed")
# How often each scenario is chosen.
WEIGHTS = (
    {"record": 8, "record-split": 4, "record-lossy": 3, "record-faces": 1} | {name: 3 for name in REPAIRS}
    | {name: 2 for name in COMMANDS} | {"verify": 1, "faces": 1, "replay-sheet": 1, "bundle-private": 1})

ERRORS = {
    "open": ["EIO", "EMFILE", "ENOSPC", "EACCES", "EINTR", "kill"],
    "opendir": ["EIO", "EMFILE", "kill"],
    "read": ["EIO", "EINTR", "short", "kill"],
    "pread": ["EIO", "EINTR", "short", "kill"],
    "write": ["EIO", "ENOSPC", "EINTR", "short", "torn", "kill", "killed"],
    "pwrite": ["EIO", "ENOSPC", "EINTR", "short", "torn", "kill", "killed"],
    "fsync": ["EIO", "ENOSPC", "EINTR", "kill", "killed"],
    "rename": ["EIO", "ENOSPC", "EINTR", "kill", "killed"],
    "mmap": ["ENOMEM", "EACCES", "kill"],
    "truncate": ["EIO", "EINTR", "kill", "killed"],
    "unlink": ["EIO", "kill", "killed"],
    "mkdir": ["EIO", "ENOSPC", "EINTR", "kill", "killed"],
    "fallocate": ["EIO", "ENOSPC", "EINTR", "EOPNOTSUPP", "kill"],
    "close": ["EIO", "EINTR"],
    "stat": ["EIO"],
    "access": ["EIO"],
    "lock": ["EINTR", "ENOLCK", "EIO", "kill"],
    "readdir": ["EIO"],
    "space": ["ENOSPC+"],
    "descriptors": ["EMFILE+", "EMFILE"],
    "disk": ["EIO+", "kill"],
}


class Case:
    """A test case: the program, and a folder to run it in."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, *arguments, fault=None, **options):
        return self.program.run(self.folder, arguments, fault, **options)


def tree(path):
    """Returns the digest of every file in a folder, by path."""
    path = pathlib.Path(path)
    if path.is_file():
        return {path.name: hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()}
    return {
        str(file.relative_to(path)): hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()
        for file in sorted(path.rglob("*")) if file.is_file()
    }


def signature(path):
    """Returns the content of a command's output, without parts that differ between runs."""
    path = pathlib.Path(path)
    if path.suffix == ".retake":
        found = recordings.index(path)
        logs = ("-wal", "-shm")
        return found.text, [(key, found.frames[key].digest) for key in sorted(found.frames)], [
            name for name in left_over(path) if not name.endswith(logs)]
    if path.suffix == ".sqlite":
        return _results(path)
    return tree(path)


def _results(path):
    with sqlite3.connect(path) as database:
        tables = ("run", "setting_parameter", "summary", "frame_score", "absence")
        return {table: sorted(map(repr, database.execute(f"SELECT * FROM {table}"))) for table in tables}


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


class Book:
    """Results of undisturbed runs: fixtures, their contents, and call counts by scenario."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.counts = {}
        self.references = {}
        self.signatures = {}
        self.outputs = {}
        self.sources = {}
        self.listings = {}
        # By killed recording: frames on the disk, and the index after an undisturbed repair.
        self.on_disk = {}
        self.repaired = {}
        self.layouts = {}

    def path(self, name):
        return self.folder / "fixtures" / name

    def fill(self, program):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "fixtures").mkdir(parents=True)
        for name in RECORDERS:
            self._record(program, name)
        self._kill(program)
        self._run_commands(program)
        return self

    def _folder(self, name):
        folder = self.folder / "fill" / name
        folder.mkdir(parents=True)
        return folder

    def _done(self, result):
        if result.status != DONE:
            raise SystemExit(f"Tools/develop/faults: an undisturbed run failed: {result}")
        return result

    def _record(self, program, name):
        case = Case(program, self._folder(name))
        path = case.folder / "a.retake"
        result = self._done(case.run(*record_arguments(name, path), counts=True)) if name != "record-lossy" else (
            case.run(*record_arguments(name, path), counts=True))
        self.counts[name] = result.counts
        parts = sorted(case.folder.glob("*.retake"))
        self.references[name] = {part.name: self._reference(case, part) for part in parts}
        if name == "record-split":
            whole = list(self.references[name].values())
            self.references[name] = {
                part.name: whole[place].followed_by(whole[place + 1 :]) for place, part in enumerate(parts)
            }
        self.outputs[name] = result.status
        if name == "record":
            shutil.copytree(path, self.path("whole.retake"))
            self.layouts = {
                file.name: recordings.layout(file.read_bytes()) for file in sorted((path / "chunks").iterdir())
            }

    def _reference(self, case, path):
        digests = case.folder / "reference.jsonl"
        digests.unlink(missing_ok=True)
        self._done(case.run("replay", path, "--quiet", "--threads", "1", "--output", f"digests:{digests}"))
        found = recordings.index(path)
        shown, depth = {}, {}
        partners = {master: number for master, stream, number in found.pairs if stream == "depth"}
        for number, (of_color, of_depth) in replayed(digests).items():
            master = found.sets[number]
            shown[master] = (of_color, of_depth)
            if master in partners:
                depth[partners[master]] = of_depth
        return Reference(found, shown, depth)

    @property
    def whole(self):
        return self.references["record"]["a.retake"]

    def _kill(self, program):
        writes = self.counts["record"]["write", "partial"]
        faults = {
            "killed": Fault("write", "partial", writes * 19 // 20, "kill"),
            "torn": Fault("write", "partial", writes * 3 // 5, "torn"),
            "behind": Fault("rename", "partial", 2, "killed"),
        }
        for name, fault in faults.items():
            case = Case(program, self._folder(name))
            path = case.folder / "a.retake"
            result = case.run(*record_arguments("record", path), fault=fault, settles=True)
            if result.status != -9:
                raise SystemExit(f"Tools/develop/faults: a recorder did not die: {result}")
            shutil.copytree(path, self.path(f"{name}.retake"))
        shutil.copytree(self.path("whole.retake"), self.path("unindexed.retake"))
        (self.path("unindexed.retake") / "index.sqlite").unlink()
        for name in KILLED:
            self.on_disk[name] = recordings.frames_on_disk(self.path(f"{name}.retake"))

    def _run_commands(self, program):
        for name in KILLED:
            case = Case(program, self._folder(f"repaired-{name}"))
            shutil.copytree(self.path(f"{name}.retake"), case.folder / "a.retake")
            result = case.run("recover", case.folder / "a.retake")
            if result.status not in (DONE, DONE_WITH_LOSS):
                raise SystemExit(f"Tools/develop/faults: an undisturbed repair failed: {result}")
            self.repaired[name] = recordings.index(case.folder / "a.retake")
        for name, arguments in REPAIRS.items():
            self._command(program, name, arguments, "out.jsonl", f"{name.split('-')[-1]}.retake")
        for name, (arguments, made) in COMMANDS.items():
            self._command(program, name, arguments, made, "whole.retake")
            if name == "bundle":
                shutil.copy(self.folder / "fill" / name / made, self.path("b.retake-bundle"))

    def _command(self, program, name, arguments, made, source):
        case = Case(program, self._folder(name))
        arguments = prepare(self, case, arguments, made, source)
        result = case.run(*arguments, counts=True)
        if name not in REPAIRS:
            self._done(result)
        self.counts[name] = result.counts
        self.outputs[name] = (result.status, result.output)
        self.sources[name] = tree(case.folder / "a.retake")
        self.listings[name] = sorted(file.name for file in case.folder.iterdir())
        if made and (case.folder / made).exists():
            self.signatures[name] = signature(case.folder / made)


def record_arguments(name, path):
    device, options = RECORDERS[name]
    return ["record", "--device", f"simulated?{device}", "--keep-free", "0", "--quiet", *options, "--output", path]


def prepare(book, case, arguments, made, source):
    """Copies what a command needs into the case's folder."""
    shutil.copytree(book.path(source), case.folder / "a.retake")
    places = {"REC": str(case.folder / "a.retake"), "OUT": str(case.folder / (made or "out"))}
    if "BUNDLE" in arguments:
        shutil.copy(book.path("b.retake-bundle"), case.folder)
        places["BUNDLE"] = str(case.folder / "b.retake-bundle")
    words = []
    for word in arguments:
        for name, place in places.items():
            word = word.replace(name, place)
        words.append(word)
    return words


# MARK: Faults


def run_fault(book, case, scenario, fault):
    """- Returns: (whether the fault happened, complaints)."""
    if scenario in RECORDERS:
        return judge_recorder(book, case, scenario, fault)
    if scenario in REPAIRS:
        return judge_repair(book, case, scenario, fault)
    return judge_command(book, case, scenario, fault)


def judge_recorder(book, case, scenario, fault):
    path = case.folder / "a.retake"
    result = case.run(*record_arguments(scenario, path), fault=fault)
    if not result.hit_count:
        return False, []
    said = ended_badly(result, fault)
    references = book.references[scenario]
    usual = book.outputs[scenario]
    parts = sorted(case.folder.glob("*.retake"))
    if result.status == usual == DONE:
        if [part.name for part in parts] != sorted(references):
            said.append(f"exit 0 with the parts {[part.name for part in parts]}")
        for part in parts:
            if recordings.index(part).text != references[part.name].index.text:
                said.append(f"exit 0, and the index of {part.name} is another")
    if fault.is_harmless and result.status != usual:
        said.append(f"ended by a call that is to be repeated: {result}")
    for part in parts:
        if part.name not in references:
            said.append(f"{part.name} was made, which an undisturbed recorder does not")
            continue
        said += judge_remains(case, part, references[part.name], fault, result)
    if not parts and result.status in (FAILED, -9):
        # Nothing was left, so the same command must now succeed.
        again = case.run(*record_arguments(scenario, path))
        if again.status != usual:
            said.append(f"cannot be recorded again: {again}")
    return True, said


def is_known(found, expected):
    return expected is not None and found.is_same(expected)


def judge_remains(case, part, reference, fault, result):
    """Opens what a failed or killed recorder left, by one of several commands, and checks it."""
    on_disk = recordings.frames_on_disk(part)
    wrong = [key for key, found in on_disk.items() if not is_known(found, reference.index.frames.get(key))]
    said = [f"wrong frame on the disk: {brief(wrong)}"] if wrong else []
    opener = ("recover", "info", "replay")[fault.number % 3]
    if opener == "recover":
        opened = case.run("recover", part)
    elif opener == "info":
        opened = case.run("info", part, "--json")
    else:
        opened = case.run("replay", part, "--quiet", "--output", "none")
    said += ended_badly(opened)
    if not on_disk:
        return said
    # A replay may fail if there are no frame sets yet.
    if opened.status == FAILED and not (opener == "replay" and len(on_disk) < 3):
        said.append(f"unreachable: {opened}")
        opened = case.run("recover", part)
        said += ended_badly(opened, statuses=(DONE, DONE_WITH_LOSS))
        if opened.status not in (DONE, DONE_WITH_LOSS):
            return said
    said += judge_recording(case, part, reference, needed=on_disk)
    return said


def judge_repair(book, case, scenario, fault):
    source = scenario.split("-")[-1]
    arguments = prepare(book, case, REPAIRS[scenario], "out.jsonl", f"{source}.retake")
    path = case.folder / "a.retake"
    usual, _ = book.outputs[scenario]
    before = recordings.frames_on_disk(path)
    result = case.run(*arguments, fault=fault)
    if not result.hit_count:
        return False, []
    said = ended_badly(result, fault)
    if fault.is_harmless and result.status != usual:
        said.append(f"ended by a call that is to be repeated: {result}")
    # A recording that cannot be repaired is shown as it is, with a message.
    is_told = "not closed" in result.errors
    if result.status == DONE and not is_told:
        if result.output != book.outputs[scenario][1]:
            said.append(f"exit 0, and it says something else: {result} {result.output[:200]}")
        try:
            found = recordings.index(path)
            if set(found.frames) != set(book.repaired[source].frames):
                said.append(
                    f"exit 0 without {brief(set(book.repaired[source].frames) - set(found.frames))}: {result}")
        except Exception as error:  # noqa: BLE001
            # Replay and info may show a recording that they must not repair, but then say so.
            said.append(f"exit 0 without an index: {error}")
    # A failed read does not mean damage: the repair must stop, to be repeated later.
    if result.status == DONE_WITH_LOSS and usual == DONE:
        said.append(f"exit 3 for a recording that is whole: {result}")
    gone = set(before) - set(recordings.frames_on_disk(path))
    if gone and fault.effect != "kill":
        kept = {key for file in (path / "chunks").iterdir() for key in recordings.frames_of(file.read_bytes())}
        if gone - kept:
            said.append(f"lost in the repair: {brief(gone - kept)}")
    # A later repair without faults must have the usual result.
    again = case.run("recover", path)
    said += ended_badly(again, statuses=(DONE, DONE_WITH_LOSS))
    if again.status not in (DONE, DONE_WITH_LOSS):
        return True, [*said, f"unreachable afterwards: {again}"]
    expected = book.repaired[source]
    try:
        found = recordings.index(path)
    except Exception as error:  # noqa: BLE001
        return True, [*said, f"unreachable afterwards: the index cannot be read: {error}"]
    if set(found.frames) != set(expected.frames):
        said.append(f"lost for a later repair: {brief(set(expected.frames) ^ set(found.frames))}; {again}")
    elif found.text != expected.text:
        said.append("the index of a later repair is another")
    said += judge_recording(case, path, book.whole, needed=expected.frames)
    return True, said


def judge_command(book, case, scenario, fault):
    template, made = COMMANDS[scenario]
    arguments = prepare(book, case, template, made, "whole.retake")
    path, out = case.folder / "a.retake", case.folder / (made or "out")
    before = tree(path)
    result = case.run(*arguments, fault=fault)
    if not result.hit_count:
        return False, []
    said = ended_badly(result, fault)
    is_in_place = scenario in IN_PLACE
    if fault.is_harmless and result.status != DONE:
        said.append(f"ended by a call that is to be repeated: {result}")
    said += judge_outcome(book, scenario, fault, result, out)
    if not is_in_place and tree(path) != before:
        said.append(f"the recording has changed: {sorted(set(tree(path).items()) ^ set(before.items()))[:3]}")
    if result.status == FAILED:
        # On a disk that always fails, partial output cannot be removed; the error then names it.
        is_named = fault.effect.endswith("+") and "could not be removed" in result.errors
        if made and tree(out) and scenario not in KEEPS_PARTS and not is_named:
            said.append(f"leaves a part of {made}: {result}")
        if any((case.folder / "tmp").iterdir()) and not fault.effect.endswith("+"):
            said.append("leaves temporary files")
    if is_in_place:
        return True, said + judge_in_place(book, case, scenario, arguments, result)
    # Without faults, the same command must succeed once partial output of a kill is removed.
    if made and scenario != "sweep" and out.exists():
        remove(out)
    again = case.run(*arguments)
    if again.status != DONE:
        said.append(f"cannot be repeated: {again}")
    elif made and signature(out) != book.signatures[scenario]:
        said.append(f"repeated, it made something else: {again}")
    elif again.output != book.outputs[scenario][1]:
        said.append(f"repeated, it says something else: {again.output[:200]}")
    # SQLite may leave a log that it could not remove; that is harmless.
    left = {file.name for file in case.folder.iterdir()} - set(book.listings[scenario])
    left = sorted(name for name in left if not name.endswith(("-wal", "-shm")))
    if left:
        said.append(f"leaves {left} for good")
    return True, said


def judge_outcome(book, scenario, fault, result, out):
    """Checks the output of a command that ended with exit 0 or 3 despite the fault."""
    said = []
    if result.status == DONE:
        if scenario in book.signatures and not out.exists():
            said.append(f"exit 0, and {out.name} is missing")
        elif scenario in book.signatures and signature(out) != book.signatures[scenario]:
            said.append(f"exit 0, and {out.name} is another")
        if result.output != book.outputs[scenario][1]:
            said.append(f"exit 0, and it says something else: {result.output[:200]}")
    if result.status == DONE_WITH_LOSS:
        if not fault.is_reading:
            said.append(f"data lost by a fault that is none of reading: {result}")
        if scenario == "trim" and out.exists():
            found = recordings.index(out)
            source = {(stream, frame.sequence): frame.content for (stream, _), frame in book.whole.index.frames.items()}
            for (stream, number), frame in found.frames.items():
                if source.get((stream, frame.sequence)) != frame.content:
                    said.append(f"wrong frame: {stream} {number} of the copy")
                    break
            said += unaccounted(found)
            whole = {key for key, _ in book.signatures["trim"][1]}
            if whole - set(found.frames) - found.lost_numbers():
                said.append(f"lost without an event: {brief(whole - set(found.frames) - found.lost_numbers())}")
    return said


def judge_in_place(book, case, scenario, arguments, result):
    path = case.folder / "a.retake"
    said = []
    # Any command that opens the recording repairs what a kill left.
    opened = case.run("info", path, "--json")
    said += ended_badly(opened, statuses=(DONE,))
    index = recordings.index(path)
    if scenario == "mark":
        if result.status == DONE and index.marks != ["here"] or index.marks not in ([], ["here"]):
            said.append(f"the marks are {index.marks}")
        if not index.marks:
            said += ended_badly(case.run(*arguments), statuses=(DONE,))
    if scenario == "faces":
        said += ended_badly(case.run(*arguments), statuses=(DONE,))
    said += judge_recording(case, path, book.whole, needed=book.whole.index.frames)
    found = recordings.index(path)
    if scenario == "mark" and found.marks != ["here"]:
        said.append(f"the marks are {found.marks}")
    return said


# MARK: Damage


def run_damage(book, case, target, seed):
    source, change = damaging.plan(book, target, seed)
    path = case.folder / "a.retake"
    shutil.copytree(book.path(source), path)
    damage = change(path)
    if damage is None:
        return False, [], ""
    judge = judge_index_damage if target in damaging.INDEX_TARGETS else judge_chunk_damage
    return True, judge(book, case, path, damage, source), damage.what


def judge_chunk_damage(book, case, path, damage, source):
    """Checks a recording with a damaged chunk file or partial file."""
    is_finished = source == "whole.retake"
    expected = book.whole.index.frames if is_finished else book.on_disk[source.split(".")[0]]
    said = []
    if is_finished:
        verified = case.run("verify", path)
        said += ended_badly(verified, statuses=(DONE, FAILED))
        if verified.status == DONE:
            said.append("verify says whole")
        said += judge_damaged_replay(book, case, path)
    opener = damage.seed % 3
    if not is_finished and opener:
        opened = case.run("info", path) if opener == 1 else case.run("replay", path, "--quiet", "--output", "none")
        said += ended_badly(opened)
    repaired = case.run("recover", path)
    said += ended_badly(repaired)
    needed = set(expected) - damage.may_be_lost
    if repaired.status == FAILED:
        return [*said, f"unreachable: {repaired}"] if needed else said
    try:
        index = recordings.index(path)
    except Exception as error:  # noqa: BLE001
        return [*said, f"unreachable: the index cannot be read: {error}"]
    missing = set(expected) - set(index.frames)
    if repaired.status == DONE and missing and not damage.is_cut and (is_finished or opener == 0):
        said.append(f"exit 0 without {brief(missing)}")
    # The index lists every frame of finished files, but not those after the end of a partial one.
    said += judge_recording(
        case, path, book.whole, needed=needed, accounted=expected if is_finished else (), has_to_be_whole=False)
    return said


def judge_damaged_replay(book, case, path):
    """Checks that replay of an unrepaired recording shows correct frames or none."""
    digests = case.folder / "damaged.jsonl"
    digests.unlink(missing_ok=True)
    replay = case.run("replay", path, "--quiet", "--threads", "1", "--output", f"digests:{digests}")
    said = ended_badly(replay)
    if digests.exists() and replay.status in (DONE, DONE_WITH_LOSS):
        sets = replayed(digests)
        said += wrong_pictures(sets, book.whole.index, book.whole)
        if replay.status == DONE and len(sets) < len(book.whole.index.sets):
            said.append(f"replay showed {len(sets)} frame sets and said nothing")
    digests.unlink(missing_ok=True)
    return said


def judge_index_damage(book, case, path, damage, source):
    """Checks a recording with a damaged index and whole chunk files."""
    said = []
    name = source.split(".")[0]
    usual = book.whole.index if name == "whole" else book.repaired[name]
    if name == "whole":
        changes_nothing = damage.is_same(path)
        verified = case.run("verify", path)
        said += ended_badly(verified, statuses=(DONE, FAILED))
        if verified.status == DONE and not changes_nothing:
            said.append("verify says whole")
    for command in (("info", path), ("mark", path, "--list")):
        said += ended_badly(case.run(*command))
    digests = case.folder / "damaged.jsonl"
    digests.unlink(missing_ok=True)
    replay = case.run("replay", path, "--quiet", "--threads", "1", "--output", f"digests:{digests}")
    said += ended_badly(replay)
    if digests.exists() and replay.status in (DONE, DONE_WITH_LOSS):
        right = set(book.whole.shown.values())
        colors = {color for color, _ in right}
        depths = set(book.whole.depth.values()) | {None}
        # A set whose partner row is lost shows an earlier depth frame.
        wrong = [
            (color, depth)
            for color, depth in replayed(digests).values()
            if (color, depth) not in right and not (damage.drops_rows and color in colors and depth in depths)
        ]
        if wrong:
            said.append(f"wrong frame: replay shows {len(wrong)} pairs that were never recorded")
    repaired = case.run("recover", path)
    said += ended_badly(repaired, statuses=(DONE, DONE_WITH_LOSS))
    if repaired.status not in (DONE, DONE_WITH_LOSS):
        return [*said, f"unreachable: {repaired}"]
    found = recordings.index(path)
    if found.text != usual.text:
        said.append(f"recover made another index: {repaired}")
    said += wrong_frames(found, book.whole.index)
    verified = case.run("verify", path)
    said += ended_badly(verified, statuses=(DONE,))
    return said


# MARK: Full outputs

FULL_OUTPUTS = {
    "info": ["info", "REC"], "info-json": ["info", "REC", "--json"], "verify-json": ["verify", "REC", "--json"], "recover-json": ["recover", "REC", "--json"],
    "parameters": ["parameters"], "parameters-yaml": ["parameters", "--yaml"], "devices": ["devices"],
    "mark-list": ["mark", "REC", "--list", "--json"], "reproduce-json": ["reproduce", "BUNDLE", "--json"],
    "replay-json": ["replay", "REC", "--quiet", "--json", "--output", "none"],
    "replay-y4m": ["replay", "REC", "--quiet", "--output", "y4m:-"],
    "trim-json": ["trim", "REC", "--to", "5", "--output", "OUT", "--json"],
    "help": ["--help"], "version": ["--version"],
}


def run_full_output(book, case, name):
    arguments = prepare(book, case, FULL_OUTPUTS[name], "out.retake", "whole.retake")
    with open("/dev/full", "wb") as full:
        result = case.run(*arguments, output=full)
    said = ended_badly(result)
    if result.status == DONE:
        said.append(f"exit 0, and nothing was said: {result}")
    return True, said
