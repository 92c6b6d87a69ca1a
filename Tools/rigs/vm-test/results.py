"""The results of a case, checked on the host: recordings, logs and the kernel's buffer trace."""

import collections
import functools
import json
import re
import subprocess
import sys

import numpy as np
from PIL import Image

import catalog
import emulated
import pictures

sys.path.insert(0, str(catalog.FOLDER.parents[2]))
import retake  # noqa: E402  Tools/retake.py, which reads recordings without any of Retake's own code

# One buffer that the recorder took from a V4L2 driver, from the kernel's trace.
Dequeued = collections.namedtuple("Dequeued", "sequence timestamp_microseconds byte_count is_error")


class Failure(Exception):
    """A failed check. The message is short and includes the figures."""


class Results:
    """The results of one case. Cases import nothing else, since the VM loads them too."""

    def __init__(self, folder, binary):
        self.folder = folder
        self.pictures = folder.parent.parent / "pictures"
        self._binary = binary
        self.facts = json.loads((folder / "facts.json").read_text())

    @staticmethod
    def expect(condition, words):
        if not condition:
            raise Failure(words)

    @functools.cache
    def recording(self, name):
        """Opens the recording of the recorder `name`; fails if it is damaged or not closed."""
        path = self.folder / f"{name}.retake"
        self.expect(path.is_dir(), f"there is no recording '{name}': the recorder said {self.said(name)!r}")
        report = json.loads(self._retake("verify", path, "--json"))
        self.expect(report["is_whole"], f"'{name}' is damaged: {report['problems'][:3]}")
        recording = retake.Recording(path)
        self.expect(recording.is_closed, f"'{name}' was not closed")
        return recording

    def exported(self, name, *arguments):
        """Runs `retake export`; returns its PNGs in name order, each as a flat array of 16-bit
        numbers."""
        target = self.folder / f"{name}-{arguments[0]}"
        self._retake("export", *arguments, self.folder / f"{name}.retake", "--output", target, "--json")
        return [np.array(Image.open(path)).astype("<u2").ravel() for path in sorted(target.glob("**/*.png"))]

    def pngs(self, name):
        """Returns the pictures in a folder of the case, in name order."""
        return [np.array(Image.open(path)) for path in sorted((self.folder / name).glob("*.png"))]

    @functools.cache
    def info(self, name):
        return json.loads(self._retake("info", self.folder / f"{name}.retake", "--json"))

    def _retake(self, *arguments):
        command = [str(self._binary), *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True)
        self.expect(result.stdout, f"retake {arguments[0]} said {result.stderr.strip()!r}")
        return result.stdout

    def status(self, name):
        """Returns a recorder's exit code."""
        return self.facts[f"{name}.status"]

    def said(self, name):
        path = self.folder / f"{name}.stderr"
        return path.read_text().strip()[-300:] if path.exists() else ""

    def lost(self, name, stream, stage=None, reason=None):
        """Counts the frames in a stream's events, optionally of one stage or reason."""
        return sum(
            event.count
            for event in self.recording(name).events()
            if event.stream == stream
            and (stage is None or event.stage == stage)
            and (reason is None or event.reason == reason)
        )

    def dequeued(self, node):
        """Returns every buffer that was taken from a node, in order."""
        pattern = re.compile(
            r"v4l2_dqbuf: minor = (\d+),.* bytesused = (\d+), flags = (.*?), field"
            r".* timestamp = (\d+),.* sequence = (\d+)"
        )
        buffers = []
        for line in (self.folder / "dequeued.txt").read_text().splitlines():
            match = pattern.search(line)
            if match and int(match[1]) == self.facts["minors"][node]:
                buffers.append(Dequeued(int(match[5]), int(match[4]) // 1000, int(match[2]), "ERROR" in match[3]))
        return buffers

    def log(self, device):
        """Returns the log entries of an emulated device."""
        return [json.loads(line) for line in (self.folder / f"{device}.log").read_text().splitlines()]

    def frames_sent(self, recording, stream, mode, device="kinect", change=lambda samples: samples):
        """Compares each frame of an emulated Kinect with the one that the emulator sent with that
        tick, after `change`. Frames with lost packets must be marked as damaged. Returns the number
        of whole frames."""
        sent = {entry["tick"]: entry for entry in self.log(device) if entry.get("mode") == mode}
        source = emulated.Pictures(self.pictures)
        count = 0
        for frame in recording.frames(stream):
            entry = sent.get(frame.device_tick)
            self.expect(entry is not None, f"{stream}: no frame with the tick {frame.device_tick} was sent")
            lost = entry["lost_packets"]
            marked = "is marked" if frame.is_damaged else "is not marked"
            self.expect(
                frame.is_damaged == (lost > 0),
                f"{stream}: frame {frame.number} lost {lost} packets and {marked} damaged",
            )
            if lost == 0:
                wanted = change(pictures.samples(mode, source.frame(mode, entry["number"])))
                self.expect(np.array_equal(frame.array, wanted), f"{stream}: frame {frame.number} is not what was sent")
                count += 1
        return count

    def numbered_frames(self, frames, mode):
        """Compares frames with those that an emulated UVC camera sends under the number in each
        frame. Returns the numbers, which must increase."""
        source = emulated.Pictures(self.pictures)
        numbers = []
        for frame in frames:
            number = emulated.number_of(frame.data)
            wanted = source.frame(mode, number) if number < 1 << 32 else b""
            self.expect(frame.data == wanted, f"frame {frame.number} is not what was sent")
            self.expect(not numbers or number > numbers[-1], f"frame {frame.number} was recorded twice, or too late")
            numbers.append(number)
        return numbers

    @staticmethod
    def steps(numbers):
        """Counts missing and repeated numbers in a sequence of a driver's 32-bit numbers."""
        missing = repeated = 0
        for before, after in zip(numbers, numbers[1:]):
            step = (after - before) & 0xFFFF_FFFF
            repeated += step == 0
            missing += step - 1 if 0 < step < 1 << 31 else 0
        return missing, repeated

    @staticmethod
    def contains_in_order(longer, shorter):
        rest = iter(longer)
        return all(any(item == other for other in rest) for item in shorter)
