"""Mattes as OpenCV scripts and matting libraries make them, to be compared with.

A method is a function of a `Scene` that returns a function (colour BGR, depth in mm) → matte (uint8, the
colour's size). Methods that learn see the empty frames first.
"""

import warnings

import cv2
import numpy

import sheets

DISC = {size: cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)) for size in (3, 5, 7, 9, 11, 13, 15)}


class Scene:
    """A scene's frames; `empty` yields colour and depth without people."""

    def __init__(self, folder, meta):
        self.folder, self.meta = folder, meta
        self.size = (meta["color"]["width"], meta["color"]["height"])

    def frame(self, number):
        return sheets.read(self.folder / "rgb", number), sheets.read(self.folder / "depth", number)

    def empty(self):
        if self.meta["emptyFrames"]:
            return [self.frame(n) for n in range(self.meta["emptyFrames"])]
        empty = Scene(self.folder / "empty", self.meta)
        if not empty.folder.exists():
            return []
        return [empty.frame(n) for n in range(len(list((empty.folder / "rgb").glob("*.png"))))]


def to_color_size(mask, size):
    """A map at the depth's size over the colour: scaled by widths, centres coinciding."""
    height = round(mask.shape[0] * size[0] / mask.shape[1])
    big = cv2.resize(mask, (size[0], height), interpolation=cv2.INTER_LINEAR)
    top = (height - size[1]) // 2
    return big[top:top + size[1]]


def median_plate(scene, limit=25):
    """The empty room's depth: the median of what was measured; 0 where nothing was; None without empty frames."""
    empty = scene.empty()[:limit]
    if not empty:
        return None
    depths = numpy.stack([depth for _, depth in empty]).astype(numpy.float32)
    depths[depths == 0] = numpy.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # pixels without any depth
        plate = numpy.nanmedian(depths, axis=0)
    return numpy.nan_to_num(plate, nan=0)


def components(mask, smallest=1500):
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    keep = numpy.zeros(count, numpy.uint8)
    keep[1:] = (stats[1:, cv2.CC_STAT_AREA] >= smallest) * 255
    return keep[labels]


def cleaned(mask):
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, DISC[3])
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, DISC[7])
    return components(mask)


def plate_mask(depth, plate, margin=0.025):
    """Nearer than the empty room; without one, nearer than Otsu's limit between two peaks of depth."""
    if plate is None:
        near = cv2.convertScaleAbs(numpy.minimum(depth, 5000), alpha=255 / 5000)
        limit, _ = cv2.threshold(near[near > 0].reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        return ((near > 0) & (near <= limit)).astype(numpy.uint8) * 255
    nearer = (depth > 0) & ((plate == 0) | (depth < plate * (1 - margin) - 30))
    return nearer.astype(numpy.uint8) * 255


def opencv_plate(scene):
    """Nearer than the empty room, open and close, small components out, a small blur."""
    plate = median_plate(scene)

    def step(color, depth):
        mask = cleaned(plate_mask(depth, plate))
        return to_color_size(cv2.GaussianBlur(mask, (0, 0), 1.5), scene.size)
    return step


def opencv_cutoff(scene):
    """Nearer than the middle of the two peaks of depth (Otsu): needs no empty room."""
    def step(color, depth):
        mask = cleaned(plate_mask(depth, None))
        return to_color_size(cv2.GaussianBlur(mask, (0, 0), 1.5), scene.size)
    return step


def opencv_mog2(scene):
    """MOG2 on depth as 8 bits, holes as they were, clean-up."""
    model = cv2.createBackgroundSubtractorMOG2(history=200, varThreshold=16, detectShadows=False)
    state = {"last": None}

    def prepared(depth):
        value = cv2.convertScaleAbs(numpy.minimum(depth, 5000), alpha=255 / 5000)
        if state["last"] is not None:
            value = numpy.where(value == 0, state["last"], value)
        state["last"] = value
        return value
    for _, depth in scene.empty():
        model.apply(prepared(depth), learningRate=-1)

    def step(color, depth):
        mask = cleaned(model.apply(prepared(depth), learningRate=0))
        return to_color_size(cv2.GaussianBlur(mask, (0, 0), 1.5), scene.size)
    return step


def guided_filter(guide, source, radius, eps):
    """The grey guided filter (He 2010) of box filters; values 0 to 1."""
    size = (2 * radius + 1, 2 * radius + 1)
    mean_i, mean_p = cv2.boxFilter(guide, -1, size), cv2.boxFilter(source, -1, size)
    cov = cv2.boxFilter(guide * source, -1, size) - mean_i * mean_p
    var = cv2.boxFilter(guide * guide, -1, size) - mean_i * mean_i
    a = cov / (var + eps)
    b = mean_p - a * mean_i
    return cv2.boxFilter(a, -1, size) * guide + cv2.boxFilter(b, -1, size)


def opencv_guided(scene):
    """The plate's mask, then a grey guided filter of radius 8 at the colour's size."""
    mask_of = base_mask(scene)

    def step(color, depth):
        mask = to_color_size(mask_of(depth), scene.size).astype(numpy.float32) / 255
        grey = cv2.cvtColor(color, cv2.COLOR_BGR2GRAY).astype(numpy.float32) / 255
        return numpy.clip(guided_filter(grey, mask, 8, 1e-4) * 255 + 0.5, 0, 255).astype(numpy.uint8)
    return step


def base_mask(scene):
    plate = median_plate(scene)
    return lambda depth: cleaned(plate_mask(depth, plate))


def depth_trimap(mask, depth, size, inner=3, outer=6, holes=6):
    """Trimap (0, 128, 255) at the colour's size: eroded by `inner`, dilated by `outer` depth pixels, and wider at holes."""
    sure = cv2.erode(mask, disc(inner))
    reach = cv2.dilate(mask, disc(outer))
    at_holes = cv2.dilate(mask, disc(outer + holes)) & ((depth == 0).astype(numpy.uint8) * 255)
    trimap = numpy.where(sure > 0, 255, numpy.where((reach > 0) | (at_holes > 0), 128, 0)).astype(numpy.uint8)
    height = round(trimap.shape[0] * size[0] / trimap.shape[1])
    big = cv2.resize(trimap, (size[0], height), interpolation=cv2.INTER_NEAREST)
    top = (height - size[1]) // 2
    return big[top:top + size[1]]


def disc(radius):
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))


def trimaps(scene, folder=None):
    """(number, depth) → trimap: from PNGs of a folder (0, 128, 255) or made from depth."""
    mask_of = base_mask(scene) if folder is None else None

    def trimap(number, depth):
        if folder is not None:
            given = sheets.read(folder, number, cv2.IMREAD_GRAYSCALE)
            return numpy.where(given > 250, 255, numpy.where(given < 5, 0, 128)).astype(numpy.uint8)
        return depth_trimap(mask_of(depth), depth, scene.size)
    return trimap


def grabcut(scene):
    """GrabCut from the depth's trimap, three iterations, at half size; its hard edge a little blurred."""
    trimap_of = trimaps(scene)

    def step(color, depth):
        trimap = trimap_of(0, depth)
        half = (scene.size[0] // 2, scene.size[1] // 2)
        small = cv2.resize(color, half, interpolation=cv2.INTER_AREA)
        t = cv2.resize(trimap, half, interpolation=cv2.INTER_NEAREST)
        inside = cv2.resize(to_color_size(trimap_mask(trimap), scene.size), half, interpolation=cv2.INTER_NEAREST)
        labels = numpy.where(t == 255, cv2.GC_FGD, numpy.where(t == 0, cv2.GC_BGD, numpy.where(
            inside > 0, cv2.GC_PR_FGD, cv2.GC_PR_BGD))).astype(numpy.uint8)
        if (t == 255).sum() < 20:
            return numpy.zeros(scene.size[::-1], numpy.uint8)
        cv2.setRNGSeed(1)
        cv2.grabCut(small, labels, None, numpy.zeros((1, 65)), numpy.zeros((1, 65)), 3, cv2.GC_INIT_WITH_MASK)
        mask = ((labels == cv2.GC_FGD) | (labels == cv2.GC_PR_FGD)).astype(numpy.uint8) * 255
        return cv2.resize(cv2.GaussianBlur(mask, (0, 0), 0.8), scene.size, interpolation=cv2.INTER_LINEAR)
    return step


def trimap_mask(trimap):
    return (trimap >= 128).astype(numpy.uint8) * 255


def closed_form(scene, folder=None, every=1):
    """PyMatting's closed-form matting with a trimap, at the colour's size; `every` counts given trimaps' frames."""
    from pymatting import estimate_alpha_cf
    trimap_of = trimaps(scene, folder)
    count = {"frame": scene.meta["emptyFrames"]}

    def step(color, depth):
        trimap = trimap_of(count["frame"], depth)
        count["frame"] += every
        if not (trimap == 255).any() or not (trimap == 0).any():
            return numpy.where(trimap == 255, 255, 0).astype(numpy.uint8)
        alpha = estimate_alpha_cf(color[..., ::-1] / 255.0, trimap / 255.0, laplacian_kwargs={"epsilon": 1e-5})
        return numpy.clip(alpha * 255 + 0.5, 0, 255).astype(numpy.uint8)
    return step


def foreground_ml(color, matte):
    """PyMatting's multi-level foreground colours (BGR)."""
    from pymatting import estimate_foreground_ml
    f = estimate_foreground_ml(color / 255.0, matte / 255.0)
    return numpy.clip(f * 255 + 0.5, 0, 255).astype(numpy.uint8)


METHODS = {
    "opencv-plate": opencv_plate, "opencv-cutoff": opencv_cutoff, "opencv-mog2": opencv_mog2,
    "opencv-guided": opencv_guided, "grabcut": grabcut, "closed-form": closed_form,
}
