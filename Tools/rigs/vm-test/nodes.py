"""Loads kernel drivers in the VM and finds their device nodes."""

import pathlib
import re
import subprocess
import time

# The VM's work folder.
WORK = pathlib.Path("/run/retake-vm")


def modprobe(*arguments):
    result = subprocess.run(["modprobe", "-d", str(WORK), *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"modprobe {' '.join(arguments)}: {result.stderr.strip()}")


def video_nodes(name, index=0):
    """Returns the video nodes of devices with this name prefix; index 0 is the capture node."""
    nodes = []
    for entry in pathlib.Path("/sys/class/video4linux").glob("video*"):
        if (entry / "name").read_text().startswith(name) and (entry / "index").read_text().strip() == str(index):
            nodes.append(f"/dev/{entry.name}")
    return sorted(nodes, key=lambda node: int(re.sub(r"\D", "", node)))


def usb_nodes(place):
    """Returns a list with the node of the device at a USB port; empty until it is configured."""
    device = pathlib.Path("/sys/bus/usb/devices") / place
    try:
        if not (device / "bConfigurationValue").read_text().strip():
            return []
        bus, number = (int((device / name).read_text()) for name in ("busnum", "devnum"))
    except FileNotFoundError:
        return []
    return [f"/dev/bus/usb/{bus:03}/{number:03}"]


def wait_for(list_things, count, limit_seconds=10):
    deadline = time.monotonic() + limit_seconds
    while len(things := list_things()) < count:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{len(things)} of {count} devices came within {limit_seconds} s")
        time.sleep(0.05)
    return things
