#!/usr/bin/env python3
"""Scores methods over scenes and prints a table.

run.py SCENES [METHOD …] -o OUTPUT        e.g. run.py Scenes opencv-plate closed-form -o Results
  --scenes GLOB              which scenes of the folder (portrait-*, people-*)
  --retake PROGRAM           beside them, a replay of a built `retake` for each --preset
  --preset LABEL=PRESET[,KEY=VALUE…]   may be repeated, e.g. desk=desk, or wide=desk,matte.blur=2
  --python FILE:FUNCTION     a method of one's own: FUNCTION(scene) → step(colour, depth) → matte
  --command LABEL=TEMPLATE   a program that writes OUTPUT/000000.png …: {scene} and {output} are replaced
  --trimaps FOLDER           FOLDER/SCENE/000000.png: trimaps for closed-form; by default it makes them from depth
  --every N                  slow methods (closed-form, grabcut) are run on every Nth frame (5), and scored on those
  --table-only               computes nothing; METHODs are any labels of scores.json
  --sheets                   writes OUTPUT/sheets/SCENE.png and crops beside it
Mattes are kept in OUTPUT/mattes/METHOD/SCENE, scores in OUTPUT/scores.json; what is there is not computed again,
unless --again METHOD.
"""

import argparse
import fnmatch
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import cv2
import numpy

import measure
import rivals
import sheets

SLOW = {"closed-form", "grabcut"}
COMMON = ("iou", "f2", "sad", "mse")
SHOWN = ("iou", "f2", "sad", "mse", "flicker", "belt", "haze", "gaps", "spill", "own")


def run_python(factory, scene, output, every, warm=1):
    """Writes mattes; returns the median milliseconds of a frame."""
    output.mkdir(parents=True, exist_ok=True)
    step = factory(scene)
    times = []
    first, count = scene.meta["emptyFrames"], scene.meta["frames"]
    numbers = range(first, count, every)
    for number in numbers:
        color, depth = scene.frame(number)
        start = time.process_time()
        matte = step(color, depth)
        times.append((time.process_time() - start) * 1000)
        cv2.imwrite(str(output / f"{number:06}.png"), matte, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return float(numpy.median(times[warm:] or times))


def recording(program, folder, output):
    if not output.exists():
        output.parent.mkdir(parents=True, exist_ok=True)
        check([program, "record", "--quiet", "--keep-free", "0", "--device", f"tum:{folder}", "-o", str(output)], (0,))
    return output


def plate(program, folder, preset, recordings):
    """The file of a scene's empty room, learned from a recording of its own."""
    output = recordings / f"{folder.name}.retake-plate"
    if not output.exists():
        empty = recording(program, folder / "empty", recordings / f"{folder.name}-empty.retake")
        check([program, "plate", str(empty), "--quiet", "--preset", preset, "-o", str(output)], (0,))
    return output


def check(command, codes=(0, 3)):
    result = subprocess.run(command, capture_output=True, text=True)
    without_mattes = "gave no picture" in result.stderr  # they are scored as lost
    if result.returncode not in codes and not without_mattes:
        sys.exit(f"{' '.join(command)}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def run_retake(program, settings, scene, output, recordings):
    """A preset and its settings through `retake replay`; returns CPU milliseconds of a frame of the whole program."""
    preset, *values = settings.split(",")
    clip = recording(program, scene.folder, recordings / f"{scene.folder.name}.retake")
    command = ["taskset", "-c", "0", program, "replay", str(clip), "--quiet", "--preset", preset]
    for value in values:
        if "{plate}" in value:
            if not (scene.folder / "empty").exists():
                continue
            value = value.replace("{plate}", str(plate(program, scene.folder, preset, recordings)))
        command += ["--set", value]
    output.mkdir(parents=True, exist_ok=True)
    before = os.times()
    check(command + ["--tap", "matte", "--output", f"png:{output}", "--force"])
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used * 1000 / scene.meta["frames"]


def run_command(template, scene, output):
    output.mkdir(parents=True, exist_ok=True)
    before = os.times()
    check(["sh", "-c", template.format(scene=scene.folder, output=output)])
    after = os.times()
    return (after.children_user + after.children_system - before.children_user - before.children_system) * 1000 / scene.meta["frames"]


def loaded(word):
    path, function = word.rsplit(":", 1)
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function)


def table(results, scenes, methods, columns=SHOWN):
    """Scenes × methods, then means by kind."""
    width = max(map(len, methods), default=6)

    def line(name, method, row):
        cells = "".join(f"{row.get(c, float('nan')):9.3f}" if c in ("iou", "f2") else f"{row.get(c, float('nan')):9.2f}"
                        for c in columns + ("ms",))
        print(f"{name:22} {method:{width}}{cells}  {int(row.get('lost', 0)) or ''}")

    print(f"{'scene':22} {'method':{width}}" + "".join(f"{c:>9}" for c in columns + ("ms",)) + "  lost")
    for scene in scenes:
        for method in methods:
            if (row := results.get(method, {}).get(scene)):
                line(scene, method, row)
    for kind in sorted({s.split("-")[0] for s in scenes}):
        print()
        for method in methods:
            rows = [results[method][s] for s in scenes if s.startswith(kind) and s in results.get(method, {})]
            if rows:
                mean = {c: mean_of([r[c] for r in rows]) for c in columns + ("ms",)}
                mean["lost"] = sum(r["lost"] for r in rows)
                line(f"{kind}: mean of {len(rows)}", method, mean)


def common_frames(results, scenes, methods):
    """Means on the frames that slow methods made too, where they are fewer."""
    slow = [m for m in methods if m in SLOW]
    for kind in sorted({s.split("-")[0] for s in scenes}) if slow else []:
        print(f"\n{kind}, on the same frames (those of {', '.join(slow)})" + "".join(f"{c:>9}" for c in COMMON))
        for method in methods:
            rows = []
            for scene in scenes:
                wanted = [set(results.get(m, {}).get(scene, {}).get("each", {})) for m in slow]
                frames = set.intersection(*wanted) if wanted else set()
                own = results.get(method, {}).get(scene, {}).get("each", {})
                if scene.startswith(kind) and frames and frames <= set(own):
                    rows.append([mean_of([own[f].get(c, float("nan")) for f in sorted(frames)]) for c in COMMON])
            if rows:
                print(f"  {method:28} {len(rows)} scenes" + "".join(
                    f"{mean_of(column):9.3f}" for column in zip(*rows)))


def mean_of(values):
    known = [v for v in values if v == v]
    return sum(known) / len(known) if known else float("nan")


def sheet(scene, methods, output, numbers):
    """Colour, depth, truth and, for each method, matte and composite; then crops at full size."""
    tile = (480, 360)
    for number in numbers:
        color, depth = scene.frame(number)
        truth = sheets.read(scene.folder / "truth", number, cv2.IMREAD_GRAYSCALE)
        tiles = [sheets.labelled(sheets.fitted(color, tile), f"{scene.folder.name} {number}"),
                 sheets.labelled(sheets.fitted(sheets.depth_picture(depth), tile, cv2.INTER_NEAREST), "depth"),
                 sheets.labelled(sheets.fitted(truth, tile), "truth")]
        places = crops(truth)
        detail = [[sheets.labelled(sheets.cut(color, p), "colour") for p in places],
                  [sheets.labelled(sheets.cut(truth, p), "truth") for p in places]]
        for method in methods:
            path = output / "mattes" / method / scene.folder.name / f"{number:06}.png"
            matte = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
            if matte is None:
                continue
            green = sheets.over(color, matte, measure.NEW_BACKGROUNDS[0])
            bright = sheets.over(color, matte, measure.NEW_BACKGROUNDS[1])
            tiles += [sheets.labelled(sheets.fitted(matte, tile), method),
                      sheets.fitted(green, tile), sheets.fitted(bright, tile)]
            detail.append([sheets.labelled(sheets.cut(matte, p), method) for p in places])
            detail.append([sheets.labelled(sheets.cut(green, p), method) for p in places])
        folder = output / "sheets"
        folder.mkdir(exist_ok=True)
        cv2.imwrite(str(folder / f"{scene.folder.name}-{number:03}.png"), sheets.grid(tiles, 3))
        if places:
            cv2.imwrite(str(folder / f"{scene.folder.name}-{number:03}-crops.png"),
                        numpy.vstack([numpy.hstack(row) for row in detail]))


def crops(truth, size=240, count=4):
    """Top left corners of squares: where the truth is softest (hair, hands), each apart, and at its lowest pixel."""
    soft = ((truth > 10) & (truth < 245)).astype(numpy.float32)
    places = []

    def take(row, column):
        top = int(numpy.clip(row - size // 2, 0, truth.shape[0] - size))
        left = int(numpy.clip(column - size // 2, 0, truth.shape[1] - size))
        places.append((top, left, size))
        soft[top:top + size, left:left + size] = 0

    while len(places) < count - 1:
        density = cv2.boxFilter(soft, -1, (size, size), normalize=False, borderType=cv2.BORDER_CONSTANT)
        row, column = numpy.unravel_index(int(density.argmax()), density.shape)
        if density[row, column] < 200:
            break
        take(row, column)
    rows, columns = numpy.nonzero(truth > 127)
    if len(rows):
        take(rows.max(), int(columns[rows == rows.max()].mean()))
    return places


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("methods", nargs="*", help=", ".join(rivals.METHODS) + ", or all")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--scenes", default="*")
    parser.add_argument("--retake")
    parser.add_argument("--preset", action="append", default=[])
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--command", action="append", default=[])
    parser.add_argument("--trimaps")
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--again", action="append", default=[])
    parser.add_argument("--sheets", action="store_true")
    parser.add_argument("--table-only", action="store_true")
    options = parser.parse_intermixed_args()
    cv2.setNumThreads(1)
    output = pathlib.Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    jobs = {}
    for name in (list(rivals.METHODS) if "all" in options.methods else options.methods):
        if name not in rivals.METHODS and not options.table_only:
            sys.exit(f"There is no method {name}; there are {', '.join(rivals.METHODS)}.")
        jobs[name] = ("python", rivals.METHODS.get(name))
    for word in options.python:
        jobs[word.rsplit(":", 1)[1]] = ("python", loaded(word))
    for word in options.preset:
        label, _, settings = word.partition("=")
        jobs[label] = ("retake", settings or label)
    for word in options.command:
        label, _, template = word.partition("=")
        jobs[label] = ("command", template)
    store = output / "scores.json"
    results = json.loads(store.read_text()) if store.exists() else {}
    folders = [f for f in sorted(pathlib.Path(options.folder).iterdir())
               if (f / "meta.json").exists() and fnmatch.fnmatch(f.name, options.scenes)]
    for folder in folders:
        scene = rivals.Scene(folder, json.loads((folder / "meta.json").read_text()))
        for label, (kind, what) in jobs.items():
            if folder.name in results.get(label, {}) and label not in options.again or options.table_only:
                continue
            mattes = output / "mattes" / label / folder.name
            shutil.rmtree(mattes, ignore_errors=True)
            every = options.every if label in SLOW else 1
            if kind == "python":
                if label == "closed-form" and options.trimaps:
                    what = lambda s: rivals.closed_form(s, pathlib.Path(options.trimaps) / s.folder.name, every)
                milliseconds = run_python(what, scene, mattes, every)
            elif kind == "retake":
                milliseconds = run_retake(options.retake, what, scene, mattes, output / "recordings")
            else:
                milliseconds = run_command(what, scene, mattes)
            numbers = set(range(scene.meta["emptyFrames"], scene.meta["frames"], every))
            row = measure.score(folder, mattes, frames=numbers)
            row["ms"] = milliseconds
            results.setdefault(label, {})[folder.name] = row
            store.write_text(json.dumps(results, indent=1))
            print(f"{folder.name} {label}: " + ", ".join(f"{c} {row[c]:.3f}" for c in SHOWN[:5]) + f", {milliseconds:.1f} ms",
                  file=sys.stderr, flush=True)
        if options.sheets:
            first, count = scene.meta["emptyFrames"], scene.meta["frames"]
            picked = [first] if scene.meta["kind"] == "portrait" else [first + 25, first + 40, first + 65]
            sheet(scene, list(jobs), output, [n - (n - first) % options.every for n in picked if n < count])
    table(results, [f.name for f in folders], list(jobs))
    common_frames(json.loads(json.dumps(results)), [f.name for f in folders], list(jobs))


if __name__ == "__main__":
    main()
