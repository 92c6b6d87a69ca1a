#!/usr/bin/env python3
"""Measures `retake list` and `retake find` over many small recordings.

    Tools/rigs/catalogue/run.py [--count 10000] [--program .build/release/retake]

Makes one recording of the simulated camera and as many folders with hard links to its files, in a temporary folder. The first
listing opens every recording; later ones take what the catalogue holds. Prints the best of five runs of each command in seconds.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=10_000)
    options.add_argument("--program", default=str(ROOT / ".build/release/retake"))
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CACHE_HOME=folder + "/cache")

        def run(*arguments):
            start = time.monotonic()
            done = subprocess.run(
                [given.program, *arguments], env=environment, capture_output=True, text=True, check=True)
            return time.monotonic() - start, done.stdout

        first = folder + "/first.retake"
        run("record", "--device", "simulated?pace=fast&size=64x48&frames=8", "-o", first, "--keep-free", "0", "--quiet")
        run("tag", first, "dark", "take=3", "--quiet")
        for number in range(given.count):
            copy = f"{folder}/all/{number // 1000:03}/{number:06}.retake"
            os.makedirs(copy + "/chunks")
            for name in os.listdir(first):
                if name != "chunks":
                    os.link(f"{first}/{name}", f"{copy}/{name}")
            for name in os.listdir(first + "/chunks"):
                os.link(f"{first}/chunks/{name}", f"{copy}/chunks/{name}")
        # Files that have just been written are not trusted.
        time.sleep(2.5)
        recordings = folder + "/all"
        seconds, text = run("list", recordings, "--quiet")
        assert text.count("\n") == given.count + 1, "the list lacks recordings"
        print(f"first listing of {given.count} recordings: {seconds:.2f} s")
        for name, arguments, lines in [
            ("list", ["list", recordings, "--quiet"], given.count + 1),
            ("list --json", ["list", recordings, "--json"], 1),
            ("find, all match", ["find", recordings, "tag:dark duration<10s"], given.count),
            ("find, none match", ["find", recordings, "mark:flicker drops>0"], 0),
        ]:
            best = None
            for _ in range(5):
                seconds, text = run(*arguments)
                assert text.count("\n") == lines, f"{name}: {text.count(chr(10))} lines"
                best = min(seconds, best or seconds)
            print(f"{name}: {best:.3f} s")


main()
