"""A USB device in Python, plugged into the kernel's own virtual bus.

The kernel's vhci-hcd speaks USB/IP over any stream socket; here that is one end of a socketpair, so that no network and
no other tool is needed. The wire format is in the kernel's Documentation/usb/usbip_protocol.rst: big-endian, a header
of 48 bytes, then what the transfer carries, then a descriptor of 16 bytes for each isochronous packet.
"""

import collections
import errno
import functools
import socket
import struct
import threading
import time

HIGH_SPEED = 3
_BUS = "/sys/devices/platform/vhci_hcd.0"
# Ports of one virtual host controller; the devices of one camera share a controller.
PORTS_OF_A_CONTROLLER = 30

_SUBMIT, _UNLINK, _SUBMITTED, _UNLINKED = 1, 2, 3, 4
_STALLED = -errno.EPIPE

Request = collections.namedtuple("Request", "kind code value index length")


class Transfer:
    """What the host waits for on an endpoint."""

    def __init__(self, device, sequence, length, start_frame, packets):
        self._device = device
        self._sequence = sequence
        # Bytes that the host has room for.
        self.length = length
        self._start_frame = start_frame
        # The descriptors of isochronous packets as the host sent them; empty for bulk transfers.
        self._packets = packets
        self.packet_count = len(packets) // 16

    def complete(self, data, packet_lengths=()):
        """Gives the host its bytes; those of isochronous packets lie behind each other without gaps, and packets
        without a length are empty. Returns False when the host has taken the transfer back meanwhile."""
        descriptors = _filled(self._packets, tuple(packet_lengths))
        return self._device._complete(self._sequence, data, self._start_frame, self.packet_count, descriptors)


@functools.lru_cache(64)
def _filled(packets, lengths):
    """Descriptors with the lengths that packets came to have: offset, length, actual length, status."""
    filled = bytearray(packets)
    for number in range(len(packets) // 16):
        struct.pack_into(">II", filled, 16 * number + 8, lengths[number] if number < len(lengths) else 0, 0)
    return bytes(filled)


class UsbDevice:
    """Subclasses set the descriptors and answer requests of their class."""

    device_descriptor = b""
    configuration_descriptor = b""
    # By index, from 1.
    strings = {}

    def __init__(self, port):
        self.port = port
        self.is_plugged = False
        self._socket = None
        self._server = None
        self._changed = threading.Condition()
        # Transfers by endpoint in their order, and which of them the host still waits for.
        self._waiting = collections.defaultdict(collections.deque)
        self._open = set()
        # The kernel may take a transfer back before it submits it. Such a one must not be answered later.
        self._latest = 0
        self._taken_back_early = set()
        # One message is sent at a time.
        self._sending = threading.Lock()

    # Plugging

    def plug_in(self):
        kernel_end, self._socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with kernel_end:
            bus_and_device = 0x10000 + self.port + 1
            order = f"{self.port} {kernel_end.fileno()} {bus_and_device} {HIGH_SPEED}"
            # A port that was just unplugged is busy for a moment.
            for _ in range(100):
                try:
                    with open(f"{_BUS}/attach", "w") as file:
                        file.write(order)
                    break
                except OSError as error:
                    if error.errno not in (errno.EBUSY, errno.EINVAL):
                        raise
                    time.sleep(0.05)
            else:
                raise RuntimeError(f"port {self.port} of the virtual bus stays busy")
        self.is_plugged = True
        self._server = threading.Thread(target=self._serve, args=(self._socket,), daemon=True)
        self._server.start()

    def unplug(self):
        """As when the cable is pulled: what the host waits for ends with an error."""
        self.is_plugged = False
        with open(f"{_BUS}/detach", "w") as file:
            file.write(str(self.port))
        # Transfers that are still read from the old connection must not be answered on the next one: the kernel drops
        # a device that answers what it did not ask for.
        self._server.join()
        with self._changed:
            self._waiting.clear()
            self._open.clear()
            self._latest = 0
            self._taken_back_early.clear()
            self._changed.notify_all()

    # What subclasses do

    def answer(self, request, data):
        """A request of the device's class or vendor. Returns the reply's bytes, b"" for one without, or None, which
        stalls the endpoint as devices do for what they do not know."""
        return None

    def next_transfer(self, endpoint, timeout_seconds):
        """The oldest transfer that the host waits for on an endpoint; None when there is none in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting[endpoint], timeout_seconds)
            return self._waiting[endpoint].popleft() if self._waiting[endpoint] else None

    # The wire

    def _serve(self, connection):
        try:
            while True:
                header = self._receive(connection, 48)
                command, sequence, _, direction, endpoint = struct.unpack(">5I", header[:20])
                if command == _SUBMIT:
                    self._take(connection, sequence, direction, endpoint, header)
                elif command == _UNLINK:
                    self._take_back(sequence, struct.unpack(">I", header[20:24])[0])
        except (EOFError, OSError):
            pass

    @staticmethod
    def _receive(connection, count):
        data = bytearray()
        while len(data) < count:
            part = connection.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return bytes(data)

    def _take(self, connection, sequence, direction, endpoint, header):
        _, length, start_frame, packet_count, _ = struct.unpack(">Iiiii", header[20:40])
        self._latest = sequence
        data = self._receive(connection, length) if direction == 0 and length > 0 else b""
        packets = self._receive(connection, 16 * max(0, packet_count))
        if endpoint == 0:
            request = Request(*struct.unpack("<BBHHH", header[40:48]))
            reply = self._standard(request) if request.kind & 0x60 == 0 else self.answer(request, data)
            if reply is None:
                self._reply(sequence, _STALLED, b"", 0)
            elif direction == 0:
                self._reply(sequence, 0, b"", len(data))
            else:
                self._reply(sequence, 0, reply[:length], len(reply[:length]))
            return
        with self._changed:
            if sequence in self._taken_back_early:
                self._taken_back_early.discard(sequence)
                return
            self._open.add(sequence)
            self._waiting[endpoint].append(Transfer(self, sequence, length, start_frame, packets))
            self._changed.notify_all()

    def _take_back(self, sequence, unwanted):
        with self._changed:
            was_open = unwanted in self._open
            self._open.discard(unwanted)
            if unwanted > self._latest:
                self._taken_back_early.add(unwanted)
            for transfers in self._waiting.values():
                for transfer in transfers:
                    if transfer._sequence == unwanted:
                        transfers.remove(transfer)
                        break
            self._send(struct.pack(">5Ii24x", _UNLINKED, sequence, 0, 0, 0, -errno.ECONNRESET if was_open else 0))

    def _complete(self, sequence, data, start_frame, packet_count, descriptors):
        with self._changed:
            if sequence not in self._open:
                return False
            self._open.discard(sequence)
            try:
                self._reply(sequence, 0, data, len(data), start_frame, packet_count, descriptors)
            except OSError:
                # The cable was pulled.
                return False
            return True

    def _reply(self, sequence, status, data, actual_length, start_frame=0, packet_count=0, descriptors=b""):
        header = struct.pack(
            ">5I5i8x", _SUBMITTED, sequence, 0, 0, 0, status, actual_length, start_frame, packet_count, 0
        )
        self._send(b"".join((header, data, descriptors)))

    def _send(self, message):
        with self._sending:
            self._socket.sendall(message)

    # Chapter 9 of the USB specification

    def _standard(self, request):
        get_status, clear_feature, set_feature, set_address = 0, 1, 3, 5
        get_descriptor, get_configuration, set_configuration, get_interface, set_interface = 6, 8, 9, 10, 11
        if request.code == get_descriptor:
            return self._descriptor(request.value >> 8, request.value & 255)
        if request.code == get_status:
            return b"\0\0"
        if request.code == get_configuration:
            return b"\1"
        if request.code == get_interface:
            return b"\0"
        if request.code in (clear_feature, set_feature, set_address, set_configuration, set_interface):
            return b""
        return None

    def _descriptor(self, kind, index):
        if kind == 1:
            return self.device_descriptor
        if kind == 2:
            return self.configuration_descriptor
        if kind == 3 and index == 0:
            return struct.pack("<BBH", 4, 3, 0x0409)
        if kind == 3 and index in self.strings:
            text = self.strings[index].encode("utf-16le")
            return struct.pack("<BB", len(text) + 2, 3) + text
        return None


def device_descriptor(vendor, product, version, device_class=(0, 0, 0)):
    """Strings 1, 2 and 3 are manufacturer, product and serial number."""
    return struct.pack("<BBH4B3H4B", 18, 1, 0x0200, *device_class, 64, vendor, product, version, 1, 2, 3, 1)


def configuration_descriptor(interface_count, body):
    return struct.pack("<BBH5B", 9, 2, 9 + len(body), interface_count, 1, 0, 0x80, 250) + body


def interface_descriptor(number, interface_class, endpoint_count, alternate=0):
    return struct.pack("<9B", 9, 4, number, alternate, endpoint_count, *interface_class, 0)


def endpoint_descriptor(address, attributes, largest_packet, interval):
    return struct.pack("<4BHB", 7, 5, address, attributes, largest_packet, interval)
