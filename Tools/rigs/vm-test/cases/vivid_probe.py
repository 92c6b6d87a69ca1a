"""'retake devices --probe' tells what a camera really does: its rate, its clock, no loss."""

import json


def record(vm):
    camera = vm.vivid()[0]
    # Small pictures: an emulated processor is to have time for all of them beside whatever else its host does.
    device = f"v4l2:{camera}?format=YUYV&size=320x180&fps=25&timestamp_source=1"
    vm.run("probe", "devices", "--probe", device, "--json")


def check(results):
    results.expect(results.status("probe") == 0, f"it said {results.facts['probe.err'].strip()!r}")
    report = json.loads(results.facts["probe.out"])
    (stream,) = report["streams"]
    rate = stream["measured_fps"]
    results.expect(24 < rate < 26, f"{rate:.2f} frames a second instead of 25")
    results.expect(report["lost_frames"] == 0, f"{report['lost_frames']} frames lost")
    results.expect(stream["frames"] >= 60, f"{stream['frames']} frames in {report['seconds']:.1f} s")
    stamps = stream["settings"].get("timestamp-type"), stream["settings"].get("timestamp-source")
    results.expect(stamps[0] == "monotonic", f"timestamps of {stamps}")
    return f"{rate:.2f} frames a second, {stream['frames']} frames, stamps {' '.join(stamps)}"
