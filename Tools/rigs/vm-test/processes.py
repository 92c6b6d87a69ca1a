"""Processes that a case runs in the VM: recorders and emulated devices."""

import json
import pathlib
import signal
import subprocess
import sys
import time

TOOLS = pathlib.Path(__file__).parent


class Recorder:
    """A running `retake record`."""

    def __init__(self, vm, name, arguments):
        self.name = name
        self.folder = vm.folder / f"{name}.retake"
        self._vm = vm
        self._errors = open(vm.folder / f"{name}.stderr", "w")
        command = [vm.retake, "record", *arguments, "--output", self.folder]
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=self._errors, stderr=subprocess.STDOUT
        )

    def wait_for_frames(self, limit_seconds=20):
        """Waits until the recorder has written frames."""
        deadline = time.monotonic() + limit_seconds
        while not any(file.stat().st_size > 100_000 for file in self.folder.glob("chunks/*")):
            if self.process.poll() is not None:
                status = self.process.returncode
                raise RuntimeError(f"the recorder '{self.name}' ended with {status} before a frame came")
            if time.monotonic() > deadline:
                raise RuntimeError(f"the recorder '{self.name}' got no frame in {limit_seconds} s")
            time.sleep(0.05)

    def wait(self, limit_seconds=40):
        """Waits until the recorder ends by itself; returns its exit code."""
        try:
            status = self.process.wait(limit_seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise RuntimeError(f"the recorder '{self.name}' did not end within {limit_seconds} s") from None
        self._errors.close()
        self._vm.note(**{f"{self.name}.status": status})
        return status

    def interrupt(self):
        """Sends SIGINT, as Ctrl-C does, and waits for the end."""
        self.process.send_signal(signal.SIGINT)
        return self.wait()


class Emulator:
    """An emulated device in its own process."""

    def __init__(self, vm, program, name, *arguments):
        self.log = vm.folder / f"{name}.log"
        command = [sys.executable, "-B", TOOLS / "devices" / program, "--pictures", vm.pictures]
        command += ["--log", self.log, *arguments]
        self._process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._expect("ready")

    def _expect(self, word):
        answer = self._process.stdout.readline().strip()
        if answer != word:
            raise RuntimeError(f"an emulated device said '{answer}' instead of '{word}'")

    def tell(self, command, *arguments):
        self._process.stdin.write(json.dumps([command, *arguments]) + "\n")
        self._expect("done")

    def quit(self):
        self._process.stdin.close()
        self._process.wait(10)
