"""Every mode of a Kinect's cameras that is not demosaiced or converted: the samples that were sent."""

# Option, mode of the emulated camera, stream, kind, format, and what becomes of the samples.
MODES = (
    ("video=ir10&depth=none", "infrared10", "infrared", "Y16", lambda samples: samples),
    ("video=ir10-packed&depth=none", "infrared10", "infrared", "Y16", lambda samples: samples),
    ("video=ir8&depth=none", "infrared10", "infrared", "GREY", lambda samples: (samples >> 2).astype("u1")),
    ("video=yuv&depth=none", "uyvy", "color", "YUYV", lambda samples: samples[:, :, ::-1]),
    ("video=bayer&resolution=high&depth=none", "bayer-high", "color", "GRBG8", lambda samples: samples),
    ("video=none&depth=11bit-packed", "depth11", "depth", "KINECT11", lambda samples: samples),
    ("video=none&depth=10bit", "depth10", "depth", "Y16", lambda samples: samples),
    ("video=none&depth=10bit-packed", "depth10", "depth", "Y16", lambda samples: samples),
)


def record(vm):
    vm.kinect()
    for number, (options, *_) in enumerate(MODES):
        vm.record(f"mode-{number}", f"kinect:0?{options}&motion=0", duration="1s").wait()


def check(results):
    said = []
    for number, (options, mode, kind, format, change) in enumerate(MODES):
        recording = results.recording(f"mode-{number}")
        (stream,) = recording.streams
        results.expect(
            (stream.kind, stream.format) == (kind, format), f"{options} became {stream.kind} {stream.format}"
        )
        compared = results.frames_sent(recording, stream.name, mode, change=change)
        results.expect(compared >= 2, f"{options}: {compared} frames in 1 s")
        said.append(f"{options.replace('&depth=none', '').replace('video=none&', '')} {compared}")
    return ", ".join(said)
