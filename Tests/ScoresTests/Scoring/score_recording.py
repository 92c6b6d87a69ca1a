"""Scores one setting's mattes of a recording by the definitions, with numpy, scipy and scikit-image, and prints JSON.

Usage: score_recording.py JSON PLANES. JSON has width, height, lag and frames: number, matte, truth and reference (whether
there is one) and faces ([x, y, width, height]). PLANES has for each frame a picture in packed RGB, a matte, a truth and a
reference, 8 bits, rows without gaps; zeros where there is none."""

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


def boundary_f(matte, truth):
    a, b = contour(matte), contour(truth)
    if not a.any() and not b.any():
        return 1.0
    if not a.any() or not b.any():
        return 0.0
    disk = morphology.disk(math.ceil(0.008 * math.hypot(*matte.shape)))
    precision = (a & ndimage.binary_dilation(b, disk)).sum() / a.sum()
    recall = (b & ndimage.binary_dilation(a, disk)).sum() / b.sum()
    return 0.0 if precision + recall == 0 else float(2 * precision * recall / (precision + recall))


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

    (ax, ay), (gx, gy) = slopes(matte), slopes(grey)
    whole = (np.hypot(ax, ay) * np.hypot(gx, gy)).sum()
    return None if whole == 0 else float(np.abs(ax * gx + ay * gy).sum() / whole)


def face_coverage(matte, faces):
    height, width = matte.shape
    shares = []
    for x, y, w, h in faces:
        left, right = max(0, math.floor(x)), min(width, math.ceil(x + w))
        top, bottom = max(0, math.floor(y)), min(height, math.ceil(y + h))
        if left < right and top < bottom:
            shares.append(matte[top:bottom, left:right].mean() / 255)
    return float(np.mean(shares)) if shares else None


def block(plane, x0, x1, y0, y1, dx, dy):
    rows = np.clip(np.arange(y0, y1) + dy, 0, plane.shape[0] - 1)
    columns = np.clip(np.arange(x0, x1) + dx, 0, plane.shape[1] - 1)
    return plane[np.ix_(rows, columns)]


def nearest(now, before, place, center, radius):
    """Least difference first, then the shortest way, then rows."""
    here = block(now, *place, 0, 0)
    return min(
        (int(np.abs(here - block(before, *place, dx, dy)).sum()), dx * dx + dy * dy, dy, dx)
        for dy in range(center[1] - radius, center[1] + radius + 1)
        for dx in range(center[0] - radius, center[0] + radius + 1)
    )


def carried(plane, now, before):
    """A plane of the frame before, carried along by what the picture's blocks did."""
    now, before = now.astype(int), before.astype(int)
    height, width = now.shape

    small, small_before = quarter(now), quarter(before)
    result = np.zeros(plane.shape, int)
    for y0 in range(0, height, 16):
        for x0 in range(0, width, 16):
            place = (x0, min(x0 + 16, width), y0, min(y0 + 16, height))
            coarse = tuple(v // 4 for v in place)
            start = (0, 0)
            if coarse[1] > coarse[0] and coarse[3] > coarse[2]:
                _, _, dy, dx = nearest(small, small_before, coarse, (0, 0), 4)
                start = (4 * dx, 4 * dy)
            far, near = nearest(now, before, place, start, 3), nearest(now, before, place, (0, 0), 3)
            best = near if near[0] <= far[0] else far
            dx, dy = best[3], best[2]
            area = (place[1] - place[0]) * (place[3] - place[2])
            if np.abs(block(now, *place, 0, 0) - block(before, *place, 0, 0)).sum() <= best[0] + area:
                dx, dy = 0, 0
            result[place[2] : place[3], place[0] : place[1]] = block(plane, *place, dx, dy)
    return result


def flicker(matte, before, grey, grey_before):
    band = np.zeros(matte.shape, bool)
    for plane in (matte, before):
        edge = contour(plane)
        if edge.any():
            band |= ndimage.distance_transform_edt(~edge) <= 6
    if not band.any():
        return None
    return float(np.abs(matte.astype(int) - carried(before, grey, grey_before))[band].mean() / 255)


def score(frame, before):
    matte, truth, grey = frame["matte"], frame["truth"], frame["grey"]
    a = matte / 255.0
    mask = matte >= 128
    gaps, count = ndimage.label(~mask)
    border = set(np.concatenate([gaps[0], gaps[-1], gaps[:, 0], gaps[:, -1]]).tolist())
    row = {
        "soft": float(((a > 0.05) & (a < 0.95)).mean()),
        "holes": float(len(set(range(1, count + 1)) - border)),
        "components": float(ndimage.label(mask, np.ones((3, 3)))[1]),
        "area": float(a.mean()),
        "face-coverage": face_coverage(matte, frame["faces"]),
    }
    if frame["has_matte"]:
        row["edge-alignment"] = edge_alignment(matte, grey)
    if before is not None and frame["has_matte"] and before["has_matte"]:
        row["flicker"] = flicker(matte, before["matte"], grey, before["grey"])
    if truth is None:
        return row
    t = truth / 255.0
    row |= {
        "iou": iou(matte, truth),
        "boundary-f": boundary_f(matte, truth),
        "sad": float(np.abs(a - t).sum()),
        "mse": float(((a - t) ** 2).mean()),
        "gradient": float(((gradient_length(matte) - gradient_length(truth)) ** 2).sum()),
        "connectivity": connectivity(matte, truth),
    }
    if before is not None and before["truth"] is not None:
        change = (a - before["matte"] / 255.0) - (t - before["truth"] / 255.0)
        row["dtssd"] = float(np.sqrt((change**2).mean()))
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
    planes = np.fromfile(sys.argv[2], np.uint8).reshape(len(recording["frames"]), 6, height * width)
    frames, references = [], []
    for facts, data in zip(recording["frames"], planes):
        rgb = data[:3].reshape(height, width, 3).astype(int)
        frames.append(
            {
                "grey": (rgb @ [38, 75, 15] + 64) // 128,
                "matte": data[3].reshape(height, width),
                "has_matte": facts["matte"],
                "truth": data[4].reshape(height, width) if facts["truth"] else None,
                "faces": facts["faces"],
            }
        )
        references.append(data[5].reshape(height, width))
    rows = [score(frame, frames[i - 1] if i > 0 else None) for i, frame in enumerate(frames)]
    summary = summarize(rows, [frame["matte"] for frame in frames], references, recording["lag"])
    print(json.dumps({"frames": rows, "summary": summary}))


main()
