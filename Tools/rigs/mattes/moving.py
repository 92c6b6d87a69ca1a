"""People before a static camera: an empty start, then people who walk, stop, cross and leave. 640x480."""

import cv2
import numpy

import bodies
import cutouts
import rooms
import sensor

SIZE = (640, 480)
RATE = 15
EMPTY = 30


class Actor:
    """A cut-out on a path.

    - meters: height of the canvas in metres; with the distance it gives the size in the picture.
    - path: key frames (frame, x of the canvas' middle in metres, distance); linear in between.
    - low: how many pixels of the canvas' bottom lie below the picture, at least.
    - stride: how far legs swing, in canvas pixels; hip: the canvas row above which nothing swings.
    """

    def __init__(self, person, meters, path, low=4, stride=14, hip=0.6, flips=(), sway=0.0):
        self.person, self.meters, self.path, self.low = person, meters, path, low
        self.stride, self.hip, self.flips, self.sway = stride, hip, flips, sway

    def at(self, time):
        keys = numpy.array(self.path, numpy.float64)
        if time < keys[0, 0] - 1 or time > keys[-1, 0] + 1:
            return None
        return numpy.interp(time, keys[:, 0], keys[:, 1]), numpy.interp(time, keys[:, 0], keys[:, 2])

    def placed(self, time, shutter=0.25):
        """Colour and alpha with motion blur; sharp alpha, relief and loss for depth; the distance."""
        middle = self.at(time)
        if middle is None:
            return None
        ends = self.at(time - 0.5) or middle, self.at(time + 0.5) or middle
        color, alpha, relief, loss = self.one(time, middle)
        length = abs(ends[1][0] / ends[1][1] - ends[0][0] / ends[0][1]) * sensor.FOCAL * shutter
        sharp = alpha
        if length > 1:
            color, alpha = streaked(color, length), streaked(alpha, length)
        return color, alpha, sharp, relief, loss, middle[1]

    def one(self, time, middle):
        x, distance = self.at(time) or middle
        person = self.person
        height, width = person.alpha.shape
        scale = self.meters / height * sensor.FOCAL / distance
        moved = self.moved(time)
        phase = moved * 4.2
        bob = 0.012 * sensor.FOCAL / distance * numpy.sin(2 * phase)
        left = SIZE[0] / 2 + x * sensor.FOCAL / distance - scale * width / 2
        top = SIZE[1] + self.low - scale * height + abs(bob)
        flip = sum(time >= f for f in self.flips) % 2 == 1

        def warp(mx, my):
            below = numpy.clip(my / height - self.hip, 0, 1) / max(1 - self.hip, 1e-3)
            swing = self.stride * numpy.sin(phase) * below ** 1.5 * numpy.sin(mx / width * 6.3)
            lean = self.sway * width * numpy.sin(time / 9) * (1 - my / height)
            return (swing + lean).astype(numpy.float32), numpy.zeros_like(swing, dtype=numpy.float32)

        return person.placed(SIZE, scale, left, top, flip, warp)

    def moved(self, time):
        """Metres walked so far, along x and z."""
        keys = numpy.array(self.path, numpy.float64)
        total = 0.0
        for a, b in zip(keys, keys[1:]):
            part = numpy.clip((time - a[0]) / max(b[0] - a[0], 1e-6), 0, 1)
            total += part * float(numpy.hypot(b[1] - a[1], b[2] - a[2]))
        return total


def streaked(picture, length):
    """Moved by `length` pixels to the side while the shutter is open."""
    size = int(numpy.ceil(length / 2)) * 2 + 1
    kernel = numpy.ones((1, size), numpy.float32)
    kernel[0, 0] = kernel[0, -1] = (length - (size - 2)) / 2
    return cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


def cast(fixtures):
    """The people, by name."""
    sitting, standing = bodies.tum_people(f"{fixtures}/tum-walking")
    silhouette = f"{fixtures}/depth-people/TestVector2_Person0.png"
    return {
        "sitting": sitting, "standing": standing,
        "striped": bodies.shape_person(silhouette), "black": bodies.shape_person(silhouette, True),
        "beige": bodies.shape_person(silhouette, beige=True),
        "hair": bodies.portrait(fixtures, "p_bd6af989"), "bust": bodies.portrait(fixtures, "p_514ca06a"),
        "profile": bodies.portrait(fixtures, "p_015cd10e"),
    }


def scripts(people):
    """Scenes: name → (room, actors, options)."""
    back = lambda: Actor(people["standing"], 1.62, [
        (30, 1.8, 1.95), (52, 0.25, 1.9), (74, 0.25, 1.9), (100, -1.7, 2.0)], stride=10, hip=0.68)
    hair = lambda: Actor(people["hair"], 1.95, [
        (34, -1.9, 2.6), (60, -0.2, 2.3), (78, -0.2, 2.3), (104, -2.0, 2.8)], flips=(69,), stride=10)
    striped = lambda path: Actor(people["striped"], 1.78, path, stride=12, hip=0.62)
    black = lambda path: Actor(people["black"], 1.78, path, stride=12, hip=0.62)
    crossing = lambda: [striped([(30, -2.1, 2.6), (70, 0.4, 2.5), (84, 0.4, 2.5), (108, 2.2, 2.65)]),
                        Actor(people["standing"], 1.62, [(32, 2.0, 2.1), (62, 0.1, 2.0), (82, 0.1, 2.0), (106, -1.9, 2.2)],
                              stride=10, hip=0.68)]
    beige = Actor(people["beige"], 1.78, [(30, 2.0, 2.5), (54, 0.1, 2.2), (78, 0.1, 2.2), (106, -2.2, 2.4)],
                  stride=12, hip=0.62)
    return {
        "people-beige": ("living", [beige], dict(webcam=True)),
        "people-webcam": ("living", [hair(), Actor(people["standing"], 1.62, [
            (36, 1.8, 2.0), (62, 0.6, 1.9), (84, 0.6, 1.9), (109, 1.8, 2.0)], stride=10, hip=0.68)],
                          dict(webcam=True, color_noise=4.0, shift=(-1, -2), light=0.7, shutter=0.5)),
        "people-behind": ("living", [back()], {}),
        "people-hair": ("living", [hair()], {}),
        "people-crossing": ("office", crossing(), dict(border=8)),
        "people-crossing-dim": ("office", crossing(), dict(border=8, light=0.28, color_noise=5.0, shutter=0.5)),
        "people-black": ("office", [black([(30, 2.1, 2.5), (56, -0.1, 2.1), (80, -0.1, 2.1), (104, -2.2, 2.6)])], {}),
        "people-near": ("living", [
            Actor(people["sitting"], 1.25, [(30, -1.6, 2.4), (55, -0.75, 2.3), (109, -0.75, 2.3)], low=-4, stride=0),
            Actor(people["bust"], 0.78, [(36, 1.0, 1.1), (58, 0.18, 1.0), (109, 0.18, 1.0)], low=60, stride=0, sway=0.02)],
            dict(border=8)),
        "people-shift": ("picture", [
            striped([(30, 2.2, 2.6), (54, 0.4, 2.3), (76, 0.4, 2.3), (104, -2.0, 2.5)]),
            Actor(people["profile"], 0.62, [(46, -1.1, 1.3), (64, -0.35, 1.2), (90, -0.35, 1.2), (109, -1.2, 1.3)],
                  low=4, stride=0)], dict(shift=(-2, -3))),
        "people-noise": ("living", [hair(), black([(30, 2.2, 2.9), (56, 0.9, 2.7), (80, 0.9, 2.7), (106, 2.4, 2.9)])],
                         dict(noise=2.0, color_noise=6.0, shift=(1, 0))),
    }


def room_of(kind, fixtures):
    if kind == "living":
        return rooms.rendered(rooms.living_room(), SIZE)
    if kind == "office":
        return rooms.rendered(rooms.office(), SIZE)
    wall = cutouts.read_color(f"{fixtures}/azure-kinect-mkv/color_001.png")[:, 420:]
    return rooms.from_picture(wall, SIZE, near=2.8, far=3.4, tilt=-0.2)


def hidden(part, room_z):
    """An actor without what stands behind furniture; outlines as sharp as a lens makes them."""
    color, alpha, sharp, relief, loss, distance = part
    seen = cv2.GaussianBlur((room_z > distance + 0.5 * relief).astype(numpy.float32), (0, 0), 0.6)
    return color * seen[..., None], alpha * seen, sharp * (seen > 0.5), relief, loss, distance


def shadowed(room, alphas):
    """The room with the soft shadows that people cast on it."""
    for alpha in alphas:
        soft = cv2.resize(alpha, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        soft = cv2.resize(cv2.GaussianBlur(soft, (0, 0), 3.5), SIZE)
        soft = cv2.warpAffine(soft, numpy.float32([[1, 0, 14], [0, 1, 6]]), SIZE)
        room = room * (1 - 0.16 * soft[..., None])
    return room


def make(output, fixtures, only, writer_of, frames=110):
    """`writer_of(title, size, sensor, kind, more)` opens a scene."""
    people = None
    for title in scripts(dict.fromkeys("sitting standing striped black beige hair bust profile".split())):
        if not title.startswith(only):
            continue
        people = people or cast(fixtures)
        kind, actors, options = scripts(people)[title]
        film(title, room_of(kind, fixtures), actors, options, writer_of, frames)
        print(title, flush=True)


def film(title, room, actors, options, writer_of, frames):
    room_color, room_z = room
    light, noise = options.get("light", 1.0), options.get("color_noise", 2.5)
    writer, seed = writer_of(title, options, len(actors))
    draw = numpy.random.default_rng(seed)
    camera = sensor.Sensor(seed + 1, shift=options.get("shift", (0, 0)), border=options.get("border", 0),
                           noise=options.get("noise", 1.0))
    writer.picture("background.png", bytes_of(room_color * light))
    for number in range(frames):
        parts = [actor.placed(number, options.get("shutter", 0.25)) for actor in actors] if number >= EMPTY else []
        parts = sorted((part for part in parts if part is not None), key=lambda part: -part[5])
        exposure = light * (1 + (0.006 * numpy.sin(number / 3) if light < 1 else 0))
        picture = shadowed(room_color, [part[1] for part in parts]) * exposure
        truth = numpy.zeros(SIZE[::-1], numpy.float32)
        own = numpy.zeros(SIZE[::-1] + (3,), numpy.float32)
        layers = []
        for part in parts:
            color, alpha, sharp, relief, loss, distance = hidden(part, room_z)
            picture = color * exposure + (1 - alpha[..., None]) * picture
            own = color * exposure + (1 - alpha[..., None]) * own
            truth = alpha + (1 - alpha) * truth
            layers.append(sensor.Layer(sharp, distance + relief, loss))
        seen = sensor.webcam if options.get("webcam") else sensor.colour_noise
        writer.frame(seen(draw, picture, noise), camera.frame(room_z, layers),
                     bytes_of(truth * 255), bytes_of(own_colors(own, truth)))
    writer.finish()


def bytes_of(picture):
    return numpy.clip(numpy.rint(picture), 0, 255).astype(numpy.uint8)


def own_colors(premultiplied, alpha):
    """Foreground colours, spread to where alpha is nearly 0."""
    inside = premultiplied / numpy.maximum(alpha, 1 / 255)[..., None]
    if not alpha.any():
        return premultiplied
    weight = (alpha > 0.02).astype(numpy.float32)
    total = cv2.GaussianBlur(inside * weight[..., None], (0, 0), 4)
    share = cv2.GaussianBlur(weight, (0, 0), 4)
    return numpy.where(weight[..., None] > 0, inside, total / numpy.maximum(share, 1e-4)[..., None])
