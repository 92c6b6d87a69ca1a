"""Cut-outs of people: foreground colours and alpha, from pictures whose alpha and background are known."""

import cv2
import numpy


def read_color(path):
    """RGB, uint8."""
    return cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)


def foreground(picture, alpha, background=None, sweeps=12):
    """Foreground colours of a picture by a multi-level least-squares estimate (after Germer 2020).

    Minimises (α F + (1 − α) B − I)² with smoothness that grows where alpha changes. The background is
    estimated too where it is not known. All in 0 to 255, alpha 0 to 1.
    """
    picture, alpha = picture.astype(numpy.float32), alpha.astype(numpy.float32)
    height, width = alpha.shape
    levels = int(numpy.ceil(numpy.log2(max(height, width)))) + 1
    f = b = None
    for level in range(levels):
        share = 2.0 ** (level - levels + 1)
        size = (max(1, round(width * share)), max(1, round(height * share)))
        i = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).reshape(size[1], size[0], 3)
        a = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA).reshape(size[1], size[0])
        known = None
        if background is not None:
            known = cv2.resize(background.astype(numpy.float32), size, interpolation=cv2.INTER_AREA)
            known = known.reshape(size[1], size[0], 3)
        f = i.copy() if f is None else cv2.resize(f, size).reshape(i.shape)
        b = known if known is not None else (i.copy() if b is None else cv2.resize(b, size).reshape(i.shape))
        for _ in range(sweeps if level < levels - 1 else 2 * sweeps):
            f, b = relaxed(f, b, i, a, known)
    return numpy.clip(f, 0, 255)


def relaxed(f, b, i, a, known):
    """One Jacobi step of the 2x2 (or, with a known background, 1x1) system of every pixel."""
    total_f, total_b = numpy.zeros_like(f), numpy.zeros_like(f)
    weight = numpy.zeros_like(a)
    padded = [cv2.copyMakeBorder(x, 1, 1, 1, 1, cv2.BORDER_REPLICATE).reshape(x.shape[0] + 2, x.shape[1] + 2, -1)
              for x in (f, b, a)]
    h, w = a.shape
    for dy, dx in ((0, 1), (2, 1), (1, 0), (1, 2)):
        fn, bn, an = (x[dy:dy + h, dx:dx + w] for x in padded)
        link = 5e-3 + 0.1 * numpy.abs(an[..., 0] - a)
        weight += link
        total_f += link[..., None] * fn
        total_b += link[..., None] * bn
    a1, w1 = a[..., None], weight[..., None]
    if known is not None:
        return (a1 * (i - (1 - a1) * known) + total_f) / (a1 * a1 + w1), known
    # [a² + w, a(1 − a); a(1 − a), (1 − a)² + w] (F, B) = (a I + Σ, (1 − a) I + Σ)
    m00, m01, m11 = a1 * a1 + w1, a1 * (1 - a1), (1 - a1) ** 2 + w1
    r0, r1 = a1 * i + total_f, (1 - a1) * i + total_b
    det = m00 * m11 - m01 * m01
    return (m11 * r0 - m01 * r1) / det, (m00 * r1 - m01 * r0) / det


def exact_portrait(folder, name):
    """(foreground, alpha, background, picture) of a portrait of known alpha; float32, alpha 0 to 1."""
    picture = read_color(f"{folder}/{name}_rgb.png").astype(numpy.float32)
    background = read_color(f"{folder}/{name}_background.png").astype(numpy.float32)
    alpha = cv2.imread(f"{folder}/{name}_alpha.png", cv2.IMREAD_GRAYSCALE).astype(numpy.float32) / 255
    spread = foreground(picture, alpha, background)
    exact = (picture - (1 - alpha[..., None]) * background) / numpy.maximum(alpha, 1e-3)[..., None]
    trust = numpy.clip((alpha - 0.3) / 0.4, 0, 1)[..., None]
    return numpy.clip(trust * exact + (1 - trust) * spread, 0, 255), alpha, background, picture


class Cutout:
    """A person's foreground colours and alpha on a canvas of their own.

    loss: share of pixels without depth, from dark cloth and hair; relief: metres that each pixel lies
    behind the nearest.
    """

    def __init__(self, color, alpha, relief=None, loss=None):
        self.color, self.alpha = color.astype(numpy.float32), alpha.astype(numpy.float32)
        self.relief = relief if relief is not None else relief_of(alpha)
        self.loss = loss if loss is not None else loss_of(color, alpha)

    def placed(self, size, scale, x, y, flip=False, warp=None):
        """(premultiplied colour, alpha, relief, loss) at `size`, the canvas' top left corner at (x, y)."""
        matrix = numpy.array([[scale, 0, x], [0, scale, y]], numpy.float32)
        # Pixel centres: a canvas shrunk by an affine map alone would alias, so it is blurred first.
        sources = [self.color * self.alpha[..., None], self.alpha, self.relief, self.loss]
        if flip:
            sources = [numpy.ascontiguousarray(s[:, ::-1]) for s in sources]
        if scale < 0.75:
            sources = [cv2.GaussianBlur(s, (0, 0), 0.42 / scale) for s in sources]
        matrix[:, 2] += (scale - 1) / 2
        modes = [cv2.INTER_CUBIC, cv2.INTER_CUBIC, cv2.INTER_LINEAR, cv2.INTER_LINEAR]
        if warp is None:
            out = [cv2.warpAffine(s, matrix, size, flags=m) for s, m in zip(sources, modes)]
        else:
            columns, rows = numpy.meshgrid(numpy.arange(size[0], dtype=numpy.float32), numpy.arange(size[1], dtype=numpy.float32))
            mx, my = (columns - matrix[0, 2]) / scale, (rows - matrix[1, 2]) / scale
            dx, dy = warp(mx, my)
            mx, my = (mx + dx).astype(numpy.float32), (my + dy).astype(numpy.float32)
            out = [cv2.remap(s, mx, my, m) for s, m in zip(sources, modes)]
        alpha = numpy.clip(out[1], 0, 1)
        return numpy.clip(out[0], 0, 255 * alpha[..., None]), alpha, out[2], numpy.clip(out[3], 0, 1)


def relief_of(alpha, depth=0.11):
    """Rounded like a body: the edge lies `depth` metres behind the middle."""
    inside = (alpha > 0.5).astype(numpy.uint8)
    distance = cv2.distanceTransform(inside, cv2.DIST_L2, 5)
    size = max(float(distance.max()), 1)
    rise = 1 - numpy.clip(distance / (0.75 * size), 0, 1)
    relief = depth * (1 - numpy.sqrt(numpy.clip(1 - rise ** 2, 0, 1)))
    relief = cv2.GaussianBlur(relief.astype(numpy.float32), (0, 0), max(0.02 * size, 0.5))
    # Outside of the outline the value of the nearest edge, for warps that reach over it.
    return relief


def loss_of(color, alpha):
    """Where a Kinect loses depth: black cloth in blotches, hair where it is thin."""
    light = color.astype(numpy.float32) @ numpy.array([0.3, 0.59, 0.11], numpy.float32)
    light = cv2.GaussianBlur(light, (0, 0), 3)
    dark = numpy.clip((38 - light) / 30, 0, 1) * 0.12
    soft = cv2.boxFilter(((alpha > 0.03) & (alpha < 0.97)).astype(numpy.float32), -1, (11, 11))
    # A plain edge fills a fifth of the window, loose hair more than half of it.
    thin = numpy.clip((soft - 0.25) / 0.4, 0, 1) * 0.7
    return numpy.maximum(dark, thin).astype(numpy.float32)
