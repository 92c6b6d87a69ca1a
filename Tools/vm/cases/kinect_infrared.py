"""A Kinect's infrared camera: ten bits a sample, as it sent them."""


def record(vm):
    vm.kinect()
    vm.record("infrared", "kinect:0?video=ir10&depth=none&motion=0", duration="3s").wait()


def check(results):
    recording = results.recording("infrared")
    (stream,) = recording.streams
    results.expect((stream.kind, stream.format) == ("infrared", "Y16"), f"it became {stream.kind} {stream.format}")
    compared = results.frames_sent(recording, stream.name, "infrared10")
    results.expect(compared >= 20, f"{compared} frames in 3 s")
    return f"{compared} frames equal to what was sent"
