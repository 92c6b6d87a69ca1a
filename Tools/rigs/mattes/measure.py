"""Scores of mattes against exact truth.

measure.py SCENE MATTES [--foreground FOLDER]     prints the scores of a folder of mattes (000000.png …)

| score | unit | measures |
|---|---|---|
| iou | 0 to 1 | intersection over union at half opacity, mean of the frames where people fill 2 % |
| f2 | 0 to 1 | F of the outline within 2 px per 640 of width; f2p, f2r: precision, recall |
| sad | thousands | sum of |α − α*|, scaled to a picture 960 wide |
| mse | thousandths | mean of (α − α*)² |
| flicker | thousandths | mean change of opacity where neither the picture nor the truth moves |
| belt | thousandths | the same within 6 px per 640 of the outline |
| haze | thousandths | mean opacity well outside of the person |
| gaps | thousandths | mean transparency well inside of the person |
| own, spill | 0 to 255 | error of the composite's colours at the outline, over new backgrounds: with the method's own
|   | | foreground colours (estimated here where it gives none), and with the video's colours |
| lost | frames | frames without a matte; they score as empty |
"""

import argparse
import json
import pathlib

import cv2
import numpy

import cutouts
import sheets

NEW_BACKGROUNDS = ((40, 190, 70), (235, 235, 225))  # BGR
SCORES = ("iou", "f2", "f2p", "f2r", "sad", "mse", "flicker", "belt", "haze", "gaps", "spill", "own", "lost")
LOWER_IS_BETTER = set(SCORES) - {"iou", "f2", "f2p", "f2r"}
COLOR_FRAMES = 3
SMALLEST = 0.02  # share of the picture; people who only just come in are judged by sad and mse alone


def outline(mask):
    """Pixels of the mask that touch a pixel outside of it; the picture's edge is no outline."""
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    return (mask > 0) & (cv2.erode(padded, numpy.ones((3, 3), numpy.uint8))[1:-1, 1:-1] == 0)


def disc(radius):
    size = 2 * int(numpy.ceil(radius)) + 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))


def near(edge, radius):
    distance = cv2.distanceTransform((~edge).astype(numpy.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return distance <= radius + 1e-4


def boundary_scores(matte, truth, judged):
    """(F, precision, recall) of outlines at half opacity, within 2 px per 640 of width; None without a true outline."""
    radius = 2 * matte.shape[1] / 640
    edge, true = outline((matte >= 128).astype(numpy.uint8)), outline((truth >= 128).astype(numpy.uint8))
    # Near pixels that are left out, no outline is counted.
    clear = judged if judged.all() else cv2.erode(judged.astype(numpy.uint8), disc(radius)) > 0
    precise, complete = edge & clear, true & clear
    if not complete.any():
        return None  # the whole outline is left out
    p = near(true, radius)[precise].mean() if precise.any() and true.any() else 0.0
    r = near(edge, radius)[complete].mean() if complete.any() and edge.any() else 0.0
    return (2 * p * r / (p + r) if p + r > 0 else 0.0), float(p), float(r)


def still(before, after, truth_before, truth_after):
    """Pixels where neither the picture nor the truth moves; noise does not count."""
    change = cv2.GaussianBlur(after.astype(numpy.float32) - before, (0, 0), 1.5)
    change = numpy.abs(change).max(2)
    limit = 2.0 + 5.0 * float(numpy.median(change))
    moved = (change > limit) | (cv2.absdiff(truth_before, truth_after) > 1)
    return cv2.dilate(moved.astype(numpy.uint8), numpy.ones((5, 5), numpy.uint8)) == 0


def colour_error(color, own, matte, truth, foreground, judged):
    """(with own foreground colours, with the video's) mean error per channel at the outline."""
    soft = cv2.dilate(((truth > 5) & (truth < 250)).astype(numpy.uint8), numpy.ones((3, 3), numpy.uint8)) > 0
    soft &= judged
    if not soft.any():
        return 0.0, 0.0
    a, t = (x[soft].astype(numpy.float32)[:, None] / 255 for x in (matte, truth))
    errors = []
    for used in (own, color):
        error = 0.0
        for background in NEW_BACKGROUNDS:
            b = numpy.float32(background)
            made = a * used[soft] + (1 - a) * b
            right = t * foreground[soft] + (1 - t) * b
            error += float(numpy.abs(made - right).mean())
        errors.append(error / len(NEW_BACKGROUNDS))
    return errors[0], errors[1]


def score(scene, mattes, foregrounds=None, frames=None, colors=True):
    """Scores of the PNGs in `mattes`; a frame without one counts as an empty matte."""
    scene, mattes = pathlib.Path(scene), pathlib.Path(mattes)
    meta = json.loads((scene / "meta.json").read_text())
    first, count = meta["emptyFrames"], meta["frames"]
    numbers = [n for n in range(first, count) if frames is None or n in frames]
    sums = {name: [] for name in SCORES}
    each = {}
    before = None
    color_numbers = set(numbers[len(numbers) // 4::max(1, len(numbers) // COLOR_FRAMES)][:COLOR_FRAMES])
    for number in numbers:
        truth = sheets.read(scene / "truth", number, cv2.IMREAD_GRAYSCALE)
        path = mattes / f"{number:06}.png"
        matte = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) if path.exists() else None
        sums["lost"].append(matte is None)
        if matte is None:
            matte = numpy.zeros_like(truth)
        if matte.shape != truth.shape:
            raise ValueError(f"{path} is {matte.shape[1]}x{matte.shape[0]}, the truth {truth.shape[1]}x{truth.shape[0]}")
        judged = numpy.ones(truth.shape, bool)
        ignore = scene / "truth/ignore" / f"{number:06}.png"
        if ignore.exists():
            judged = cv2.imread(str(ignore), cv2.IMREAD_GRAYSCALE) < 128
        color = sheets.read(scene / "rgb", number)
        scale = (960 / truth.shape[1]) ** 2
        difference = (matte.astype(numpy.float32) - truth)[judged] / 255
        sums["sad"].append(float(numpy.abs(difference).sum()) * scale / 1000)
        sums["mse"].append(float((difference ** 2).mean()) * 1000)
        unit = truth.shape[1] / 640
        outside = cv2.dilate((truth > 0).astype(numpy.uint8), disc(4 * unit)) == 0
        inside = cv2.erode((truth == 255).astype(numpy.uint8), disc(4 * unit)) > 0
        for name, region, value in (("haze", outside & judged, matte), ("gaps", inside & judged, 255 - matte)):
            if region.any():
                sums[name].append(float(value[region].mean()) / 255 * 1000)
        row = {}
        if (truth >= 128).mean() > SMALLEST:
            person, true = (matte >= 128) & judged, (truth >= 128) & judged
            row["iou"] = float((person & true).sum() / max((person | true).sum(), 1))
            row.update(zip(("f2", "f2p", "f2r"), boundary_scores(matte, truth, judged) or ()))
            for name, value in row.items():
                sums[name].append(value)
            row.update(sad=sums["sad"][-1], mse=sums["mse"][-1])
            each[number] = row
        if before is not None and before[3] == number - 1:
            calm = still(before[0], color, before[1], truth) & judged
            change = cv2.absdiff(before[2], matte).astype(numpy.float32) / 255 * 1000
            if calm.any():
                sums["flicker"].append(float(change[calm].mean()))
            edge = outline((truth >= 128).astype(numpy.uint8))
            if edge.any() and (belt := near(edge, 6 * unit) & calm).any():
                sums["belt"].append(float(change[belt].mean()))
        before = (color, truth, matte, number)
        if colors and number in color_numbers and (truth >= 128).any():
            true_colors = sheets.read(scene / "foreground", number)
            given = None if foregrounds is None else cv2.imread(str(pathlib.Path(foregrounds) / f"{number:06}.png"))
            own = given if given is not None else cutouts.foreground(color, matte / numpy.float32(255), sweeps=6)
            e, s = colour_error(color, own, matte, truth, true_colors, judged)
            sums["own"].append(e)
            sums["spill"].append(s)
    result = {name: (float(numpy.mean(v)) if v else float("nan")) for name, v in sums.items()}
    result["lost"] = int(sum(sums["lost"]))
    result["each"] = each
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene")
    parser.add_argument("mattes")
    parser.add_argument("--foreground", help="folder of the method's own foreground colours")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for name, value in score(options.scene, options.mattes, options.foreground).items():
        if name != "each":
            print(f"{name:8} {value:.4g}")


if __name__ == "__main__":
    main()
