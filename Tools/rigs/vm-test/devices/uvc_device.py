"""A USB camera of the video class on the virtual bus, for the kernel's own uvcvideo: MJPG, YUYV, Z16.

    python3 uvc_device.py --pictures FOLDER --log FILE [--realsense]

Descriptors and requests are those of the USB video class, version 1.0; frames come through a bulk endpoint, each payload
with a header of 2 bytes. Each frame carries its number: in a JPEG comment, or in its first 8 bytes. FILE gets a line of
JSON for each that was sent.

With --realsense it has the numbers and formats of an Intel RealSense, and its payload headers the camera's clock, frame counter
and exposure, as the kernel documents them (V4L2_META_FMT_D4XX).
"""

import argparse
import collections
import itertools
import pathlib
import struct
import threading
import time

import emulated
from usb_device import (
    PORTS_OF_A_CONTROLLER,
    UsbDevice,
    configuration_descriptor,
    device_descriptor,
    endpoint_descriptor,
    interface_descriptor,
)

VIDEO_CONTROL, VIDEO_STREAMING = (0x0E, 1, 0), (0x0E, 2, 0)
CLASS_INTERFACE = 0x24
PAYLOAD_BYTES = 16_384

Format = collections.namedtuple("Format", "name code width height rates")
FORMATS = (
    Format("mjpg", None, 640, 480, (30, 15)),
    Format("yuyv", b"YUY2", 640, 480, (30, 15)),
    Format("z16", b"Z16 ", 640, 480, (30, 15)),
)

REALSENSE_FORMATS = (
    Format("z16", b"Z16 ", 640, 480, (30, 15)),
    Format("grey", b"Y8  ", 640, 480, (30, 15)),
    Format("y8i", b"Y8I ", 640, 480, (30, 15)),
)
# The D4M, the first that the kernel knew.
REALSENSE_NUMBERS = (0x8086, 0x0B03)
REALSENSE_NAME = "Intel(R) RealSense(TM) Depth Camera"


def largest_frame(format):
    return format.width * format.height * (1 if format.name == "grey" else 2)


def interval(rate):
    """In units of 100 ns."""
    return 10_000_000 // rate


def class_descriptor(*parts):
    body = b"".join(bytes([part]) if isinstance(part, int) else part for part in parts)
    return bytes([len(body) + 2, CLASS_INTERFACE]) + body


def control_interface():
    """A camera's sensor, the way to the host, and nothing that could be set."""
    sensor = class_descriptor(2, 1, struct.pack("<H", 0x0201), 0, 0, struct.pack("<3H", 0, 0, 0), 3, bytes(3))
    output = class_descriptor(3, 2, struct.pack("<H", 0x0101), 0, 1, 0)
    total = 13 + len(sensor) + len(output)
    header = class_descriptor(1, struct.pack("<HHI", 0x0100, total, 48_000_000), 1, 1)
    return interface_descriptor(0, VIDEO_CONTROL, 0) + header + sensor + output


def streaming_interface(formats):
    body = b""
    for index, format in enumerate(formats, 1):
        if format.code is None:
            body += class_descriptor(6, index, 1, 1, 1, 0, 0, 0, 0)
            frame_kind = 7
        else:
            identifier = format.code + bytes.fromhex("000010008000 00aa00389b71")
            body += class_descriptor(4, index, 1, identifier, 8 if format.name == "grey" else 16, 1, 0, 0, 0, 0)
            frame_kind = 5
        size = largest_frame(format)
        body += class_descriptor(
            *(frame_kind, 1, 0, struct.pack("<HH", format.width, format.height)),
            struct.pack(
                "<4I", size * 8 * min(format.rates), size * 8 * max(format.rates), size, interval(format.rates[0])
            ),
            len(format.rates),
            struct.pack(f"<{len(format.rates)}I", *map(interval, format.rates)),
        )
    count = len(formats)
    total = 13 + count + len(body)
    header = class_descriptor(1, count, struct.pack("<H", total), 0x81, 0, 2, 0, 0, 0, 1, bytes(count))
    bulk = 2
    return interface_descriptor(1, VIDEO_STREAMING, 1) + header + body + endpoint_descriptor(0x81, bulk, 512, 0)


class UvcCamera(UsbDevice):
    def __init__(self, port, pictures, log, is_realsense=False):
        super().__init__(port)
        self._formats = REALSENSE_FORMATS if is_realsense else FORMATS
        numbers = REALSENSE_NUMBERS if is_realsense else (0x1209, 0x0001)
        self.device_descriptor = device_descriptor(*numbers, 0x0100, (0xEF, 2, 1))
        association = struct.pack("<8B", 8, 11, 0, 2, 0x0E, 3, 0, 2)
        self.configuration_descriptor = configuration_descriptor(
            2, association + control_interface() + streaming_interface(self._formats)
        )
        self.strings = {1: "Retake", 2: REALSENSE_NAME if is_realsense else "Emulated UVC camera", 3: "UVC0001"}
        self._pictures = pictures
        self._log = log
        self._probed = self._committed = (1, interval(self._formats[0].rates[0]))
        self._is_realsense = is_realsense
        self._counter = 1000
        # The first time of a frame is 1.5 s before the clock wraps.
        self._clock_start = None
        # How many of the next frames are counted and not sent.
        self.lost_count = 0
        # How many of the next frames are to carry the error bit.
        self.error_count = 0
        self._plugged_count = 0
        self._numbers = itertools.count()

    def plug_in(self):
        super().plug_in()
        self._plugged_count += 1
        threading.Thread(target=self._film, args=(self._plugged_count,), daemon=True).start()

    # Negotiation

    def answer(self, request, data):
        set_current, get_length, get_information, get_default = 0x01, 0x85, 0x86, 0x87
        get_current, get_minimum, get_maximum = 0x81, 0x82, 0x83
        probe, commit = 1, 2
        control, interface = request.value >> 8, request.index & 255
        if interface != 1 or control not in (probe, commit):
            return None
        if request.code == set_current:
            self._probed = self._nearest(data)
            if control == commit:
                self._committed = self._probed
            return b""
        if request.code in (get_current, get_minimum, get_maximum, get_default):
            return self._probe_control(*self._probed)
        if request.code == get_length:
            return struct.pack("<H", 26)
        if request.code == get_information:
            return b"\3"
        return None

    def _nearest(self, data):
        index = min(max(1, data[2]), len(self._formats))
        wanted = struct.unpack("<I", data[4:8])[0]
        return index, min(map(interval, self._formats[index - 1].rates), key=lambda offered: abs(offered - wanted))

    def _probe_control(self, index, period):
        size = largest_frame(self._formats[index - 1])
        return struct.pack("<HBBI5HII", 1, index, 1, period, 0, 0, 0, 0, 0, size, PAYLOAD_BYTES)

    # Filming

    def _film(self, plugged):
        due = 0
        toggle = 0
        while self.is_plugged and self._plugged_count == plugged:
            # The host asks for bytes only while it streams.
            transfer = self.next_transfer(1, 0.2)
            if transfer is None:
                continue
            index, period = self._committed
            name = self._formats[index - 1].name
            number = next(self._numbers)
            due = max(due + period / 1e7, time.monotonic())
            time.sleep(max(0, due - time.monotonic()))
            while self.lost_count > 0:
                self.lost_count -= 1
                self._counter += 1
                due += period / 1e7
            metadata, facts = self._metadata(period) if self._is_realsense else (b"", {})
            is_damaged = self.error_count > 0
            self.error_count -= is_damaged
            is_whole = self._send_frame(transfer, self._pictures.frame(name, number), toggle, is_damaged, metadata)
            toggle ^= 1
            self._log.write(mode=name, number=number, is_damaged=is_damaged, is_whole=is_whole, plugged=plugged - 1, **facts)

    def _metadata(self, period):
        """What follows a payload header's length and flags, and what it says."""
        now = int(time.monotonic() * 1e6)
        if self._clock_start is None:
            self._clock_start = now + 1_500_000
        clock = (now - self._clock_start) & 0xFFFF_FFFF
        self._counter += 1
        exposure = 8500
        header = struct.pack("<IIH", clock, clock, 0)
        control = struct.pack("<15I", 0x8000_0000, 60, 1, 0xFF, 16, exposure, 150, 1, *[0] * 7)
        timing = struct.pack(
            "<10I", 0x8000_0001, 40, 1, 0x3F, self._counter, 4000, 8000, exposure, period // 10, 30_000
        )
        return header + control + timing, {"time": clock, "counter": self._counter}

    def _send_frame(self, transfer, data, toggle, is_damaged, metadata=b""):
        end_of_frame, error, end_of_header, has_time, has_reference = 0x02, 0x40, 0x80, 0x04, 0x08
        position = 0
        while True:
            header = 2 + len(metadata)
            part = data[position : position + min(transfer.length, PAYLOAD_BYTES) - header]
            position += len(part)
            is_last = position >= len(data)
            flags = end_of_header | toggle | (end_of_frame if is_last else 0) | (error if is_damaged else 0)
            flags |= has_time | has_reference if metadata else 0
            if not transfer.complete(bytes([header, flags]) + metadata + part):
                return False
            metadata = b""
            if is_last:
                return True
            transfer = self.next_transfer(1, 1)
            if transfer is None:
                return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--controller", type=int, default=2)
    parser.add_argument("--pictures", type=pathlib.Path, required=True)
    parser.add_argument("--log", type=pathlib.Path, required=True)
    parser.add_argument("--realsense", action="store_true")
    options = parser.parse_args()
    port = options.controller * PORTS_OF_A_CONTROLLER
    camera = UvcCamera(port, emulated.Pictures(options.pictures), emulated.Log(options.log), options.realsense)

    def unplug():
        if camera.is_plugged:
            camera.unplug()

    def damage(count):
        camera.error_count += count

    def lose(count):
        camera.lost_count += count

    camera.plug_in()
    emulated.obey({"unplug": unplug, "plug-in": camera.plug_in, "damage": damage, "lose": lose})
    unplug()


if __name__ == "__main__":
    main()
