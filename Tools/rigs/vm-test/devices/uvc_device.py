"""A USB camera of the video class on the virtual bus, for the kernel's own uvcvideo: MJPG, YUYV, Z16.

    python3 uvc_device.py --pictures FOLDER --log FILE

Descriptors and requests are those of the USB video class, version 1.0; frames come through a bulk endpoint, each payload
with a header of 2 bytes. Each frame carries its number: in a JPEG comment, or in its first 8 bytes. FILE gets a line of
JSON for each that was sent.
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


def largest_frame(format):
    return format.width * format.height * 2


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


def streaming_interface():
    body = b""
    for index, format in enumerate(FORMATS, 1):
        if format.code is None:
            body += class_descriptor(6, index, 1, 1, 1, 0, 0, 0, 0)
            frame_kind = 7
        else:
            identifier = format.code + bytes.fromhex("000010008000 00aa00389b71")
            body += class_descriptor(4, index, 1, identifier, 16, 1, 0, 0, 0, 0)
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
    count = len(FORMATS)
    total = 13 + count + len(body)
    header = class_descriptor(1, count, struct.pack("<H", total), 0x81, 0, 2, 0, 0, 0, 1, bytes(count))
    bulk = 2
    return interface_descriptor(1, VIDEO_STREAMING, 1) + header + body + endpoint_descriptor(0x81, bulk, 512, 0)


class UvcCamera(UsbDevice):
    def __init__(self, port, pictures, log):
        super().__init__(port)
        self.device_descriptor = device_descriptor(0x1209, 0x0001, 0x0100, (0xEF, 2, 1))
        association = struct.pack("<8B", 8, 11, 0, 2, 0x0E, 3, 0, 2)
        self.configuration_descriptor = configuration_descriptor(
            2, association + control_interface() + streaming_interface()
        )
        self.strings = {1: "Retake", 2: "Emulated UVC camera", 3: "UVC0001"}
        self._pictures = pictures
        self._log = log
        self._probed = self._committed = (1, interval(FORMATS[0].rates[0]))
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

    @staticmethod
    def _nearest(data):
        index = min(max(1, data[2]), len(FORMATS))
        wanted = struct.unpack("<I", data[4:8])[0]
        return index, min(map(interval, FORMATS[index - 1].rates), key=lambda offered: abs(offered - wanted))

    @staticmethod
    def _probe_control(index, period):
        size = largest_frame(FORMATS[index - 1])
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
            name = FORMATS[index - 1].name
            number = next(self._numbers)
            due = max(due + period / 1e7, time.monotonic())
            time.sleep(max(0, due - time.monotonic()))
            is_damaged = self.error_count > 0
            self.error_count -= is_damaged
            is_whole = self._send_frame(transfer, self._pictures.frame(name, number), toggle, is_damaged)
            toggle ^= 1
            self._log.write(mode=name, number=number, is_damaged=is_damaged, is_whole=is_whole, plugged=plugged - 1)

    def _send_frame(self, transfer, data, toggle, is_damaged):
        end_of_frame, error, end_of_header = 0x02, 0x40, 0x80
        position = 0
        while True:
            part = data[position : position + min(transfer.length, PAYLOAD_BYTES) - 2]
            position += len(part)
            is_last = position >= len(data)
            flags = end_of_header | toggle | (end_of_frame if is_last else 0) | (error if is_damaged else 0)
            if not transfer.complete(bytes([2, flags]) + part):
                return False
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
    options = parser.parse_args()
    port = options.controller * PORTS_OF_A_CONTROLLER
    camera = UvcCamera(port, emulated.Pictures(options.pictures), emulated.Log(options.log))

    def unplug():
        if camera.is_plugged:
            camera.unplug()

    def damage(count):
        camera.error_count += count

    camera.plug_in()
    emulated.obey({"unplug": unplug, "plug-in": camera.plug_in, "damage": damage})
    unplug()


if __name__ == "__main__":
    main()
