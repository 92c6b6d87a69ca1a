"""A camera that is disconnected, and one whose stream breaks for good, are taken back; the others' frames go on."""

import time

OPTIONS = "format=YUYV&size=640x480&fps=25&timestamp_source=1"


def record(vm):
    steady, unsteady = vm.vivid()
    vm.note(steady=steady, unsteady=unsteady)
    # The one that stays is the first stream, the master.
    recorder = vm.record("resumed", f"v4l2:{steady}?{OPTIONS}", f"v4l2:{unsteady}?{OPTIONS}", duration="9s")
    recorder.wait_for_frames()
    time.sleep(2)
    vm.set_controls(unsteady, disconnect=1)
    time.sleep(3)
    vm.set_controls(unsteady, inject_fatal_streaming_error=1)
    recorder.wait()


def check(results):
    recording = results.recording("resumed")
    steady, unsteady = recording.streams
    frames = list(recording.frames(unsteady))
    restarts = [frame.number for frame in frames if frame.flags & 8]
    results.expect(len(restarts) == 2, f"the camera was taken back {len(restarts)} times instead of 2")
    lost = results.lost("resumed", unsteady.name, "device", "disconnected")
    seconds = (frames[-1].presentation_ns - frames[0].presentation_ns) / 1e9
    results.expect(seconds > 8, f"the unsteady camera's frames end after {seconds:.1f} s")
    # What it gave, and what is told to be missing, is what 25 frames a second are.
    told = lost + results.lost("resumed", unsteady.name, "device", "dropped")
    total = len(frames) + told
    results.expect(abs(total - 25 * seconds) < 6, f"{len(frames)} frames and {told} lost in {seconds:.1f} s at 25 fps")
    results.expect(lost >= 10, f"{lost} frames are told to be lost while the camera was away")
    others = list(recording.frames(steady))
    results.expect(
        len(others) + results.lost("resumed", steady.name) >= 215 and not any(frame.flags & 8 for frame in others),
        f"the other camera has {len(others)} frames in 9 s",
    )
    return f"taken back twice, {lost} frames told to be missing meanwhile; the other has {len(others)}"
