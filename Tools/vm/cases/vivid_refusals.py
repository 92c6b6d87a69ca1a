"""What a camera refuses gets one sentence and the next step: start, format, size, busy, no permission, no camera."""

import os
import pathlib
import subprocess
import time


def record(vm):
    first, second = vm.vivid()
    vm.note(first=first)
    options = "size=640x480&fps=25"
    vm.set_controls(second, inject_vidioc_streamon_error=1)
    vm.run("start", "record", "--device", f"v4l2:{second}?{options}", "--on-disconnect", "stop", "--duration", "1s",
           "--output", vm.folder / "start.retake")
    vm.run("format", "record", "--device", f"v4l2:{first}?format=MJPG", "--output", vm.folder / "format.retake")
    vm.run("size", "record", "--device", f"v4l2:{first}?format=YUYV&size=641x481", "--output", vm.folder / "size.retake")
    vm.run("missing", "record", "--device", "v4l2:/dev/video77", "--output", vm.folder / "missing.retake")
    holder = subprocess.Popen(["v4l2-ctl", "-d", first, "--stream-mmap", "--stream-to", "/dev/null"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        vm.run("busy", "record", "--device", f"v4l2:{first}?{options}", "--output", vm.folder / "busy.retake")
    finally:
        holder.kill()
        holder.wait()
    # As on Debian, where udev gives cameras to the group video.
    os.chown(first, 0, 44)
    os.chmod(first, 0o660)
    pathlib.Path("/tmp/nobody").mkdir(exist_ok=True)
    os.chown("/tmp/nobody", 65534, 65534)
    vm.run("permission", "record", "--device", f"v4l2:{first}?{options}", "--output", "/tmp/nobody/x.retake",
           prefix=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])


def check(results):
    expected = {
        "start": "did not start",
        "format": "YUYV",
        "size": "640x480",
        "missing": "/dev/video77",
        "busy": "in use",
        "permission": "video",
    }
    for name, word in expected.items():
        said, status = results.facts[f"{name}.err"], results.facts[f"{name}.status"]
        lines = [line for line in said.splitlines() if line.startswith(("error:", "hint:"))]
        results.expect(status == 1, f"{name}: exit code {status} instead of 1, and {said.strip()!r}")
        results.expect(len(lines) == 2, f"{name}: not one sentence and a hint, but {said.strip()!r}")
        results.expect(word in said, f"{name}: '{word}' is not in {said.strip()!r}")
        results.expect(not (results.folder / f"{name}.retake").exists(), f"{name}: an empty recording is left")
    return f"{len(expected)} refusals, each with a sentence and a hint"
