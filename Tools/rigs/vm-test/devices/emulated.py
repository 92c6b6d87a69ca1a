"""What every emulated device has: pictures to show, a log of what it sent, and a case that tells it what to do."""

import json
import sys
import threading


class Pictures:
    """The frames of each mode, in turn, as pictures.py made them; each with its number."""

    def __init__(self, folder, are_numbered=True):
        self._folder = folder
        self._are_numbered = are_numbered
        self._by_mode = {}

    def frame(self, mode, number):
        if mode not in self._by_mode:
            files = sorted(self._folder.glob(f"{mode}-[0-9].*"))
            self._by_mode[mode] = [file.read_bytes() for file in files]
        pictures = self._by_mode[mode]
        picture = pictures[number % len(pictures)]
        return numbered(picture, number) if self._are_numbered else picture


def numbered(picture, number):
    """A JPEG file gets a comment behind its start, anything else has its first 8 bytes replaced."""
    name = number.to_bytes(8, "big")
    if picture.startswith(b"\xff\xd8"):
        return picture[:2] + b"\xff\xfe\x00\x0a" + name + picture[2:]
    return name + picture[8:]


def number_of(data):
    """What `numbered` wrote into a frame."""
    return int.from_bytes(data[6:14] if data.startswith(b"\xff\xd8") else data[:8], "big")


class Log:
    """A line of JSON for each thing that a device did."""

    def __init__(self, path):
        self._file = open(path, "a")
        self._lock = threading.Lock()

    def write(self, **entry):
        with self._lock:
            self._file.write(json.dumps(entry) + "\n")
            self._file.flush()


def obey(commands):
    """Reads lines of JSON, [command, arguments…], until the input ends; answers each with a line when it is done."""
    print("ready", flush=True)
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        try:
            commands[command](*arguments)
            print("done", flush=True)
        except Exception as error:
            print(f"{type(error).__name__}: {error}", flush=True)
