"""People for scenes in which they move: cut out of the fixtures, with their own depth where it was measured."""

import cv2
import numpy

import cutouts
import rooms


def largest(mask):
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(numpy.uint8))
    return labels == 1 + numpy.argmax(stats[1:, cv2.CC_STAT_AREA]) if count > 1 else mask > 0


def tum_people(folder):
    """The two men of TUM's walking sequence with their measured depth: (sitting, standing with his back to us)."""
    name = "1341846313.592026"
    color = cutouts.read_color(f"{folder}/rgb/{name}.png")
    rough = cv2.imread(f"{folder}/mask/{name}.png", cv2.IMREAD_GRAYSCALE) > 127
    depth = cv2.imread(f"{folder}/depth/1341846313.592088.png", cv2.IMREAD_UNCHANGED).astype(numpy.float32) / 5000
    # Without the border that has no depth.
    return [cropped(tum_person(color, rough, depth, side), 0, 464, 0, 626) for side in ("left", "right")]


def tum_pair(folder):
    """The pair of frames itself: (colour, depth in mm, truth, ignore). What is doubtful by 6 pixels is left out."""
    name = "1341846313.592026"
    color = cutouts.read_color(f"{folder}/rgb/{name}.png")
    rough = cv2.imread(f"{folder}/mask/{name}.png", cv2.IMREAD_GRAYSCALE) > 127
    depth = cv2.imread(f"{folder}/depth/1341846313.592088.png", cv2.IMREAD_UNCHANGED)
    alpha = numpy.maximum(*(tum_person(color, rough, depth.astype(numpy.float32) / 5000, s).alpha for s in ("left", "right")))
    sure = (alpha > 0.5).astype(numpy.uint8)
    band = cv2.dilate(sure, numpy.ones((7, 7))) != cv2.erode(sure, numpy.ones((7, 7)))
    doubt = band | (rough & (sure == 0))
    return color, ((depth.astype(numpy.int64) + 2) // 5).astype(numpy.uint16), alpha, doubt.astype(numpy.uint8) * 255


def tum_person(color, rough, depth, side):
    middle = 400
    columns = numpy.arange(640)[None, :]
    own = rough & ((columns < middle) if side == "left" else (columns >= middle))
    own = largest(own)
    z = float(numpy.median(depth[own & (depth > 0)]))
    near = (depth > 0) & (numpy.abs(depth - z) < 0.55)
    labels = numpy.full(own.shape, cv2.GC_BGD, numpy.uint8)
    labels[own] = cv2.GC_PR_BGD
    beside = cv2.dilate((own & near).astype(numpy.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (17, 17))) > 0
    labels[own & (near | ((depth == 0) & beside))] = cv2.GC_PR_FGD
    labels[~beside] = cv2.GC_BGD
    sure = cv2.erode((own & near).astype(numpy.uint8), numpy.ones((11, 11))) > 0
    labels[sure] = cv2.GC_FGD
    cv2.setRNGSeed(1)
    bgr = cv2.cvtColor(color, cv2.COLOR_RGB2BGR)
    cv2.grabCut(bgr, labels, None, numpy.zeros((1, 65)), numpy.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    mask = largest((labels == cv2.GC_FGD) | (labels == cv2.GC_PR_FGD)).astype(numpy.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9)))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
    mask = largest(mask).astype(numpy.uint8)
    # A pixel less, so that nothing of the old room is in the outline.
    inner = cv2.erode(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3)))
    alpha = cv2.GaussianBlur(inner.astype(numpy.float32), (0, 0), 0.8)
    foreground = cutouts.foreground(color, cv2.GaussianBlur(mask.astype(numpy.float32), (0, 0), 1.0))
    valid = near & (mask > 0)
    relief = filled(numpy.where(valid, depth, 0), valid)
    relief = cv2.GaussianBlur(relief, (0, 0), 1.5) - float(numpy.percentile(depth[valid], 2))
    lost = cv2.GaussianBlur(((mask > 0) & (depth == 0)).astype(numpy.float32), (0, 0), 1.0)
    loss = numpy.maximum(cutouts.loss_of(foreground, alpha) * 0.5, lost)
    return cutouts.Cutout(foreground, alpha, relief, loss)


def cropped(person, top, bottom, left, right, margin=12):
    """The part of a cut-out in these rows and columns, and no wider than the person and a margin."""
    alpha = person.alpha[top:bottom, left:right]
    columns = numpy.flatnonzero(alpha.max(0) > 0.02)
    first, last = max(0, columns[0] - margin), min(alpha.shape[1], columns[-1] + margin)
    parts = [numpy.ascontiguousarray(x[top:bottom, left:right][:, first:last])
             for x in (person.color, person.alpha, person.relief, person.loss)]
    return cutouts.Cutout(*parts)


def filled(values, valid):
    """Values spread from where they are valid, nearest first."""
    _, labels = cv2.distanceTransformWithLabels((~valid).astype(numpy.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    table = numpy.zeros(labels.max() + 1, numpy.float32)
    table[labels[valid]] = values[valid]
    return table[labels]


def shape_person(path, black=False, beige=False):
    """A silhouette with measured depth (Azure Kinect), painted: dark hair, pullover, jeans, shaded by its relief.

    Beige is as the wallpaper and the sofa of the living room are.
    """
    depth = cv2.imread(path, cv2.IMREAD_UNCHANGED).astype(numpy.float32) / 1000
    depth = cv2.resize(depth, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    seed = depth[300, 255]
    near = (depth > 0) & (numpy.abs(depth - seed) < 0.32)
    near = largest(near).astype(numpy.uint8)
    near = cv2.morphologyEx(near, cv2.MORPH_CLOSE, numpy.ones((5, 5)))
    valid = (near > 0) & (depth > 0)
    soft = cv2.GaussianBlur(near.astype(numpy.float32), (0, 0), 2.2)
    alpha = numpy.clip((soft - 0.5) * 2.6 + 0.5, 0, 1)
    relief = cv2.GaussianBlur(filled(numpy.where(valid, depth, 0), valid), (0, 0), 4)
    dy, dx = numpy.gradient(relief)
    light = numpy.clip(0.95 - 22 * dx - 18 * dy, 0.35, 1.25)[..., None]
    rows, columns = numpy.mgrid[0:depth.shape[0], 0:depth.shape[1]].astype(numpy.float32)
    head = rows < 128
    legs = rows > 335 + 8 * numpy.sin(columns / 40)
    knit = 1 + 0.10 * rooms.value_noise(columns / 6, rows / 14, 5)[..., None]
    shirt = numpy.float32((22, 22, 25) if black else (58, 84, 120)) * knit
    stripe = (numpy.mod(rows, 36) < 9)[..., None] & ~numpy.bool_(black)
    shirt = numpy.where(stripe, numpy.float32((196, 190, 176)) * knit, shirt)
    if beige:
        shirt = numpy.float32((170, 162, 146)) * knit
    jeans = numpy.float32((104, 60, 52) if beige else (34, 40, 62)) * (1 + 0.12 * rooms.value_noise(columns / 9, rows / 5, 6)[..., None])
    hair = numpy.float32((46, 32, 24)) * (1 + 0.35 * rooms.value_noise(columns / 3, rows / 22, 7)[..., None])
    skin = numpy.float32((196, 148, 122)) * (1 + 0.03 * rooms.value_noise(columns / 8, rows / 8, 8)[..., None])
    neck = (rows > 112) & head
    color = numpy.where(legs[..., None], jeans, shirt)
    color = numpy.where(head[..., None], numpy.where(neck[..., None], skin, hair), color)
    color = cv2.GaussianBlur(numpy.clip(color * light, 4, 250).astype(numpy.float32), (0, 0), 0.8)
    relief = relief - float(numpy.percentile(relief[near > 0], 2))
    person = cutouts.Cutout(color, alpha, numpy.clip(relief, 0, 0.5), cutouts.loss_of(color, alpha))
    return cropped(person, 0, 556, 0, 640)


def portrait(fixtures, name):
    color, alpha, _, _ = cutouts.exact_portrait(f"{fixtures}/exact-alpha", name)
    return cropped(cutouts.Cutout(color, alpha), 0, color.shape[0], 0, color.shape[1])
