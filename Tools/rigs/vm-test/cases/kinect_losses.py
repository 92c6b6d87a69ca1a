"""Packets that a Kinect's cameras lose: a frame with a hole is marked damaged, one that cannot be put together is told."""

import time


def record(vm):
    kinect = vm.kinect()
    recorder = vm.record("kinect", "kinect:0?video=bayer&motion=0", duration="5s")
    recorder.wait_for_frames()
    time.sleep(1)
    # libfreenect fills up to five packets with what was there before; with more it gives the frame up.
    kinect.tell("lose-packets", "depth", [3, 0, 0, 5, 0, 0, 0, 1])
    kinect.tell("lose-packets", "color", [2, 0, 0, 0, 4])
    time.sleep(1.5)
    kinect.tell("lose-packets", "depth", [9, 0, 0, 0, 30])
    recorder.wait()


def check(results):
    recording = results.recording("kinect")
    results.frames_sent(recording, "depth", "depth11")
    results.frames_sent(recording, "color", "bayer")
    log = results.log("kinect")
    said = []
    for name, wanted_damaged, wanted_lost in (("depth", 3, 2), ("color", 2, 0)):
        frames = list(recording.frames(name))
        ticks = [entry["tick"] for entry in log if entry.get("camera") == name and entry["is_whole"]]
        ticks = ticks[ticks.index(frames[0].device_tick) : ticks.index(frames[-1].device_tick) + 1]
        recorded = {frame.device_tick for frame in frames}
        missing = sum(tick not in recorded for tick in ticks)
        damaged = sum(frame.is_damaged for frame in frames)
        told = results.lost("kinect", name, "device", "dropped")
        results.expect(damaged == wanted_damaged, f"{name}: {damaged} damaged frames instead of {wanted_damaged}")
        results.expect(missing >= wanted_lost, f"{name}: {missing} frames are missing instead of {wanted_lost}")
        results.expect(told == missing, f"{name}: {missing} frames are missing and {told} are told")
        said.append(f"{name} {damaged} damaged and {told} lost")
    return f"{', '.join(said)} of {len(list(recording.frames('depth')))} frames, as the emulator did it"
