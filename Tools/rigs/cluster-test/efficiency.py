#!/usr/bin/env python3
"""efficiency.py FOLDER [--parts N] -- RECORDING... OPTIONS: how much of the CPU of a sweep in parts is work that one machine would do too.

Sweeps RECORDING... with OPTIONS on one thread, whole and in N parts one after the other, and prints, measured: the share of the
parts' CPU that the whole sweep needs, and what a part costs beyond it; and computed from that: the share where a part takes ten
minutes. A part's cost beyond its work is starting, reading and preparing frames, and stages that settings of other parts share;
it does not grow with the number of settings. Example, two minutes:

    efficiency.py /tmp/e -- a.retake --preset handheld --list matte.refine-outside=1,2,4 --scan mask.offset=0.1..0.5:0.05 --scores iou
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PART_SECONDS = 600


def seconds(words):
    """CPU time of a command, user and system."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = used()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return used() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--parts", type=int, default=16)
    own, sweep = sys.argv[1:], []
    if "--" in own:
        place = own.index("--")
        own, sweep = own[:place], own[place + 1:]
    options = parser.parse_args(own)
    if not sweep:
        sys.exit("efficiency.py: give the recordings and options of a sweep after --")
    options.folder.mkdir(parents=True, exist_ok=True)
    program = os.environ.get("RETAKE_PROGRAM", str(ROOT / ".build/release/retake"))

    def run(name, *words):
        path = options.folder / f"{name}.sqlite"
        path.unlink(missing_ok=True)
        return seconds([program, "sweep", *sweep, *words, "--threads", "1", "--quiet", "-o", path])

    whole = run("whole")
    parts = [run(f"part-{number}", "--shard", f"{number}/{options.parts}") for number in range(1, options.parts + 1)]
    beyond = (sum(parts) - whole) / options.parts
    print(f"measured: whole {whole:.2f} s, {options.parts} parts {sum(parts):.2f} s ({min(parts):.2f} to {max(parts):.2f}), "
          f"efficiency {whole / sum(parts):.3f}, a part costs {beyond:.2f} s beyond its work")
    print(f"computed: efficiency {(PART_SECONDS - beyond) / PART_SECONDS:.4f} where a part takes {PART_SECONDS} s")
    merged = options.folder / "merged.sqlite"
    merged.unlink(missing_ok=True)
    subprocess.run([program, "sweep", "merge", *(options.folder / f"part-{number}.sqlite" for number in range(1, options.parts + 1)),
                    "-o", merged], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "sweep", "compare", options.folder / "whole.sqlite", merged], check=True, stdout=subprocess.DEVNULL)


main()
