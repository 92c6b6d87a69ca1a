"""What a camera refuses gets one sentence and the next step: start, format, size, busy, no permission, no camera."""

import os
import pathlib
import subprocess
import time


def record(vm):
    first, second = vm.vivid()
    options = "size=640x480&fps=25"

    def refuse(name, device, *more, prefix=()):
        target = f"/tmp/nobody/{name}.retake" if prefix else vm.folder / f"{name}.retake"
        vm.run(name, "record", "--device", device, "--duration", "1s", "--output", target, *more, prefix=prefix)

    vm.set_controls(second, inject_vidioc_streamon_error=1)
    refuse("start", f"v4l2:{second}?{options}", "--on-disconnect", "stop")
    # The first delivers already when the second does not start.
    vm.set_controls(second, inject_vidioc_streamon_error=1)
    refuse("second", f"v4l2:{first}?{options}", "--device", f"v4l2:{second}?{options}")
    refuse("format", f"v4l2:{first}?format=MJPG")
    refuse("size", f"v4l2:{first}?format=YUYV&size=641x481")
    refuse("missing", "v4l2:/dev/video77")
    other = ["v4l2-ctl", "-d", first, "--stream-mmap", "--stream-to", "/dev/null"]
    with subprocess.Popen(other, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as holder:
        time.sleep(1)
        refuse("busy", f"v4l2:{first}?{options}")
        holder.kill()
    # As on Debian, where udev gives cameras to the group video.
    os.chown(first, 0, 44)
    os.chmod(first, 0o660)
    pathlib.Path("/tmp/nobody").mkdir(exist_ok=True)
    os.chown("/tmp/nobody", 65534, 65534)
    stranger = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    refuse("permission", f"v4l2:{first}?{options}", prefix=stranger)


def check(results):
    expected = {
        "start": "could not start streaming",
        "second": "could not start streaming",
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
