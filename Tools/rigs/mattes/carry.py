"""Do winners carry over? Ranks settings on hard simulated scenes and on scenes of real people, and correlates.

carry.py SCENES RETAKE -o OUTPUT      SCENES: a folder that scenes.py made, of which the portraits are used
  --settings N     settings, drawn at random from SPACE (100)
  --seed N         of the drawing (7)
  --real GLOB      scenes of real people (portrait-*)
  --only NAMES     simulated recordings of SIMULATED, separated by commas (all)
  --frames N       of each simulated recording, four a second, after the empty ones (30)
  --size WxH       of simulated colour frames (640x480)

Each recording begins with the empty room and is swept on its own, with the same settings. A setting's score is the mean
over the recordings of a kind; simulated ones that no cut-off suits are left out of the mean, and ranked by the settings
with a plate. Prints Spearman's rank correlation of these means, of every simulated recording with the
real mean, and of every real recording with the mean of the other real ones. Recordings and results in OUTPUT are used
again.
"""

import argparse
import csv
import io
import pathlib
import subprocess
import sys

import numpy
from scipy.stats import rankdata

# Hard recordings of the simulated camera, by name. Without furniture before it, the person at the desk is nearer than
# the cut-offs of SPACE and all else is farther, as in the portraits.
SIMULATED = {
    "desk": "scene=desk&seed=1&furniture=0",
    "desk-2": "scene=desk&seed=4&furniture=0&shift-x=-2&shift-y=-3",
    "hard": "scene=hard&seed=3&furniture=0",
    "walk": "scene=walk&seed=2",
    "crossing": "scene=crossing&seed=5",
    "desk-furnished": "scene=desk&seed=6",
}
# No cut-off of SPACE suits these, so they are ranked by the settings with a plate alone.
PLATE_ONLY = {"walk", "crossing", "desk-furnished"}

EMPTY = 12  # frames of the empty room at the start, as many as a portrait's
SPACE = [
    "--list", "mask.kind=cutoff,plate",
    "--range", "mask.cutoff=1.65..2.0",
    "--range", "mask.plate-margin=0.03..0.3:log",
    "--list", "mask.plate-holes=fill,person,background",
    "--list", "mask.holes=auto,background,foreground,near",
    "--list", "mask.plate-color=false,true",
    "--list", "mask.pieces=all,large",
    "--range", "mask.smallest-piece=0.0005..0.02:log",
    "--list", "mask.fill=0,0.003,0.01,0.05",
    "--scan", "matte.open=0..5:1", "--scan", "matte.close=0..7:1", "--scan", "matte.grow=-4..4:1",
    "--range", "matte.blur=0.5..8:log", "--range", "matte.gamma=0.5..4:log",
    "--list", "matte.guided-radius=0,0,2,4,8,16", "--range", "matte.guided-epsilon=0.0001..0.1:log",
    "--list", "matte.refine=none,color",
    "--scan", "matte.refine-inside=0..5:1", "--scan", "matte.refine-outside=1..8:1",
    "--list", "matte.refine-holes=0,8,24", "--list", "matte.refine-doubt=0,0.5,1",
]
FIXED = ["--set", f"mask.plate-frames={EMPTY}", "--set", "matte.still=0"]
SCORES = ("iou", "boundary-f", "sad")


def check(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in (0, 3):
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout[-1500:]}{result.stderr[-1500:]}")
    return result.stdout


def record(retake, device, path):
    if not path.exists():
        check([retake, "record", "--quiet", "--keep-free", "0", "--device", device, "-o", path])
    return path


def with_empty_start(folder, output):
    """A data set of a portrait's empty room followed by the portrait, made of links; (folder, truth)."""
    parts = {name: [] for name in ("rgb", "depth")}
    output.mkdir(parents=True, exist_ok=True)
    count = 0
    for source in (folder / "empty", folder):
        for path in sorted((source / "rgb").iterdir()):
            for name, lines in parts.items():
                (output / name).mkdir(exist_ok=True)
                link(source / name / path.name, output / name / f"{count:06}.png")
                lines.append(f"{1 + count / 30:.6f} {name}/{count:06}.png")
            if source == folder:
                (output / "truth").mkdir(exist_ok=True)
                truth = folder / "truth" / path.name
                link(truth if truth.exists() else folder / "truth/000000.png", output / "truth" / f"{count:06}.png")
            count += 1
    for name, lines in parts.items():
        (output / f"{name}.txt").write_text("# depth in 1000 units per metre\n" * (name == "depth") + "\n".join(lines) + "\n")
    return output, output / "truth"


def link(target, path):
    if not path.is_symlink():
        path.symlink_to(target.resolve())


def sweep(retake, recording, results, options, truth=None):
    """Mean scores of the frames with people, by setting: {score: array}; and which settings have a plate."""
    command = [retake, "sweep", recording, "--preset", "static-camera", *FIXED, *SPACE, "--random", str(options.settings),
               "--seed", str(options.seed), "--scores", ",".join(SCORES), "-o", results, "--quiet"]
    if truth:
        command += ["--truth", truth]
    check(command)
    by_number = {int(row["setting"]): row["mask.kind"] for row in table(retake, results)}
    sums = {score: {} for score in SCORES}
    for row in table(retake, results, "--frames"):
        if int(row["frame"]) >= EMPTY:
            for score in SCORES:
                sums[score].setdefault(int(row["setting"]), []).append(float(row[score]))
    means = {score: numpy.array([numpy.mean(rows[n]) if n in rows else numpy.nan for n in range(options.settings)])
             for score, rows in sums.items()}
    means["plate"] = numpy.array([by_number.get(n) == "plate" for n in range(options.settings)])
    return means


def table(retake, results, *more):
    return csv.DictReader(io.StringIO(check([retake, "sweep", "table", results, "--csv", *more])))


def spearman(a, b):
    known = ~(numpy.isnan(a) | numpy.isnan(b))
    a, b = a[known], b[known]
    return float(numpy.corrcoef(rankdata(a), rankdata(b))[0, 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=pathlib.Path)
    parser.add_argument("retake")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--settings", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--real", default="portrait-*")
    parser.add_argument("--only", default=",".join(SIMULATED))
    parser.add_argument("--frames", type=int, default=30)
    parser.add_argument("--size", default="640x480")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)

    def swept(name, device, truth=None):
        print(name, file=sys.stderr, flush=True)
        recording = record(options.retake, device, options.output / f"{name}.retake")
        return sweep(options.retake, recording, options.output / f"{name}-{options.settings}-{options.seed}.sqlite", options, truth)

    real, simulated = {}, {}
    for folder in sorted(options.scenes.glob(options.real)):
        joined, truth = with_empty_start(folder, options.output / "joined" / folder.name)
        real[folder.name] = swept(folder.name, f"tum:{joined}", truth)
    for name in options.only.split(","):
        simulated[name] = swept(
            f"simulated-{name}-{options.size}", f"simulated?pace=fast&fps=4&size={options.size}&empty={EMPTY}"
            f"&frames={EMPTY + options.frames}&{SIMULATED[name]}")
    report(real, simulated)


def report(real, simulated):
    whole = {name: scores for name, scores in simulated.items() if name not in PLATE_ONLY}
    for score in SCORES:
        mean = {kind: numpy.mean([scores[score] for scores in group.values()], axis=0)
                for kind, group in (("real", real), ("simulated", whole)) if group}
        if len(mean) == 2:
            print(f"{score}: {spearman(mean['real'], mean['simulated']):.3f}")
        for name, scores in simulated.items() if real else ():
            used = scores["plate"] if name in PLATE_ONLY else slice(None)
            print(f"  {name:24} {spearman(mean['real'][used], scores[score][used]):6.3f}   {spread(scores[score][used])}"
                  + "   with a plate" * (name in PLATE_ONLY))
        for name, scores in real.items() if whole else ():
            others = [s[score] for n, s in real.items() if n != name]
            own = f"{spearman(numpy.mean(others, axis=0), scores[score]):6.3f}" if others else ""
            print(f"  {name:24} {own}   with simulated {spearman(mean['simulated'], scores[score]):6.3f}   {spread(scores[score])}")


def spread(values):
    return "quartiles " + ", ".join(f"{v:.3f}" for v in numpy.nanpercentile(values, (0, 25, 50, 75, 100)))


if __name__ == "__main__":
    main()
