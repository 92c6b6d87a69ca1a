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

    def placed(self, time, shutter=0.5, samples=3):
        """Averages of some instants (motion blur) for colour and alpha; relief and loss of the middle one."""
        middle = self.at(time)
        if middle is None:
            return None
        ends = self.at(time - shutter / 2) or middle, self.at(time + shutter / 2) or middle
        speed = abs(ends[1][0] - ends[0][0]) * sensor.FOCAL / middle[1]
        instants = [0.0] if speed < 0.5 else numpy.linspace(-shutter / 2, shutter / 2, samples)
        parts = [self.one(time + instant, middle) for instant in instants]
        now = parts[len(parts) // 2]
        color, alpha = (sum(p[i] for p in parts) / len(parts) for i in (0, 1))
        return color, alpha, now[1], now[2], now[3], middle[1]

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


def cast(fixtures):
    """The people, by name."""
    sitting, standing = bodies.tum_people(f"{fixtures}/tum-walking")
    silhouette = f"{fixtures}/depth-people/TestVector2_Person0.png"
    return {
        "sitting": sitting, "standing": standing,
        "striped": bodies.shape_person(silhouette), "black": bodies.shape_person(silhouette, True),
        "hair": bodies.portrait(fixtures, "p_bd6af989"), "bust": bodies.portrait(fixtures, "p_514ca06a"),
        "profile": bodies.portrait(fixtures, "p_015cd10e"),
    }


def scripts(people):
    """Scenes: name → (room, actors, options)."""
    back = lambda: Actor(people["standing"], 1.62, [
        (30, 2.2, 2.3), (52, 0.3, 2.2), (74, 0.3, 2.2), (100, -2.0, 2.6)], stride=10, hip=0.68)
    hair = lambda: Actor(people["hair"], 1.95, [
        (34, -1.9, 2.6), (60, -0.2, 2.3), (78, -0.2, 2.3), (104, -2.0, 2.8)], flips=(69,), stride=10)
    striped = lambda path: Actor(people["striped"], 1.78, path, stride=12, hip=0.62)
    black = lambda path: Actor(people["black"], 1.78, path, stride=12, hip=0.62)
    crossing = lambda: [striped([(30, -2.2, 3.1), (70, 0.9, 2.9), (84, 0.9, 2.9), (108, 2.6, 3.1)]),
                        Actor(people["standing"], 1.62, [(32, 2.0, 2.1), (62, 0.1, 2.0), (82, 0.1, 2.0), (106, -1.9, 2.2)],
                              stride=10, hip=0.68)]
    return {
        "people-behind": ("living", [back()], {}),
        "people-hair": ("living", [hair()], {}),
        "people-crossing": ("office", crossing(), dict(border=8)),
        "people-crossing-dim": ("office", crossing(), dict(border=8, light=0.28, color_noise=5.0)),
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
    for title in scripts(dict.fromkeys("sitting standing striped black hair bust profile".split())):
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
        parts = [actor.placed(number) for actor in actors] if number >= EMPTY else []
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
        writer.frame(sensor.colour_noise(draw, picture, noise), camera.frame(room_z, layers),
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
