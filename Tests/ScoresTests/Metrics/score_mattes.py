"""Scores mattes by the definitions, with numpy, scipy and scikit-image, and prints them as JSON.

Usage: score_mattes.py WIDTH HEIGHT FRAMES FILE. FILE has for each frame a matte, the true matte and a picture in grey, 8-bit
rows without gaps."""

import json
import sys

import numpy as np
from scipy import ndimage
from skimage import measure, morphology

FOUR = ndimage.generate_binary_structure(2, 1)
EIGHT = ndimage.generate_binary_structure(2, 2)


def overlap(a, b):
    a, b = a >= 128, b >= 128
    union = np.logical_or(a, b).sum()
    return 1.0 if union == 0 else float(np.logical_and(a, b).sum() / union)


def boundary(matte):
    """DAVIS' boundary map at the mask's own size."""
    mask = (matte >= 128).astype(np.uint8)
    padded = np.pad(mask, ((0, 1), (0, 1)), mode="edge")
    east, south, diagonal = padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]
    return ((mask ^ east) | (mask ^ south) | (mask ^ diagonal)).astype(bool)


def tolerance(matte):
    return max(1, int(np.floor(2 * matte.shape[1] / 640 + 0.5)))


def boundary_f(matte, truth):
    a, b = boundary(matte), boundary(truth)
    disk = morphology.disk(tolerance(matte))
    if a.sum() == 0 or b.sum() == 0:
        precision, recall = float(a.sum() == 0), float(b.sum() == 0)
    else:
        precision = float((a & ndimage.binary_dilation(b, disk)).sum() / a.sum())
        recall = float((b & ndimage.binary_dilation(a, disk)).sum() / b.sum())
    f = 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)
    return {"precision": precision, "recall": recall, "f": f}


def gradient_length(matte):
    sigma, epsilon = 1.4, 1e-2
    half = int(np.ceil(sigma * np.sqrt(-2 * np.log(np.sqrt(2 * np.pi) * sigma * epsilon))))
    x = np.arange(-half, half + 1)
    smooth = np.exp(-(x**2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
    slope = -x * smooth / sigma**2
    kernel = np.outer(smooth, slope)
    kernel /= np.sqrt((kernel**2).sum())
    alpha = matte / 255.0
    along = ndimage.convolve(alpha, kernel, mode="nearest")
    down = ndimage.convolve(alpha, kernel.T, mode="nearest")
    return np.sqrt(along**2 + down**2)


def connectivity(matte, truth):
    a, b = matte.astype(int), truth.astype(int)
    level = np.full(matte.shape, -1)
    for step in range(1, 11):
        both = (10 * a >= 255 * step) & (10 * b >= 255 * step)
        labels = measure.label(both, connectivity=1)
        counts = np.bincount(labels.ravel())[1:]
        largest = labels == 1 + int(np.argmax(counts)) if len(counts) else np.zeros(matte.shape, bool)
        level[(level == -1) & ~largest] = step - 1
    level[level == -1] = 10

    def phi(values):
        distance = 10 * values - 255 * level  # 2550ths
        return 2550 - distance * (distance >= 382.5)

    return float(np.abs(phi(a) - phi(b)).sum() / 2550)


def holes_of(mask):
    gaps, count = ndimage.label(~mask, FOUR)
    edge = np.concatenate([gaps[0], gaps[-1], gaps[:, 0], gaps[:, -1]])
    return gaps, [i for i in range(1, count + 1) if i not in edge]


def shape(matte):
    mask = matte >= 128
    gaps, holes = holes_of(mask)
    return {
        "area": float(matte.mean() / 255),
        "soft": float(((matte / 255 > 0.05) & (matte / 255 < 0.95)).mean()),
        "components": int(ndimage.label(mask, EIGHT)[1]),
        "holes": len(holes),
        "hole_pixels": int(sum((gaps == i).sum() for i in holes)),
    }


def alignment(matte, picture):
    def slopes(plane):
        padded = np.pad(plane.astype(int), 1, mode="edge")
        return padded[1:-1, 2:] - padded[1:-1, :-2], padded[2:, 1:-1] - padded[:-2, 1:-1]

    def square(x, y):
        return (x * x + y * y).astype(np.float32)

    (ax, ay), (ix, iy) = slopes(matte), slopes(picture)
    # In single precision, rounded, by definition.
    whole = np.floor(np.sqrt(square(ax, ay) * square(ix, iy)) + np.float32(0.5)).sum(dtype=np.float64)
    return None if whole == 0 else float(np.abs(ax * ix + ay * iy).sum() / whole)


def haze(matte, truth):
    near = ndimage.binary_dilation(boundary(truth), morphology.disk(tolerance(matte)))
    outside = (truth == 0) & ~near
    return float(matte[outside].mean() / 255 * 1000) if outside.any() else None


def quarter(plane):
    """Means of 4 x 4 pixels; what is left over is left out."""
    h, w = plane.shape[0] // 4, plane.shape[1] // 4
    return (plane[: h * 4, : w * 4].reshape(h, 4, w, 4).sum(axis=(1, 3)) + 8) // 16


def main():
    width, height, count = map(int, sys.argv[1:4])
    data = np.fromfile(sys.argv[4], np.uint8).reshape(count, 3, height, width)
    frames = []
    for i, (matte, truth, grey) in enumerate(data):
        a, b = matte.astype(int), truth.astype(int)
        scores = {
            "overlap": overlap(matte, truth),
            "sad": float(np.abs(a - b).sum() / 255),
            "mse": float((((a - b) / 255) ** 2).mean()),
            "boundary": boundary_f(matte, truth),
            "gradient": float(((gradient_length(matte) - gradient_length(truth)) ** 2).sum()),
            "connectivity": connectivity(matte, truth),
            "shape": shape(matte),
            "true_hole_pixels": int((np.isin(*holes_of(matte >= 128)) & (truth >= 128)).sum()),
            "haze": haze(matte, truth),
            "alignment": alignment(matte, grey),
            "face": float(matte[height // 4 : height // 2, width // 3 : width].mean() / 255),
        }
        if i > 0:
            before, truth_before, _ = data[i - 1]
            change = (a - before.astype(int)) - (b - truth_before.astype(int))
            scores["dtssd"] = float(np.sqrt(((change / 255) ** 2).mean()))
        frames.append(scores)
    areas = np.array([f["shape"]["area"] for f in frames])
    middle = np.sort(areas)[(count - 1) // 2]
    mattes = np.array([quarter(matte.astype(int)) for matte in data[:, 0]])
    truths = np.array([quarter(truth.astype(int)) for truth in data[:, 1]])
    limit = 4
    lags = [float(np.abs(mattes[limit:] - truths[limit - k : count - k]).sum()) for k in range(limit + 1)]
    series = {
        "variation": None if areas.mean() == 0 else float(areas.std() / areas.mean()),
        "drop_outs": [int(i) for i in np.flatnonzero(areas < middle / 4)],
        "lag": None if len(set(lags)) == 1 else int(np.argmin(lags)),
    }
    print(json.dumps({"frames": frames, "series": series}))


main()
