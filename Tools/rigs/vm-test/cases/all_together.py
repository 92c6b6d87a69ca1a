"""A Kinect, a UVC camera and two vivid nodes in one recording, on one time line; 'retake devices' lists them all."""


def record(vm):
    first, second = vm.vivid()
    camera = vm.uvc()
    vm.kinect(options=("--fps", "10"))
    vm.run("devices", "devices", "--json")
    vm.note(nodes=[first, second, camera.node])
    vm.record(
        "all",
        f"v4l2:{first}?format=YUYV&size=320x180&fps=10",
        f"v4l2:{second}?format=Y16&kind=depth&size=320x180&fps=10",
        f"v4l2:{camera.node}?format=MJPG&fps=15",
        "kinect:0?video=bayer",
        duration="5s",
    ).wait()


def check(results):
    recording = results.recording("all")
    listed = results.facts["devices.out"]
    for node in (*results.facts["nodes"], "A00367A00999045A"):
        results.expect(node in listed, f"'retake devices' does not list {node}")
    results.expect(len(recording.streams) == 6, f"{len(recording.streams)} streams instead of 6")
    said = []
    for stream in recording.streams:
        frames = list(recording.frames(stream))
        results.expect(len(frames) > 8, f"{stream.name}: {len(frames)} frames in 5 s")
        first, last = frames[0].presentation_ns / 1e9, frames[-1].presentation_ns / 1e9
        # Devices start one after the other, and a Kinect takes its time.
        results.expect(-0.5 < first < 4 and 4 < last < 6, f"{stream.name}: frames from {first:.2f} to {last:.2f} s")
        said.append(f"{stream.name} {len(frames)}")
    jpeg = next(stream for stream in recording.streams if stream.format == "JPEG")
    results.numbered_frames(recording.frames(jpeg), "mjpg")
    disparity = next(stream for stream in recording.streams if stream.format == "KINECT11")
    results.frames_sent(recording, disparity.name, "depth11")
    return ", ".join(said)
