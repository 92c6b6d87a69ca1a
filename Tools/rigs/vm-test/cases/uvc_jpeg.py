"""A UVC camera's JPEG files are recorded as they came, to the byte; it is unplugged and comes back."""

import time


def record(vm):
    camera = vm.uvc()
    recorder = vm.record("jpeg", f"v4l2:{camera.node}?format=MJPG&size=640x480&fps=30", duration="9s")
    recorder.wait_for_frames()
    time.sleep(2)
    camera.tell("unplug")
    time.sleep(1.5)
    camera.tell("plug-in")
    recorder.wait()


def check(results):
    recording = results.recording("jpeg")
    (stream,) = recording.streams
    results.expect(stream.format == "JPEG", f"the format is {stream.format}")
    frames = list(recording.frames(stream))
    numbers = results.numbered_frames(frames, "mjpg")
    sent = {entry["number"]: entry for entry in results.log("uvc") if entry["is_whole"]}
    first, last = numbers[0], numbers[-1]
    missing = [number for number in sent if first <= number <= last and number not in set(numbers)]
    lost = sum(event.count for event in recording.events() if event.stage in ("device", "queue"))
    results.expect(len(missing) <= lost, f"{len(missing)} frames were sent and not recorded, and {lost} are told")
    restarts = [frame for frame in frames if frame.flags & 8]
    results.expect(len(restarts) == 1, f"the camera was taken back {len(restarts)} times instead of once")
    told = results.lost("jpeg", stream.name, "device", "disconnected")
    results.expect(told >= 20, f"{told} frames are told to be lost while the camera was away for 1.5 s")
    seconds = (frames[-1].presentation_ns - frames[0].presentation_ns) / 1e9
    results.expect(8 < seconds < 9.5, f"{seconds:.1f} s instead of 9")
    return f"{len(frames)} files equal to what was sent, taken back once, {told} told to be missing meanwhile"
