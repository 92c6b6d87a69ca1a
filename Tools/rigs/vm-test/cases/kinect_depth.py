"""What an emulated Kinect sent through the real libfreenect is what is recorded: raw depth, mosaic and motion."""


def record(vm):
    kinect = vm.kinect()
    vm.run("devices", "devices")
    vm.record("kinect", "kinect:A00367A00999045A?video=bayer&tilt=12&led=green", duration="4s").wait()
    kinect.tell("unplug")


def check(results):
    results.expect(
        "A00367A00999045A" in results.facts["devices.out"], "'retake devices' does not list the Kinect's serial"
    )
    recording = results.recording("kinect")
    counts = []
    for name, mode in (("depth", "depth11"), ("color", "bayer")):
        compared = results.frames_sent(recording, name, mode)
        results.expect(compared >= 10, f"{name}: {compared} frames in 4 s")
        counts.append(f"{name} {compared}")
    log = results.log("kinect")
    sent = [entry["motion"] for entry in log if "motion" in entry]
    recorded = [frame.array[0, :3].tolist() for frame in recording.frames("motion")]
    results.expect(len(recorded) >= 10, f"motion: {len(recorded)} samples")
    results.expect(results.contains_in_order(sent, recorded), "motion: samples that the accelerometer did not give")
    results.expect({"tilt_half_degrees": 24} in log, "the motor was not turned to 12 degrees")
    results.expect({"led": 1} in log, "the light was not made green")
    return f"{', '.join(counts)}, motion {len(recorded)}: equal to what was sent"
