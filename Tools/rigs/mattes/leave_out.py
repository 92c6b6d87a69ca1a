"""How near are a preset's defaults to the best of a sweep, on each scene? And settings that other scenes chose?

leave_out.py SCENES RETAKE -o OUTPUT      SCENES: a folder that scenes.py made
  --settings N     settings, drawn at random around each preset (500)
  --seed N         of the drawing (7)
  --only GLOBS     scenes, separated by commas (people-*,portrait-*)
  --every N        score one frame of N of people who move (3)

People who move are swept around static-camera, with a file of their empty room; portraits around desk, after their
empty room, which is not scored. For each scene and score this prints the preset's, the best of the sweep, the first divided by the second, and
the score of the setting that has the best mean over the other scenes of the kind. Recordings and results in OUTPUT are
used again.
"""

import argparse
import fnmatch
import json
import pathlib
import sys

import cv2
import numpy

import carry
import measure

SCORES = ("iou", "boundary-f")
SPACES = {
    "people": ("static-camera", carry.SPACE[4:] + ["--list", "mask.plate-doubt=0.05,0.1,0.15,0.3,10"]),
    "portrait": ("desk", [
        "--range", "mask.offset=0.1..0.8:log", "--list", "mask.without-face=last,nearest",
        "--list", "mask.movement=false,true", "--list", "mask.pieces=all,large,face",
        *carry.SPACE[carry.SPACE.index("mask.smallest-piece=0.0005..0.02:log") - 1:],
    ]),
}


def scores(retake, recording, preset, results, truth, more):
    """Mean scores by setting of the frames in which people fill measure.SMALLEST of the picture: {score: array}."""
    carry.check([retake, "sweep", recording, "--preset", preset, "--scores", ",".join(SCORES), "-o", results, "--quiet",
                 *more])
    sums, shown = {}, {}
    for row in carry.table(retake, results, "--frames"):
        frame = int(row["frame"])
        if frame not in shown:
            picture = cv2.imread(str(truth / f"{frame:06}.png"), cv2.IMREAD_GRAYSCALE)
            shown[frame] = (picture >= 128).mean() > measure.SMALLEST
        for score in SCORES if shown[frame] else ():
            sums.setdefault((score, int(row["setting"])), []).append(float(row[score]))
    count = 1 + max(setting for _, setting in sums)
    return {score: numpy.array([numpy.mean(sums[score, n]) for n in range(count)]) for score in SCORES}


def plate(retake, recording, first, preset):
    """The file of the empty room that the recording begins with: one frame of several would leave too few of it."""
    path = recording.with_suffix(".retake-plate")
    if not path.exists():
        carry.check([retake, "plate", recording, "--to", str(first - 1), "--preset", preset, "-o", path, "--quiet"])
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=pathlib.Path)
    parser.add_argument("retake")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--settings", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default="people-*,portrait-*")
    parser.add_argument("--every", type=int, default=3)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    found = {kind: {} for kind in SPACES}
    for folder in sorted(options.scenes.iterdir()):
        kind = folder.name.split("-")[0]
        if kind not in SPACES or not any(fnmatch.fnmatch(folder.name, glob) for glob in options.only.split(",")):
            continue
        print(folder.name, file=sys.stderr, flush=True)
        preset, space = SPACES[kind]
        source, truth, first, every = folder, folder / "truth", json.loads((folder / "meta.json").read_text())["emptyFrames"], options.every
        if kind == "portrait":
            source, truth = carry.with_empty_start(folder, options.output / "joined" / folder.name)
            first, every = carry.EMPTY, 1
        recording = carry.record(options.retake, f"tum:{source}", options.output / f"{folder.name}.retake")
        fixed = ["--from", str(first), "--every", str(every), "--truth", truth]
        if kind == "people":
            fixed += ["--set", f"mask.plate={plate(options.retake, recording, first, preset)}"]
        name = options.output / f"{folder.name}-{options.settings}-{options.seed}"
        drawn = [*space, "--random", str(options.settings), "--seed", str(options.seed)]
        found[kind][folder.name] = tuple(
            scores(options.retake, recording, preset, f"{name}{end}.sqlite", truth, [*fixed, *more])
            for end, more in (("-default", []), ("", drawn)))
    report(found)


def report(found):
    for kind, scenes in found.items():
        for score in SCORES if scenes else ():
            print(f"{SPACES[kind][0]}, {score:14} default    best   share   chosen by others, its share")
            for name, (default, swept) in scenes.items():
                own, best = default[score][0], swept[score].max()
                others = [s[score] for other, (_, s) in scenes.items() if other != name]
                chosen = swept[score][numpy.mean(others, axis=0).argmax()] if others else numpy.nan
                print(f"  {name:28} {own:8.3f}{best:8.3f}{own / best:8.3f}{chosen:12.3f}{chosen / best:12.3f}"
                      + "   missed" * bool(own < 0.95 * best))


if __name__ == "__main__":
    main()
