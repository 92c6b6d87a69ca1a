"""Runs the recording part of each case inside the VM, one after the other. The recordings are
checked on the host, which is faster; this program only stores what happened.

    python3 guest.py --retake BINARY --udev PACKAGE CASE…
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import time
import traceback

import catalog
from nodes import WORK, modprobe, usb_nodes, video_nodes, wait_for
from processes import Emulator, Recorder

TRACING = pathlib.Path("/sys/kernel/tracing")


class VM:
    """The devices and recorders that a case may use."""

    pictures = WORK / "results/pictures"

    def __init__(self, name, retake, udev):
        self.retake = retake
        self._udev_package = udev
        self.folder = WORK / "recordings" / name
        self.folder.mkdir()
        self._facts = {}
        self._running = []
        self._started = []
        self._emulators = []
        self._has_udev = False

    def note(self, **facts):
        """Stores facts for the check on the host."""
        self._facts.update(facts)

    def record(self, name, *devices, duration=None, options=()):
        """Starts to record the devices."""
        arguments = [word for device in devices for word in ("--device", device)]
        if duration:
            arguments += ["--duration", duration]
        recorder = Recorder(self, name, [*arguments, *options])
        self._running.append(recorder)
        return recorder

    def run(self, name, *arguments, prefix=()):
        """Runs retake to its end; stores its exit code and output as facts."""
        command = [*map(str, prefix), str(self.retake), *map(str, arguments)]
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        facts = {"status": result.returncode, "out": result.stdout, "err": result.stderr}
        self.note(**{f"{name}.{fact}": value for fact, value in facts.items()})
        return result

    # Devices

    def vivid(self):
        """Loads the kernel's virtual camera driver with two cameras; returns their nodes."""
        parameters = "n_devs=2 node_types=0x1,0x1 num_inputs=1,1 input_types=0,0".split()
        modprobe("-r", "vivid")
        modprobe("vivid", *parameters)
        nodes = wait_for(lambda: video_nodes("vivid"), 2)
        self.note(minors={node: os.minor(os.stat(node).st_rdev) for node in nodes})
        return nodes

    def vivid_output(self, has_planes_apart=False):
        """As `vivid_outputs`, with one of each."""
        return self.vivid_outputs(1, has_planes_apart)[0]

    def vivid_outputs(self, count, has_planes_apart=False):
        """Loads the driver with HDMI cameras, and for each a video output that it can loop to the camera;
        returns their nodes in pairs."""
        every = {"node_types": "0x101", "num_inputs": 1, "input_types": 3, "num_outputs": 1, "output_types": 1}
        every["multiplanar"] = 2 if has_planes_apart else 1
        parameters = [f"{name}={','.join([str(value)] * count)}" for name, value in every.items()]
        modprobe("-r", "vivid")
        modprobe("vivid", f"n_devs={count}", *parameters)
        cameras, outputs = (wait_for(lambda index=index: video_nodes("vivid", index), count) for index in (0, 1))
        self.note(minors={node: os.minor(os.stat(node).st_rdev) for node in (*cameras, *outputs)})
        return list(zip(cameras, outputs))

    def start(self, name, *arguments):
        """Starts retake in the background; stores its output."""
        with open(self.folder / f"{name}.stderr", "w") as errors:
            process = subprocess.Popen(
                [str(self.retake), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
            )
        self._started.append(process)
        return process

    def uvc(self):
        modprobe("uvcvideo")
        camera = self._emulate("uvc_device.py", "uvc")
        camera.node = wait_for(lambda: video_nodes("Emulated UVC camera"), 1)[0]
        self.note(minors={camera.node: os.minor(os.stat(camera.node).st_rdev)})
        return camera

    def realsense(self):
        """A RealSense's depth and infrared, with the metadata that the real uvcvideo passes on."""
        modprobe("uvcvideo")
        camera = self._emulate("uvc_device.py", "realsense", "--realsense", "--controller", "3")
        camera.node = wait_for(lambda: video_nodes("Intel(R) RealSense"), 1)[0]
        return camera

    def kinect(self, serial="A00367A00999045A", controller=0, name="kinect", options=()):
        kinect = self._emulate("kinect_device.py", name, "--serial", serial, "--controller", controller, *options)
        kinect.nodes = self.usb_nodes(controller)
        return kinect

    @staticmethod
    def usb_nodes(controller=0):
        """Waits for the nodes of a Kinect's camera and motor, which change when it is replugged."""
        bus = 2 * controller + 1
        return [wait_for(lambda: usb_nodes(f"{bus}-{port}"), 1)[0] for port in (1, 2)]

    def _emulate(self, program, name, *arguments):
        modprobe("vhci-hcd")
        emulator = Emulator(self, program, name, *arguments)
        self._emulators.append(emulator)
        return emulator

    def start_udev(self):
        """Starts Debian's udev, which loads drivers and applies rules, until the case ends."""
        unpack = f"dpkg-deb --fsys-tarfile {self._udev_package} | tar -x -C / --keep-directory-symlink"
        subprocess.run(["bash", "-o", "pipefail", "-c", unpack], check=True)
        modules = pathlib.Path("/lib/modules")
        if not modules.exists():
            modules.symlink_to(WORK / "lib/modules")
        subprocess.run(["/lib/systemd/systemd-udevd", "--daemon"], check=True)
        self._has_udev = True

    @staticmethod
    def set_controls(node, **controls):
        """Sets controls of the driver, some of which inject faults."""
        for name, value in controls.items():
            subprocess.run(["v4l2-ctl", "-d", node, "-c", f"{name}={value}"], check=True, capture_output=True)

    def capture(self, node, code, name, size=(640, 480), count=1):
        """Captures pictures with v4l2-ctl into a file."""
        command = ["v4l2-ctl", "-d", node, f"--set-fmt-video=width={size[0]},height={size[1]},pixelformat={code}"]
        command += ["--stream-mmap", f"--stream-count={count}", f"--stream-to={self.folder / name}"]
        subprocess.run(command, check=True, capture_output=True, text=True)

    # Before and after

    def begin(self):
        # Has the kernel trace the buffers that programs take from a driver.
        (TRACING / "trace").write_text("")
        (TRACING / "events/v4l2/v4l2_dqbuf/enable").write_text("1")

    def end(self):
        for process in [*(recorder.process for recorder in self._running), *self._started]:
            if process.poll() is None:
                process.kill()
                process.wait()
        for emulator in self._emulators:
            emulator.quit()
        if self._has_udev:
            subprocess.run(["udevadm", "control", "--exit"], check=True)
        (TRACING / "events/v4l2/v4l2_dqbuf/enable").write_text("0")
        (self.folder / "dequeued.txt").write_text((TRACING / "trace").read_text())
        log = subprocess.run(["dmesg", "--read-clear"], capture_output=True, text=True).stdout
        (self.folder / "kernel.log").write_text(log)
        (self.folder / "facts.json").write_text(json.dumps(self._facts))


def record(name, retake, udev):
    """Runs one case. Copies its folder to the host even after a failure."""
    start = time.monotonic()
    vm = VM(name, retake, udev)
    failure = None
    try:
        vm.begin()
        try:
            catalog.load(name).record(vm)
        finally:
            vm.end()
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
        (vm.folder / "failure.txt").write_text(f"{failure}\n\n{traceback.format_exc()}")
    subprocess.run(["cp", "-r", str(vm.folder), str(WORK / "results/cases")], check=True)
    shutil.rmtree(vm.folder)
    end = f"failed: {failure}" if failure else "recorded"
    print(f"retake-vm: {name}: {end} ({time.monotonic() - start:.1f} s)", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--retake", required=True)
    parser.add_argument("--udev", required=True)
    parser.add_argument("cases", nargs="+")
    options = parser.parse_args()
    subprocess.run(["mount", "-t", "tracefs", "tracefs", str(TRACING)], check=True)
    # The trace events exist only once the module is loaded.
    modprobe("videodev")
    os.chdir(WORK / "recordings")
    for name in options.cases:
        record(name, options.retake, options.udev)


if __name__ == "__main__":
    main()
