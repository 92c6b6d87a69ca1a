"""A UVC camera's YUYV and Z16 frames are those that it sent; one that the kernel keeps back is told to be lost."""

import time


def record(vm):
    camera = vm.uvc()
    vm.note(node=camera.node)
    for name, format in (("yuyv", "YUYV"), ("z16", "Z16")):
        recorder = vm.record(name, f"v4l2:{camera.node}?format={format}&size=640x480&fps=15", duration="3s")
        recorder.wait_for_frames()
        camera.tell("damage", 1)
        time.sleep(0.1)
        recorder.wait()


def check(results):
    counts = []
    for name, kind, format in (("yuyv", "color", "YUYV"), ("z16", "depth", "Z16")):
        recording = results.recording(name)
        (stream,) = recording.streams
        results.expect((stream.kind, stream.format) == (kind, format), f"{name} became {stream.kind} {stream.format}")
        frames = list(recording.frames(stream))
        results.expect(len(frames) >= 8, f"{name}: {len(frames)} frames in 3 s")
        numbers = results.numbered_frames(frames, name)
        log = {entry["number"]: entry for entry in results.log("uvc")}
        bad = [number for number in range(numbers[0], numbers[-1]) if log[number]["is_damaged"]]
        results.expect(len(bad) == 1, f"{name}: {len(bad)} frames were damaged instead of 1")
        missing = numbers[-1] - numbers[0] + 1 - len(numbers)
        told = results.lost(name, stream.name, "device", "dropped")
        results.expect(bad[0] not in numbers, f"{name}: a frame with the error bit is recorded as if it were whole")
        results.expect(told == missing, f"{name}: {missing} frames are missing and {told} are told")
        counts.append(f"{format} {len(frames)}")
    return f"{', '.join(counts)}: equal to what was sent; the damaged ones are told to be lost"
