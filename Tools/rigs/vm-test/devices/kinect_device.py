"""A Kinect v1 (model 1414) on the virtual bus: camera, and motor with its accelerometer.

    python3 kinect_device.py --serial A00367A00999045A --pictures FOLDER --log FILE

What the real one answers is known from libfreenect: commands go out as vendor requests with a header of "GM", length,
command and tag, answers come back with "RB". Registers start and stop the two cameras, whose isochronous packets have a
header of 12 bytes and then a piece of the frame. The frames come from FOLDER, made by pictures.py; each carries its
number in its first bytes. FILE gets a line of JSON for each that was sent, so that a recording can be held against it.
"""

import argparse
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

MICROSOFT = 0x045E
CAMERA, MOTOR = 0x02AE, 0x02B0
# What libfreenect takes for the model with a motor of its own.
VERSION_OF_MODEL_1414 = 267
VENDOR_SPECIFIC = (0xFF, 0xFF, 0xFF)

TICK_HERTZ = 60_000_000
# The first clock's end comes two seconds after the first frame, and later clocks are told apart by their start.
FIRST_TICKS = ((1 << 32) - 2 * TICK_HERTZ, 1 << 30, 1 << 31)

# Of the depth camera, in the order of libfreenect's freenect_reg_info: numbers like a real Kinect's, but no real one's.
REGISTRATION = struct.pack(
    "<29i",
    *(0, 10, -6, -1740, -1012),  # dx_center, ax, bx, cx, dx
    *(6210, 4, 3, 1216, -350),  # dx_start, ay, by, cy, dy
    *(2540, 44000, 21000, 0, 0),  # dy_start, dx_beta_start, dy_beta_start, rollout_blank, rollout_size
    *(2, 1, -1650, 122),  # dx_beta_inc, dy_beta_inc, dxdx_start, dxdy_start
    *(-240, -1410, 4120, 310),  # dydx_start, dydy_start, dxdxdx_start, dydxdx_start
    *(-260, 2630, 0, 1900),  # dxdxdy_start, dydxdy_start, back_comp1, dydydx_start
    *(0, 2010),  # back_comp2, dydydy_start
)
CONSTANT_SHIFT = 200
# Distances of emitter and colour camera in cm, the reference plane's in mm, and the size of a pixel there in mm.
ZERO_PLANE = struct.pack("<4f", 7.5, 2.3, 120.0, 0.1042)


class Camera:
    """One of the two cameras: its frames, its packets, and which of them are to be lost."""

    def __init__(self, name, endpoint, flag, packet_data_size):
        self.name = name
        self.endpoint = endpoint
        self._flag = flag
        self._packet_size = 12 + packet_data_size
        self._data_size = packet_data_size
        self._sequence = 0
        # How many packets of which of the next frames stay away.
        self.losses = []

    def packets(self, data, tick):
        """A frame's packets behind each other, and their lengths."""
        count = -(-len(data) // self._data_size)
        size = self._packet_size
        # Room for whole packets; header fields are written for all packets at once, which is fast in Python.
        room = bytearray(count * size)
        for number in range(count):
            part = data[number * self._data_size : (number + 1) * self._data_size]
            room[number * size + 12 : number * size + 12 + len(part)] = part
        start, middle, end = self._flag | 1, self._flag | 2, self._flag | 5
        room[0::size] = b"R" * count
        room[1::size] = b"B" * count
        room[3::size] = bytes([start]) + bytes([middle]) * (count - 2) + bytes([end])
        room[5::size] = bytes((self._sequence + number) & 255 for number in range(count))
        for position, byte in enumerate(struct.pack("<I", tick)):
            room[8 + position :: size] = bytes([byte]) * count
        self._sequence = (self._sequence + count) & 255
        lengths = [size] * (count - 1) + [12 + len(data) - (count - 1) * self._data_size]
        packets = memoryview(room)[: sum(lengths)]
        lost = self.losses.pop(0) if self.losses else 0
        if lost:
            # From the middle, so that the frame still has its start and its end.
            first = count // 2
            packets = bytes(packets[: first * size]) + bytes(packets[(first + lost) * size :])
            del lengths[first : first + lost]
        return packets, lengths, lost


class KinectCamera(UsbDevice):
    def __init__(self, port, serial, pictures, log, frames_per_second):
        super().__init__(port)
        self.device_descriptor = device_descriptor(MICROSOFT, CAMERA, VERSION_OF_MODEL_1414)
        isochronous = 1
        self.configuration_descriptor = configuration_descriptor(
            1,
            interface_descriptor(0, VENDOR_SPECIFIC, 2)
            # Two packets in each microframe: 960 and 880 bytes.
            + endpoint_descriptor(0x81, isochronous, 0x0BC0, 1) + endpoint_descriptor(0x82, isochronous, 0x0B70, 1),
        )
        self.strings = {1: "Microsoft", 2: "Xbox NUI Camera", 3: serial}
        self._pictures = pictures
        self._log = log
        self._period = 1 / frames_per_second
        self._registers = {}
        self._answer = b""
        self.cameras = {
            "color": Camera("color", 1, 0x80, 1908),
            "depth": Camera("depth", 2, 0x70, 1748),
        }
        self._plugged_count = 0

    def plug_in(self):
        self._registers = {}
        super().plug_in()
        plugged = self._plugged_count
        self._plugged_count += 1
        threading.Thread(target=self._film, args=(plugged,), daemon=True).start()

    # Commands

    def answer(self, request, data):
        if request.kind == 0x40 and len(data) >= 8:
            _, _, command, tag = struct.unpack("<2sHHH", data[:8])
            reply = self._obey(command, data[8:])
            self._answer = struct.pack("<2sHHH", b"RB", len(reply) // 2, command, tag) + reply
            return b""
        if request.kind == 0xC0:
            answer, self._answer = self._answer, b""
            return answer
        return None

    def _obey(self, command, argument):
        read_register, write_register, fixed_parameters, algorithm_parameters, read_cmos = 2, 3, 4, 0x16, 0x95
        done = b"\0\0"
        if command == write_register:
            register, value = struct.unpack("<HH", argument)
            self._registers[register] = value
            return done
        if command == read_register:
            return done + struct.pack("<H", self._registers.get(struct.unpack("<H", argument)[0], 0))
        if command == fixed_parameters:
            return bytes(94) + ZERO_PLANE + bytes(322 - 94 - len(ZERO_PLANE))
        if command == algorithm_parameters:
            constant_shift, registration, padding = 0, 0x40, 0x41
            which = struct.unpack("<H", argument[:2])[0]
            if which == constant_shift:
                return done + struct.pack("<H", CONSTANT_SHIFT)
            if which == registration:
                return done + REGISTRATION
            if which == padding:
                return done + struct.pack("<3H", 0, 0, 0)
        if command == read_cmos:
            return done + argument[2:6]
        return done

    # Filming

    def _mode(self, camera):
        """The name of the pictures that the registers ask for; None while the camera is off."""
        if camera == "depth":
            on = self._registers.get(0x06) == 2
            return ("depth11" if self._registers.get(0x12) == 3 else "depth10") if on else None
        state = self._registers.get(0x05, 0)
        if state == 3:
            return "infrared10" if self._registers.get(0x1A) == 1 else "infrared10-high"
        if state == 1:
            if self._registers.get(0x0C) == 5:
                return "uyvy"
            return "bayer" if self._registers.get(0x0D) == 1 else "bayer-high"
        return None

    def _film(self, plugged):
        origin = None
        due = time.monotonic()
        for number in itertools.count():
            modes = {}
            while self._plugged_count == plugged + 1 and self.is_plugged:
                modes = {name: mode for name in self.cameras if (mode := self._mode(name))}
                if modes:
                    break
                time.sleep(0.005)
            else:
                return
            now = time.monotonic()
            if origin is None:
                origin = now
            # A camera that cannot keep up skips, it does not hurry afterwards.
            due = max(due + self._period, now)
            time.sleep(due - now)
            tick = (FIRST_TICKS[plugged % len(FIRST_TICKS)] + round((due - origin) * TICK_HERTZ)) & 0xFFFF_FFFF
            for name, mode in modes.items():
                self._send_frame(self.cameras[name], mode, number, tick, plugged)

    def _send_frame(self, camera, mode, number, tick, plugged):
        data = self._pictures.frame(mode, number)
        packets, lengths, lost = camera.packets(data, tick)
        position = first = 0
        while first < len(lengths):
            transfer = self.next_transfer(camera.endpoint, 0.5)
            if transfer is None:
                break
            these = lengths[first : first + transfer.packet_count]
            if not transfer.complete(packets[position : position + sum(these)], these):
                break
            position += sum(these)
            first += len(these)
        self._log.write(
            camera=camera.name,
            mode=mode,
            number=number,
            tick=tick,
            lost_packets=lost,
            plugged=plugged,
            is_whole=first == len(lengths),
        )


class KinectMotor(UsbDevice):
    def __init__(self, port, log):
        super().__init__(port)
        self.device_descriptor = device_descriptor(MICROSOFT, MOTOR, VERSION_OF_MODEL_1414)
        self.configuration_descriptor = configuration_descriptor(1, interface_descriptor(0, VENDOR_SPECIFIC, 0))
        self.strings = {1: "Microsoft", 2: "Xbox NUI Motor", 3: "0000000000000000"}
        self._log = log
        self._half_degrees = 0
        self._count = 0

    def answer(self, request, data):
        set_led, set_tilt, get_state = 0x06, 0x31, 0x32
        if request.kind == 0xC0 and request.code == get_state:
            # About 819 counts are the earth's gravity. The last axis counts, so that each answer is another.
            axes = (12, 819, self._count % 200 - 100)
            self._count += 1
            self._log.write(motion=axes, half_degrees=self._half_degrees)
            return struct.pack(">2x3hbB", *axes, self._half_degrees, 0)
        if request.kind == 0x40 and request.code == set_tilt:
            self._half_degrees = request.value - (request.value >> 15 << 16)
            self._log.write(tilt_half_degrees=self._half_degrees)
            return b""
        if request.kind == 0x40 and request.code == set_led:
            self._log.write(led=request.value)
            return b""
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--serial", required=True)
    parser.add_argument("--controller", type=int, default=0)
    parser.add_argument("--fps", type=float, default=30)
    parser.add_argument("--unnumbered", action="store_true", help="show the pictures as they are")
    parser.add_argument("--pictures", type=pathlib.Path, required=True)
    parser.add_argument("--log", type=pathlib.Path, required=True)
    options = parser.parse_args()

    log = emulated.Log(options.log)
    pictures = emulated.Pictures(options.pictures, are_numbered=not options.unnumbered)
    port = options.controller * PORTS_OF_A_CONTROLLER
    camera = KinectCamera(port, options.serial, pictures, log, options.fps)
    devices = [camera, KinectMotor(port + 1, log)]

    def unplug():
        for device in devices:
            if device.is_plugged:
                device.unplug()

    def plug_in():
        for device in devices:
            device.plug_in()

    def lose(name, counts):
        camera.cameras[name].losses += counts

    plug_in()
    emulated.obey({"unplug": unplug, "plug-in": plug_in, "lose-packets": lose})
    unplug()


if __name__ == "__main__":
    main()
