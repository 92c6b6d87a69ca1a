"""Boots the VM, which records, and checks the recordings. Prints one line per case.

Exit codes: 0 every case passed; 1 a case failed, or the VM is unavailable.
"""

import argparse
import concurrent.futures
import functools
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import catalog
import kernel
import machine
import pictures
from results import Failure, Results

PROJECT = pathlib.Path(__file__).resolve().parents[3]


def main():
    # Tools/test runs this in the background, where a shell ignores Ctrl-C, and ends it if another stage fails.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    options = parse()
    binary = options.binary.resolve()
    if not binary.is_file():
        sys.exit(f"Tools/develop/vm-test: there is no {binary}. Build it: swift build -c release --product retake")
    names = chosen(options.only)
    failed, got_nowhere = attempt(names, binary, options)
    if got_nowhere and not options.once:
        # Seen once: an emulated processor hangs during boot. This is not a failure of any case.
        say("the VM hung before its first case and is restarted")
        failed, _ = attempt(names, binary, options)
    if failed and not options.once:
        # The VM translates every instruction, so on a busy host it may be too slow for a camera's
        # frame rate. Only cases that also fail alone count as failed.
        say(f"retrying in a separate VM: {', '.join(failed)}")
        failed, _ = attempt(failed, binary, options)
    say(f"{len(names) - len(failed)} of {len(names)} cases passed")
    sys.exit(1 if failed else 0)


def attempt(names, binary, options):
    """Boots the VM for some cases and prints their results.

    Returns the names of failed cases, and whether the VM ended before the first case was recorded.
    """
    folder = pathlib.Path(tempfile.mkdtemp(prefix="retake-vm-"))
    try:
        (folder / "cases").mkdir()
        pictures.write_all(folder / "pictures")
        start = time.monotonic()
        say(f"boots Debian's kernel under QEMU for {len(names)} cases")
        debian = kernel.Kernel.current()
        # Debian's Python: loading the project's environment in the VM takes longer than a case.
        command = ["/usr/bin/python3", "-B", PROJECT / "Tools/rigs/vm-test/guest.py"]
        command += ["--retake", binary, "--udev", debian.udev_package, *names]
        is_whole = machine.run(debian, folder, command, options.time_limit, say)
        say(f"the VM ran for {time.monotonic() - start:.0f} s")
        got_nowhere = not is_whole and not any((folder / "cases").iterdir())
        failed = judge_all(names, folder, binary)
    except (kernel.Unavailable, KeyboardInterrupt) as error:
        shutil.rmtree(folder)
        sys.exit(f"Tools/develop/vm-test: {error or 'interrupted'}")
    if not is_whole:
        say(f"the VM hung, or did not finish within {options.time_limit} s; last lines of its console:")
        log = (folder / "console.log").read_text(errors="replace")
        print("\n".join(log.splitlines()[-20:]), file=sys.stderr)
    if failed or not is_whole or options.keep:
        say(f"recordings, logs and the VM's console are in {folder}")
    else:
        shutil.rmtree(folder)
    # If the VM was killed and no case failed, all cases count as failed.
    return (failed if is_whole or failed else names), got_nowhere


def parse():
    parser = argparse.ArgumentParser(
        prog="Tools/develop/vm-test", description="Runs the recorder with real drivers in a VM, and checks what it recorded."
    )
    default = PROJECT / ".build/release/retake"
    parser.add_argument("binary", nargs="?", type=pathlib.Path, default=default, help="(.build/release/retake)")
    parser.add_argument("--only", action="append", metavar="CASE", help="one case; may be repeated")
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument("--keep", action="store_true", help="keep the recordings, which are kept on failure anyway")
    parser.add_argument("--once", action="store_true", help="do not retry failed cases")
    parser.add_argument(
        "--time-limit", type=int, default=600, metavar="SECONDS", help="time limit for the VM (default %(default)s)"
    )
    options = parser.parse_args()
    if options.list:
        for name in catalog.names():
            print(f"{name:20} {catalog.load(name).__doc__.splitlines()[0]}")
        sys.exit(0)
    return options


def chosen(only):
    names = catalog.names()
    unknown = sorted(set(only or []) - set(names))
    if unknown:
        sys.exit(f"Tools/develop/vm-test: there is no case {', '.join(unknown)}; there is {', '.join(names)}.")
    return [name for name in names if name in only] if only else names


def judge_all(names, folder, binary):
    """Checks the cases and prints their results in order. Returns the names of failed ones."""
    failed = []
    with concurrent.futures.ProcessPoolExecutor() as workers:
        for name, (passed, words) in zip(names, workers.map(functools.partial(judge, folder, binary), names)):
            print(f"{'passed' if passed else 'FAILED'}  {name:20} {words}", flush=True)
            if not passed:
                failed.append(name)
    return failed


def judge(folder, binary, name):
    """Returns whether a case passed, and a description of its result."""
    case = folder / "cases" / name
    if (case / "failure.txt").exists():
        return False, (case / "failure.txt").read_text().splitlines()[0]
    if not (case / "facts.json").exists():
        return False, "the VM did not reach this case"
    try:
        return True, catalog.load(name).check(Results(case, binary))
    except Failure as failure:
        return False, str(failure)
    except Exception as error:
        return False, f"the check itself failed: {type(error).__name__}: {error}"


def say(words):
    print(f"vm-test: {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
