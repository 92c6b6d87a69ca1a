"""A Kinect that is unplugged and plugged in again is found by its serial number and goes on."""

import time


def record(vm):
    kinect = vm.kinect()
    recorder = vm.record("kinect", "kinect:A00367A00999045A?video=bayer", duration="9s")
    recorder.wait_for_frames()
    time.sleep(2)
    kinect.tell("unplug")
    time.sleep(2)
    kinect.tell("plug-in")
    recorder.wait()


def check(results):
    recording = results.recording("kinect")
    said = []
    for name, mode in (("depth", "depth11"), ("color", "bayer")):
        frames = list(recording.frames(name))
        results.frames_sent(recording, name, mode)
        restarts = [frame.number for frame in frames if frame.flags & 8]
        results.expect(len(restarts) == 1, f"{name}: the Kinect was taken back {len(restarts)} times instead of once")
        after = len(frames) - restarts[0]
        results.expect(after >= 3, f"{name}: {after} frames after the Kinect came back")
        told = results.lost("kinect", name, "device", "disconnected")
        results.expect(told >= 30, f"{name}: {told} frames are told to be lost in 2 s and more")
        said.append(f"{name} {restarts[0]} + {after} frames, {told} told to be missing")
    return "; ".join(said)
