"""A RealSense's depth and infrared arrive as it sent them, with its own clock and frame counter. Gaps in the counter are
losses. A colour camera without metadata is recorded beside it."""

import json
import time


def record(vm):
    color = vm.uvc()
    depth = vm.realsense()
    vm.note(node=depth.node)
    vm.run("devices", "devices", depth_name(depth), "--json")
    recorder = vm.record(
        "both", f"{depth_name(depth)}?format=Z16&fps=15", f"v4l2:{color.node}?format=YUYV&size=640x480&fps=15",
        duration="4s",
    )
    recorder.wait_for_frames()
    depth.tell("lose", 3)
    recorder.wait()
    vm.record("driver", f"{depth_name(depth)}?format=Z16&fps=15&metadata=off", duration="2s").wait()
    time.sleep(0.5)
    vm.record("infrared", f"{depth_name(depth)}?format=GREY&fps=15", duration="2s").wait()


def depth_name(camera):
    return f"v4l2:{camera.node}"


def check(results):
    formats = {entry["format"]: entry["recorded"] for entry in json.loads(results.facts["devices.out"])["formats"]}
    results.expect(formats == {"Z16": True, "GREY": True, "Y8I": False}, f"it has {formats}")
    counts = []
    for name, mode, kind in (("both", "z16", "depth"), ("infrared", "grey", "infrared")):
        recording = results.recording(name)
        stream = next(stream for stream in recording.streams if stream.kind == kind)
        frames = list(recording.frames(stream))
        results.expect(len(frames) >= 6, f"{kind}: {len(frames)} frames")
        numbers = results.numbered_frames(frames, mode)
        log = {entry["number"]: entry for entry in results.log("realsense")}
        for frame, number in zip(frames, numbers):
            sent = log[number]
            stamps = (frame.device_tick, frame.device_sequence)
            results.expect(
                stamps == (sent["time"], sent["counter"]),
                f"{kind} {frame.number} has {stamps} instead of {sent['time']}, {sent['counter']}",
            )
        counters = [log[number]["counter"] for number in numbers]
        missing = counters[-1] - counters[0] + 1 - len(counters)
        results.expect(missing >= (3 if name == "both" else 0), f"{kind}: {missing} frames are missing")
        told = results.lost(name, stream.name, "device", "dropped")
        results.expect(told == missing, f"{kind}: {missing} frames are missing and {told} are told")
        # The emulated camera's clock is as fast as the host's, so times are as far apart as ticks, once the mapping has met
        # the smallest delay. That takes a second in a slow VM.
        settled = frames[len(frames) // 2 :]
        times = [frame.presentation_ns - settled[0].presentation_ns for frame in settled]
        ticks = [(frame.device_tick - settled[0].device_tick) % (1 << 32) for frame in settled]
        worst = max(abs(when - tick * 1000) for when, tick in zip(times, ticks))
        results.expect(worst < 20_000_000, f"{kind}: times are up to {worst / 1e6:.1f} ms from the camera's")
        counts.append(f"{kind} {len(frames)}, {missing} lost")
    ticks = [frame.device_tick for frame in results.recording("both").frames("depth")]
    results.expect(any(b < a for a, b in zip(ticks, ticks[1:])), "the camera's clock did not wrap")
    settings = {stream.kind: dict(stream.settings) for stream in results.recording("both").streams}
    results.expect(settings["depth"]["timestamp-source"] == "metadata-d4xx", f"{settings['depth']}")
    results.expect(settings["depth"]["depth-unit-source"] == "model", f"{settings['depth']}")
    results.expect(settings["color"]["timestamp-type"] == "monotonic", f"{settings['color']}")
    (stream,) = results.recording("driver").streams
    results.expect(dict(stream.settings)["timestamp-type"] == "monotonic", "metadata=off still uses the camera's clock")
    return "; ".join(counts)
