"""With a fifth of its buffers dropped by the driver, the recording's gaps are those of the driver's numbers."""

SECONDS = 5


def record(vm):
    camera = vm.vivid()[0]
    vm.note(camera=camera)
    vm.set_controls(camera, percentage_of_dropped_buffers=20)
    device = f"v4l2:{camera}?format=YUYV&size=640x480&fps=25&timestamp_source=1"
    vm.record("dropped", device, duration=f"{SECONDS}s").wait()


def check(results):
    recording = results.recording("dropped")
    (stream,) = recording.streams
    frames = list(recording.frames(stream))
    taken = results.dequeued(results.facts["camera"])[: len(frames)]
    results.expect(
        [frame.device_sequence for frame in frames] == [buffer.sequence for buffer in taken],
        "the frames are not those that the driver gave",
    )
    # What the kernel says of the buffers that it handed out is the truth; the events are what is held against it.
    missing, repeated = results.steps([buffer.sequence for buffer in taken])
    told = results.lost("dropped", stream.name, "device", "dropped")
    results.expect(
        told == missing, f"{missing} numbers of the driver are missing, and {told} frames are told to be lost"
    )
    twice = results.lost("dropped", stream.name, "device", "duplicate")
    results.expect(twice == repeated, f"{repeated} numbers came twice, and {twice} are told")
    info = sum(event["count"] for event in results.info("dropped")["events"] if event["reason"] == "dropped")
    results.expect(info == missing, f"'retake info' tells {info} lost frames instead of {missing}")
    results.expect(
        0.08 < missing / (len(frames) + missing) < 0.35,
        f"{missing} lost of {len(frames) + missing} are not about a fifth",
    )
    span = frames[-1].device_sequence - frames[0].device_sequence + 1
    results.expect(abs(span - 25 * SECONDS) <= 4, f"{span} numbers in {SECONDS} s at 25 fps")
    results.expect(
        results.status("dropped") == 3, f"exit code {results.status('dropped')} instead of 3, done with loss"
    )
    return f"{len(frames)} frames, {told} lost as the driver's numbers say"
