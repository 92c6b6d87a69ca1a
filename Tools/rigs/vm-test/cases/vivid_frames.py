"""Two vivid nodes at 25 fps for 10 s, colour and Y16 depth: no frame is unaccounted for."""

OPTIONS = "size=640x480&fps=25&timestamp_source=1"


def record(vm):
    color, depth = vm.vivid()
    vm.note(nodes={"color": color, "depth": depth})
    # A picture that stays the same, and still has every colour.
    for node in (color, depth):
        vm.set_controls(node, osd_text_mode=2, test_pattern=20)
    recorder = vm.record(
        "both",
        f"v4l2:{color}?format=YUYV&{OPTIONS}",
        f"v4l2:{depth}?format=Y16&kind=depth&{OPTIONS}",
        duration="10s",
    )
    recorder.wait()
    # What another program gets from the same cameras.
    for node, name, code in ((color, "color", "YUYV"), (depth, "depth", "Y16 ")):
        vm.capture(node, code, f"{name}.raw")


def check(results):
    recording = results.recording("both")
    counts = []
    for stream in recording.streams:
        frames = list(recording.frames(stream))
        node = results.facts["nodes"][stream.kind]
        taken = results.dequeued(node)
        # Every frame is one that the driver gave, with the driver's own number and time.
        recorded = [(frame.device_sequence, frame.device_tick) for frame in frames]
        given = [(buffer.sequence, buffer.timestamp_microseconds) for buffer in taken]
        lost = results.lost("both", stream.name, "queue")
        # What it had no buffer for is told for the device, what had to wait too long for the queue.
        results.expect(
            results.contains_in_order(given, recorded), f"{stream.name}: the frames are not those that the driver gave"
        )
        missing, repeated = results.steps([frame.device_sequence for frame in frames])
        told = results.lost("both", stream.name, "device", "dropped")
        twice = results.lost("both", stream.name, "device", "duplicate")
        results.expect(missing == told + lost, f"{stream.name}: {missing} numbers are missing, {told} + {lost} told")
        results.expect(repeated == twice, f"{stream.name}: {repeated} numbers came twice, {twice} told")
        span = frames[-1].device_sequence - frames[0].device_sequence + 1
        total = len(frames) - twice + told + lost
        results.expect(total == span, f"{stream.name}: {len(frames)} - {twice} + {told} + {lost} are not {span}")
        seconds = (frames[-1].presentation_ns - frames[0].presentation_ns) / 1e9
        results.expect(248 <= span <= 254, f"{stream.name}: {span} numbers in 10 s at 25 fps")
        results.expect(9.8 <= seconds <= 10.2, f"{stream.name}: {seconds:.2f} s instead of 10")
        picture = (results.folder / f"{stream.kind}.raw").read_bytes()
        same = all(frame.data == picture for frame in frames[::25])
        results.expect(same, f"{stream.name}: the pixels are not those that v4l2-ctl gets")
        counts.append(f"{stream.name} {len(frames)} of {span}, {told + lost} told to be lost")
    results.expect(sorted(stream.kind for stream in recording.streams) == ["color", "depth"], "there are other streams")
    return f"{'; '.join(counts)}; with the pixels that v4l2-ctl gets"
