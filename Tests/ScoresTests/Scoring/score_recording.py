"""Scores one setting's mattes of a recording by the definitions, with numpy, scipy and scikit-image, and prints JSON.

Usage: score_recording.py JSON PLANES. JSON has width, height, lag and frames: number, matte, truth and reference (whether
there is one) and faces ([x, y, width, height]). PLANES has for each frame a picture in packed RGB, a matte, a truth, a
reference, and the pixels to judge, 8 bits, rows without gaps; zeros where there is none."""

import json
import math
import sys

import numpy as np
from scipy import ndimage
from skimage import measure, morphology


def contour(matte):
    """Pixels unlike the one to the right, below, or both (DAVIS)."""
    mask = np.pad(matte >= 128, ((0, 1), (0, 1)), mode="edge")
    here = mask[:-1, :-1]
    return (here != mask[:-1, 1:]) | (here != mask[1:, :-1]) | (here != mask[1:, 1:])


def iou(matte, truth):
    union = ((matte >= 128) | (truth >= 128)).sum()
    return 1.0 if union == 0 else float(((matte >= 128) & (truth >= 128)).sum() / union)


def left_out_places(judged):
    """Contour pixels that a left-out pixel could decide."""
    out = np.pad(~judged, ((0, 1), (0, 1)), mode="edge")
    return out[:-1, :-1] | out[:-1, 1:] | out[1:, :-1] | out[1:, 1:]


def tolerance(matte):
    return max(1, math.floor(2 * matte.shape[1] / 640 + 0.5))


def boundary(matte, truth, judged):
    places = left_out_places(judged)
    a, b = contour(matte) & ~places, contour(truth) & ~places
    if not a.any() or not b.any():
        return float(not a.any()), float(not b.any())
    disk = morphology.disk(tolerance(matte))
    precision = (a & ndimage.binary_dilation(b, disk)).sum() / a.sum()
    recall = (b & ndimage.binary_dilation(a, disk)).sum() / b.sum()
    return float(precision), float(recall)


def haze(matte, truth, judged):
    near = ndimage.binary_dilation(contour(truth) & ~left_out_places(judged), morphology.disk(tolerance(matte)))
    outside = (truth == 0) & ~near & judged
    return float(matte[outside].mean() / 255 * 1000) if outside.any() else None


def gradient_length(matte):
    """Rhemann 2009: derivatives of a Gaussian of sigma 1.4, each kernel of norm 1."""
    sigma = 1.4
    half = math.ceil(sigma * math.sqrt(-2 * math.log(math.sqrt(2 * math.pi) * sigma * 1e-2)))
    x = np.arange(-half, half + 1)
    bell = np.exp(-(x**2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
    kernel = np.outer(bell, -x * bell / sigma**2)
    kernel /= np.linalg.norm(kernel)
    alpha = matte / 255.0
    return np.hypot(
        ndimage.convolve(alpha, kernel, mode="nearest"), ndimage.convolve(alpha, kernel.T, mode="nearest")
    )


def connectivity(matte, truth):
    a, b = matte.astype(int), truth.astype(int)
    level = np.full(matte.shape, 10)
    is_open = np.ones(matte.shape, bool)
    for step in range(1, 11):
        labels = measure.label((10 * a >= 255 * step) & (10 * b >= 255 * step), connectivity=1)
        sizes = np.bincount(labels.ravel())[1:]
        hangs_on = labels == 1 + int(np.argmax(sizes)) if len(sizes) else np.zeros(matte.shape, bool)
        level[is_open & ~hangs_on] = step - 1
        is_open &= hangs_on

    def phi(values):
        distance = 10 * values - 255 * level  # 2550ths
        return 2550 - np.where(distance >= 382.5, distance, 0)

    return float(np.abs(phi(a) - phi(b)).sum() / 2550)


def edge_alignment(matte, grey):
    def slopes(plane):
        plane = np.pad(plane.astype(int), 1, mode="edge")
        return plane[1:-1, 2:] - plane[1:-1, :-2], plane[2:, 1:-1] - plane[:-2, 1:-1]

    def square(x, y):
        return (x * x + y * y).astype(np.float32)

    (ax, ay), (gx, gy) = slopes(matte), slopes(grey)
    # In single precision, rounded, by definition.
    whole = np.floor(np.sqrt(square(ax, ay) * square(gx, gy)) + np.float32(0.5)).sum(dtype=np.float64)
    return None if whole == 0 else float(np.abs(ax * gx + ay * gy).sum() / whole)


def edge_contrast(matte, rgb):
    """Mean difference of colour 4 pixels per 640 beyond each pair of neighbours that the outline parts."""
    reach = max(1, math.floor(4 * matte.shape[1] / 640 + 0.5))
    steps = pairs = 0
    for mask, picture in ((matte >= 128, rgb), ((matte >= 128).T, rgb.transpose(1, 0, 2))):
        rows, columns = np.nonzero(mask[:, 1:] != mask[:, :-1])
        left, right = np.maximum(columns - reach, 0), np.minimum(columns + 1 + reach, mask.shape[1] - 1)
        steps += int(np.abs(picture[rows, left] - picture[rows, right]).sum())
        pairs += len(rows)
    return steps / (3 * pairs) if pairs else None


def edge_spill(matte, truth, judged, rgb):
    """Means of α · (1 − α*) · the difference of colours, over the outline."""
    height, width = truth.shape
    reach, side = (max(1, math.floor(n * width / 640 + 0.5)) for n in (6, 8))
    near = ndimage.maximum_filter(truth >= 128, size=2 * reach + 1, mode="constant")
    padded = [(0, -height % side), (0, -width % side), (0, 0)]

    def means(known):
        planes = np.dstack([known] + [rgb[:, :, c] * known for c in range(3)]).astype(int)
        planes = np.pad(planes, padded)
        rows, columns = planes.shape[0] // side, planes.shape[1] // side
        cells = planes.reshape(rows, side, columns, side, 4).sum(axis=(1, 3))
        sums = ndimage.convolve(cells, np.ones((5, 5, 1), int), mode="constant")
        count = sums[:, :, :1]
        return count[:, :, 0] > 0, (sums[:, :, 1:] + count // 2) // np.maximum(count, 1)

    (has_ground, ground), (has_person, person) = means((truth == 0) & judged), means((truth == 255) & judged)
    difference = np.abs(ground - person).max(axis=2)

    def spread(cells):
        return np.repeat(np.repeat(cells, side, axis=0), side, axis=1)[:height, :width]

    outline = near & judged & (truth < 255) & spread(has_ground & has_person)
    if not outline.any():
        return 0.0
    shown = matte.astype(int) * (255 - truth.astype(int)) * spread(difference)
    return float(shown[outline].mean() / 255**2)


def agreement(matte, reference):
    """(intersection over union, F of the outlines)"""
    precision, recall = boundary(matte, reference, np.ones(matte.shape, bool))
    return iou(matte, reference), 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)


def face_coverage(matte, faces):
    height, width = matte.shape
    shares = []
    for x, y, w, h in faces:
        left, right = max(0, math.floor(x)), min(width, math.ceil(x + w))
        top, bottom = max(0, math.floor(y)), min(height, math.ceil(y + h))
        if left < right and top < bottom:
            shares.append(matte[top:bottom, left:right].mean() / 255)
    return float(np.mean(shares)) if shares else None


def moved(frame, before):
    """Where picture or truth changed by more than noise."""
    change = np.zeros(frame["matte"].shape, int)
    for channel in range(3):
        difference = frame["rgb"][:, :, channel] - before["rgb"][:, :, channel]
        change += np.abs(ndimage.convolve(difference, np.ones((3, 3), int), mode="nearest"))

    def median(values):
        return min(63, int(np.sort(values, axis=None)[(values.size - 1) // 2]))

    bright = frame["rgb"][:, :, 1] // 32
    whole = median(change)
    result = np.zeros(change.shape, bool)
    for level in range(8):
        own = change[bright == level]
        middle = median(own) if own.size * 256 >= change.size else whole
        result |= (bright == level) & (change > min(max(7 * min(middle, 2 * whole), 54), 324))
    if frame["truth"] is not None and before["truth"] is not None:
        result |= np.abs(frame["truth"].astype(int) - before["truth"].astype(int)) > 8
    return result


def flicker(frame, before):
    radius = max(1, math.floor(8 * frame["matte"].shape[1] / 640 + 0.5))
    still = ~ndimage.binary_dilation(moved(frame, before), morphology.disk(radius))
    if frame["truth"] is not None and before["truth"] is not None:
        still &= frame["judged"] & before["judged"]
    if not still.any() or 100 * still.sum() < still.size:
        return None
    change = np.abs(frame["matte"].astype(int) - before["matte"].astype(int))
    return float(change[still].mean() / 255 * 1000)


def holes(mask, person):
    """The area of enclosed gaps, in thousandths of the truth's person, or of the filled mask."""
    gaps, count = ndimage.label(~mask)
    border = set(np.concatenate([gaps[0], gaps[-1], gaps[:, 0], gaps[:, -1]]).tolist())
    inside = np.isin(gaps, list(set(range(1, count + 1)) - border))
    if person is None:
        whole = (mask | inside).sum()
        return 1000 * float(inside.sum() / whole) if whole else 0.0
    return 1000 * float((inside & person).sum() / person.sum()) if person.any() else None


def score(frame, before):
    matte, truth, grey = frame["matte"], frame["truth"], frame["grey"]
    a = matte / 255.0
    mask = matte >= 128
    row = {
        "soft": float(((a > 0.05) & (a < 0.95)).mean()),
        "components": float(ndimage.label(mask, np.ones((3, 3)))[1]),
        "area": float(a.mean()),
        "edge-contrast": edge_contrast(matte, frame["rgb"]),
        "face-coverage": face_coverage(matte, frame["faces"]),
    }
    if frame["has_matte"]:
        row["edge-alignment"] = edge_alignment(matte, grey)
    if before is not None and frame["has_matte"] and before["has_matte"]:
        row["flicker"] = flicker(frame, before)
    if truth is None:
        return row
    row["holes"] = holes(mask, truth >= 128)
    # Left-out pixels are background in both.
    judged = frame["judged"]
    own = np.where(judged, matte, 0)
    precision, recall = boundary(own, truth, judged)
    error = own / 255.0 - truth / 255.0
    row |= {
        "iou": iou(own, truth),
        "boundary-f": 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall),
        "boundary-precision": precision,
        "boundary-recall": recall,
        "sad": float(np.abs(error).sum()),
        "mse": float((error**2)[judged].mean()),
        "gradient": float(((gradient_length(own) - gradient_length(truth)) ** 2).sum()),
        "connectivity": connectivity(own, truth),
        "haze": haze(own, truth, judged),
        "edge-spill": edge_spill(own, truth, judged, frame["rgb"]),
    }
    if before is not None and before["truth"] is not None:
        change = (a - before["matte"] / 255.0) - (truth / 255.0 - before["truth"] / 255.0)
        row["dtssd"] = float(np.sqrt((change[judged & before["judged"]] ** 2).mean()))
    return row


def quarter(plane):
    """Means of 4 x 4 pixels, halves rounded up."""
    height, width = (side // 4 for side in plane.shape)
    return (plane[: 4 * height, : 4 * width].reshape(height, 4, width, 4).astype(int).sum(axis=(1, 3)) + 8) // 16


def summarize(rows, mattes, references, limit):
    summary = {}
    for name in sorted({name for row in rows for name in row}):
        values = [row[name] for row in rows if row.get(name) is not None]
        summary[name] = float(np.mean(values)) if values else None
    areas = np.array([row["area"] for row in rows])
    summary["area-variation"] = float(areas.std() / areas.mean()) if areas.mean() > 0 else None
    middle = np.sort(areas)[(len(areas) - 1) // 2]
    summary["drop-outs"] = float((areas < middle / 4).sum())
    pairs = [agreement(a, b) for a, b in zip(mattes, references)]
    summary["agreement"], summary["outline-agreement"] = (float(np.mean(values)) for values in zip(*pairs))
    mattes, references = [quarter(p) for p in mattes], [quarter(p) for p in references]
    sums = [
        sum(int(np.abs(mattes[i] - references[i - lag]).sum()) for i in range(limit, len(mattes)))
        for lag in range(limit + 1)
    ]
    summary["lag"] = None if len(set(sums)) == 1 else float(np.argmin(sums))
    return summary


def main():
    with open(sys.argv[1]) as file:
        recording = json.load(file)
    width, height = recording["width"], recording["height"]
    planes = np.fromfile(sys.argv[2], np.uint8).reshape(len(recording["frames"]), 7, height * width)
    frames, references = [], []
    for facts, data in zip(recording["frames"], planes):
        rgb = data[:3].reshape(height, width, 3).astype(int)
        frames.append(
            {
                "rgb": rgb,
                "grey": (rgb @ [38, 75, 15] + 64) // 128,
                "matte": data[3].reshape(height, width),
                "has_matte": facts["matte"],
                "truth": (data[4] & data[6]).reshape(height, width) if facts["truth"] else None,
                "judged": data[6].reshape(height, width) > 0,
                "faces": facts["faces"],
            }
        )
        references.append(data[5].reshape(height, width))
    rows = [score(frame, frames[i - 1] if i > 0 else None) for i, frame in enumerate(frames)]
    summary = summarize(rows, [frame["matte"] for frame in frames], references, recording["lag"])
    print(json.dumps({"frames": rows, "summary": summary}))


main()
