"""A Kinect v1's depth, simulated: noise, quantisation, shadows, ragged edges, flying pixels and holes.

Depth maps are float32 metres at 640x480, in the view of the colour camera (registered); 0 is no depth.
Sources: Nguyen 2012 (noise), Khoshelham 2012 (quantisation).
"""

import cv2
import numpy

WIDTH, HEIGHT = 640, 480
FOCAL = 525.0  # pixels at 640 of width
QUANTUM = 0.00307  # 1/m: a step of the sensor at z metres is QUANTUM · z²


def axial_sigma(z):
    return 0.0012 + 0.0019 * (z - 0.4) ** 2


def smooth_noise(generator, sigma, shape=(HEIGHT, WIDTH)):
    """Normal noise of unit variance, correlated over about `sigma` pixels."""
    noise = generator.standard_normal(shape, dtype=numpy.float32)
    if sigma > 0:
        noise = cv2.GaussianBlur(noise, (0, 0), sigma)
    return noise / max(float(noise.std()), 1e-6)


class Layer:
    """A person in front of the room: opacity, depth and how badly the surface reflects, all at 640x480.

    `loss` is the share of pixels without depth, 0 to 1.
    """

    def __init__(self, alpha, z, loss):
        self.alpha, self.z, self.loss = alpha.astype(numpy.float32), z.astype(numpy.float32), loss.astype(numpy.float32)


class Sensor:
    """One camera. What depends on its pattern stays from frame to frame; the rest is drawn for each frame.

    - projector, camera: distances in metres along x from the colour camera to the projector and to the
      infrared camera, on opposite sides. Their sum is 0.075. Each casts a shadow on its side.
    - shift: by how many depth pixels (x, y) the registration is off.
    - border: width in pixels of the frame without depth that registration leaves.
    """

    def __init__(self, seed, projector=0.05, camera=0.025, shift=(0, 0), border=0, noise=1.0, left=True):
        self.generator = numpy.random.default_rng(seed)
        self.projector, self.camera, self.shift = projector, camera, shift
        self.border, self.noise, self.left = border, noise, left
        draw = self.generator
        self.fixed_move = [smooth_noise(draw, 3) * 0.8 for _ in range(2)]
        # Holes are patches of several sizes.
        self.fixed_loss = 0.45 * smooth_noise(draw, 1.4) + 0.89 * smooth_noise(draw, 3.6)
        self.fixed_loss /= self.fixed_loss.std()
        self.fixed_edge = smooth_noise(draw, 1.2)
        self.fixed_depth = smooth_noise(draw, 2.5)
        self.rows, self.columns = numpy.mgrid[0:HEIGHT, 0:WIDTH].astype(numpy.float32)

    def uniform(self, fixed, share, sigma):
        """Noise spread evenly over 0 to 1, `share` of its variance fixed."""
        fresh = smooth_noise(self.generator, sigma)
        # A logistic curve, within 0.01 of the normal distribution's.
        return 1 / (1 + numpy.exp(-1.702 * (numpy.float32(share ** 0.5) * fixed + numpy.float32((1 - share) ** 0.5) * fresh)))

    def frame(self, room, layers):
        """A depth frame in millimetres (uint16), of the room's depth and layers from back to front."""
        draw = self.generator
        move_x = self.columns + self.fixed_move[0] + 0.45 * smooth_noise(draw, 2.5)
        move_y = self.rows + self.fixed_move[1] * 0.8 + 0.35 * smooth_noise(draw, 2.5)
        z = cv2.remap(room.astype(numpy.float32), move_x, move_y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        loss = numpy.full((HEIGHT, WIDTH), 0.0012, numpy.float32)
        edge_noise = 0.10 * self.fixed_edge + 0.05 * smooth_noise(draw, 1)
        for layer in layers:
            soft = cv2.GaussianBlur(layer.alpha, (0, 0), 0.9)
            soft = cv2.remap(soft, move_x, move_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            near = soft > 0.5 + edge_noise
            z = numpy.where(near, layer.z, z)
            loss = numpy.where(soft > 0.15, layer.loss, loss)
        z = self.fly(z)
        lit = self.seen(z, self.projector, self.left) & self.seen(z, self.camera, not self.left)
        hole = ~lit | (self.uniform(self.fixed_loss, 0.85, 1.6) < loss) | self.rim(z)
        z = self.quantised(z)
        z[hole] = 0
        return self.placed(z)

    def fly(self, z):
        """Some pixels at steps of depth lie in between, for the matching window saw both surfaces."""
        near, far = cv2.erode(z, numpy.ones((3, 3))), cv2.dilate(z, numpy.ones((3, 3)))
        at_step = (far - near) > 0.06 * near
        chosen = at_step & (self.uniform(self.fixed_edge, 0.6, 0.7) < 0.07)
        weight = self.generator.random((HEIGHT, WIDTH), dtype=numpy.float32)
        between = 1 / (weight / near + (1 - weight) / far)
        return numpy.where(chosen, between, z)

    def rim(self, z):
        """Far pixels beside a near surface are often lost, near ones seldom."""
        near = cv2.erode(z, numpy.ones((5, 5)))
        far = cv2.dilate(z, numpy.ones((3, 3)))
        noise = self.uniform(self.fixed_edge, 0.75, 1)
        behind = (z - near) > 0.06 * near
        before = (far - z) > 0.06 * z
        return (behind & (noise > 0.6)) | (before & (noise > 0.96))

    def seen(self, z, baseline, from_right):
        """Whether a second viewpoint, `baseline` metres to the side, sees each pixel's surface.

        Projects all pixels into that view, nearest last, and compares.
        """
        if baseline <= 0:
            return numpy.ones(z.shape, bool)
        sign = -1.0 if from_right else 1.0
        at = self.columns + sign * FOCAL * baseline / z
        margin = 160
        wide = WIDTH + 2 * margin
        cell = numpy.clip(numpy.floor(at).astype(numpy.int64) + margin, 0, wide - 2)
        index = self.rows.astype(numpy.int64) * wide + cell
        # 16 bits, which numpy sorts by radix.
        far = 65535 - numpy.clip(z * 5000, 0, 65535).astype(numpy.uint16)
        order = numpy.argsort(far, axis=None, kind="stable")
        nearest = numpy.full(HEIGHT * wide, numpy.inf, numpy.float32)
        flat_index, flat_z = index.ravel()[order], z.ravel()[order]
        nearest[flat_index] = flat_z
        # Neighbouring cells close the gaps of surfaces that the other view sees stretched.
        second = numpy.full(HEIGHT * wide, numpy.inf, numpy.float32)
        second[flat_index + 1] = flat_z
        nearest = numpy.minimum(nearest, second)
        return z <= nearest[index] * 1.03 + 0.02

    def quantised(self, z):
        sigma = axial_sigma(z) * self.noise
        fresh = smooth_noise(self.generator, 0.8)
        z = z + sigma * (0.6 * self.fixed_depth + 0.8 * fresh)
        z = numpy.clip(z, 0.3, 12)
        steps = numpy.rint(1 / (QUANTUM * z))
        return 1 / (QUANTUM * numpy.maximum(steps, 1))

    def placed(self, z):
        """Moves by the registration's error, cuts the border and rounds to millimetres."""
        z = numpy.where((z > 0.45) & (z < 8), z, 0)
        x, y = self.shift
        if x or y:
            moved = numpy.zeros_like(z)
            moved[max(y, 0):HEIGHT + min(y, 0), max(x, 0):WIDTH + min(x, 0)] = (
                z[max(-y, 0):HEIGHT + min(-y, 0), max(-x, 0):WIDTH + min(-x, 0)])
            z = moved
        if self.border:
            b = self.border
            z[:, :b] = z[:, WIDTH - b:] = 0
            z[:b // 2] = z[HEIGHT - b // 2:] = 0
        return numpy.rint(z * 1000).astype(numpy.uint16)


def colour_noise(generator, picture, sigma):
    """A colour frame: shot and read noise of a small sensor, smoothed as demosaicing does. uint8 RGB."""
    value = picture.astype(numpy.float32)
    grain = generator.standard_normal(picture.shape, dtype=numpy.float32)
    grain = 0.75 * grain + 0.9 * cv2.GaussianBlur(grain, (0, 0), 0.8)
    grain /= max(float(grain.std()), 1e-6)
    strength = sigma * numpy.sqrt(0.35 + 0.65 * value / 128)
    return numpy.clip(numpy.rint(value + strength * grain), 0, 255).astype(numpy.uint8)


def webcam(generator, picture, sigma, quality=72):
    """A colour frame of a cheap camera: soft lens, noise, sharpening with overshoot, JPEG with quarter chroma. RGB."""
    soft = cv2.GaussianBlur(picture.astype(numpy.float32), (0, 0), 0.9)
    noisy = colour_noise(generator, soft, sigma).astype(numpy.float32)
    sharp = noisy + 0.7 * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.6))
    value = numpy.clip(numpy.rint(sharp), 0, 255).astype(numpy.uint8)
    code = cv2.imencode(".jpg", value[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return numpy.ascontiguousarray(cv2.imdecode(code, cv2.IMREAD_COLOR)[..., ::-1])
