#!/usr/bin/env python3
"""run.py FOLDER [--seeds N] [--shares 1,2,3,5,10] [--scores iou,mse] [--no-rivals | --cpu]: how often a search by budget ends
within 1 % of a grid's best.

Records six simulated scenes into FOLDER, sweeps a grid of 1,000 settings of five parameters on each in full (about ten
seconds a grid), and runs the search and its rivals on these tables. What FOLDER has already is kept. Rivals need a
Python environment in FOLDER/python, which is made with optuna and scipy from PyPI; they take half an hour for 20 seeds.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCENES = {
    "hard": "scene=hard&seed=3",
    "desk": "scene=desk&seed=5",
    "walk": "scene=walk&seed=7",
    "crossing": "scene=crossing&seed=9",
    "waving": "scene=waving&seed=11&grain=2",
    "bright": "scene=hard&seed=13&light=0.8&hair=short",
}
OFFSETS, GAMMAS, BLURS = "mask.offset=0.1,0.2,0.3,0.4,0.5", "matte.gamma=0.5,0.7,1,1.5,2", "matte.blur=0.5,1,2,4,8"
SCORES = "iou,boundary-f,dtssd,mse"
# Name: scene, preset, what is set, what is swept. In `guided` a parameter is without effect where another is 0; in `masks`
# none is.
GRIDS = {
    "masks": ("hard", "truedepth-backdrop", ["mask.kind=cutoff"],
              ["mask.cutoff=0.9,1.1,1.3,1.8,2.8", "matte.open=0,1,2,3", "matte.close=0,1,2,4,6", "matte.blur=0.5,1,2,4,6",
               "matte.gamma=0.7,1"]),
    "rates": ("desk", "truedepth-backdrop", [],
              ["depth.rate=1/1,1/2,1/3,2/5", OFFSETS, BLURS, GAMMAS, "depth.latency=0,2"]),
    "temporal": ("walk", "truedepth-backdrop", [],
                 ["matte.temporal=none,average", "matte.temporal-weight=0.2,0.4,0.6,0.75,0.9", BLURS, GAMMAS,
                  "mask.offset=0.1,0.2,0.3,0.5"]),
    "depth": ("crossing", "truedepth-backdrop", ["mask.kind=cutoff"],
              ["mask.cutoff=1.5,2.2,3,3.5,4", "depth.temporal=none,smooth", "depth.persistence=0,2,4,6,8",
               "depth.holes=keep,farthest", "matte.blur=0.5,0.75,1,1.5,2,2.5,3,4,6,8"]),
    "guided": ("waving", "truedepth-backdrop", [],
               ["matte.guided-radius=0,2,4,8", "matte.guided-epsilon=0.0001,0.001,0.01,0.1,1", BLURS, GAMMAS,
                "mask.offset=0.1,0.3"]),
    "refine": ("bright", "handheld", [],
               ["matte.refine-inside=0,1,2,4", "matte.refine-outside=1,2,4,6,8", OFFSETS, "matte.blur=0.5,1,1.5,2,3",
                "matte.still=0,0.6"]),
}


def sweeps(folder, retake):
    """Yields a grid's name and the command that sweeps it."""
    for name, (scene, preset, fixed, lists) in GRIDS.items():
        recording = folder / f"{scene}.retake"
        if not recording.exists():
            device = f"simulated?pace=fast&fps=15&frames=120&size=160x120&{SCENES[scene]}"
            subprocess.run([retake, "record", "--quiet", "--keep-free", "0", "--device", device, "-o", recording], check=True)
        words = [retake, "sweep", recording, "--preset", preset, "--scores", SCORES, "--quiet"]
        for assignment in fixed:
            words += ["--set", assignment]
        for values in lists:
            words += ["--list", values]
        yield name, words


def tables(folder, retake):
    paths = []
    for name, words in sweeps(folder, retake):
        path = folder / f"{name}.sqlite"
        # A sweep that is whole does nothing.
        subprocess.run([*words, "-o", path], check=True, stdout=subprocess.DEVNULL)
        paths.append(str(path))
    return paths


def seconds(words, path):
    """CPU time of a command that writes a results file, user and system, on one thread."""
    path.unlink(missing_ok=True)
    before = os.times()
    subprocess.run([*words, "--threads", "1", "-o", path], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def processor(folder, retake, scores, seeds):
    """Prints the CPU time of searches in per cent of that of the whole sweep, one directly after the other."""
    print("CPU of a search with 3 % of a grid's frames, in per cent of the sweep's, by score")
    print(f"{'':10}{'sweep, s':>10}" + "".join(f"{score:>13}" for score in scores))
    shares = []
    for name, words in sweeps(folder, retake):
        whole = seconds(words, folder / "cpu.sqlite")
        cells = []
        for score in scores:
            own = [seconds([*words, "--search", "--budget", "3%", "--best", score, "--seed", str(seed)], folder / "cpu-search.sqlite")
                   for seed in range(seeds)]
            cells.append(100 * sum(own) / seeds / whole)
        shares += cells
        print(f"{name:10}{whole:>10.2f}" + "".join(f"{cell:>13.1f}" for cell in cells), flush=True)
    print(f"mean {sum(shares) / len(shares):.1f} %, most {max(shares):.1f} %")


def lines(command):
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode:
        sys.exit(f"{command[0]} ended with {process.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--shares", default="1,2,3,5,10")
    parser.add_argument("--scores", default=SCORES, help="the scores to search by; all are in the tables")
    parser.add_argument("--no-rivals", action="store_true")
    parser.add_argument("--cpu", action="store_true", help="measure the CPU time of searches beside that of sweeps instead")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    release = ROOT / ".build/release"
    if options.cpu:
        return processor(options.folder, str(release / "retake"), options.scores.split(","), options.seeds)
    paths = tables(options.folder, str(release / "retake"))
    commands = [[str(release / "retake-bench"), "search", str(options.seeds), options.shares, *paths]]
    if not options.no_rivals:
        python = options.folder / "python/bin/python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", options.folder / "python"], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "optuna", "scipy"], check=True)
        rivals = pathlib.Path(__file__).with_name("rivals.py")
        commands.append([str(python), str(rivals), str(options.seeds), options.shares, options.scores, *paths])
    totals = collections.defaultdict(lambda: [0, 0])
    with open(options.folder / "results.jsonl", "w") as out:
        for command in commands:
            for row in lines(command):
                if row["score"] not in options.scores.split(","):
                    continue
                print(json.dumps(row), file=out, flush=True)
                name = pathlib.Path(row["table"]).stem
                # A rival whose budget pays for no setting in full finds none.
                median, worst = ("none" if row[key] is None else f"{row[key]:.4f}" for key in ("median_regret", "worst_regret"))
                print(f"{row['method']:10}{name:10}{row['score']:12}{row['share']:5} %  {row['within']:3} of {row['seeds']}"
                      f"  median {median}  worst {worst}", flush=True)
                for key in [(row["method"], row["share"], name), (row["method"], row["share"], "all")]:
                    totals[key][0] += row["within"]
                    totals[key][1] += row["seeds"]
    print("\nshare of runs within 1 % of the grid's best")
    shares = sorted({share for _, share, _ in totals})
    print(f"{'':20}" + "".join(f"{share:>8g} %" for share in shares))
    for method, name in sorted({(method, name) for method, _, name in totals}):
        cells = [totals.get((method, share, name)) for share in shares]
        print(f"{method:10}{name:10}" + "".join(f"{100 * c[0] / c[1]:>10.1f}" if c else f"{'':10}" for c in cells))


main()
