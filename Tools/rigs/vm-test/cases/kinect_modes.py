"""Every mode of a Kinect's cameras that is not demosaiced or converted: the samples that were sent."""

# Options, and for each stream: the emulated camera's mode, kind, format, and what becomes of the samples.
INFRARED = ("infrared10", "infrared", "Y16", lambda samples: samples)
DEPTH10 = ("depth10", "depth", "Y16", lambda samples: samples)
MODES = (
    ("video=ir10&depth=11bit-packed", INFRARED, ("depth11", "depth", "KINECT11", lambda samples: samples)),
    ("video=ir10-packed&depth=10bit", INFRARED, DEPTH10),
    ("video=ir8&depth=10bit-packed", ("infrared10", "infrared", "GREY", lambda samples: samples >> 2), DEPTH10),
    ("video=yuv&depth=none", ("uyvy", "color", "YUYV", lambda samples: samples[:, :, ::-1])),
    ("video=bayer&resolution=high&depth=none", ("bayer-high", "color", "GRBG8", lambda samples: samples)),
)


def record(vm):
    vm.kinect()
    for number, (options, *_) in enumerate(MODES):
        vm.record(f"mode-{number}", f"kinect:0?{options}&motion=0", duration="1500ms").wait()


def check(results):
    said = []
    for number, (options, *streams) in enumerate(MODES):
        recording = results.recording(f"mode-{number}")
        results.expect(len(recording.streams) == len(streams), f"{options}: {len(recording.streams)} streams")
        for stream, (mode, kind, format, change) in zip(recording.streams, streams):
            became = (stream.kind, stream.format)
            results.expect(became == (kind, format), f"{options}: {kind} became {' '.join(became)}")
            compared = results.frames_sent(recording, stream.name, mode, change=change)
            results.expect(compared >= 2, f"{options}: {compared} frames of {kind} in 1.5 s")
            said.append(f"{mode} {format} {compared}")
    return ", ".join(said)
