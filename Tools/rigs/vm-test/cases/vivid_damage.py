"""Buffers that the driver marks as bad are marked damaged; a counter that wraps, and times of the future, lose nothing."""

import time


def record(vm):
    damaged, wrapped = vm.vivid()
    vm.note(damaged=damaged, wrapped=wrapped)
    # The driver's usual time of the end of a frame lies a frame ahead of the frame; timestamp_source=1 is its start.
    # It counts from 128 before the wrap.
    vm.set_controls(wrapped, wrap_sequence_number=1)
    recorders = [
        vm.record("damaged", f"v4l2:{damaged}?format=YUYV&size=640x480&fps=25&timestamp_source=1", duration="7s"),
        vm.record("wrapped", f"v4l2:{wrapped}?format=YUYV&size=640x480&fps=25&timestamp_source=0", duration="7s"),
    ]
    for recorder in recorders:
        recorder.wait_for_frames()
    for _ in range(4):
        time.sleep(0.4)
        vm.set_controls(damaged, inject_v4l2_buf_flag_error=1)
    for recorder in recorders:
        recorder.wait()


def check(results):
    recording = results.recording("damaged")
    frames = list(recording.frames("color"))
    taken = results.dequeued(results.facts["damaged"])[: len(frames)]
    bad = {buffer.sequence for buffer in taken if buffer.is_error}
    marked = {frame.device_sequence for frame in frames if frame.is_damaged}
    # A busy machine may have come too late with the last ones.
    results.expect(1 <= len(bad) <= 4, f"{len(bad)} buffers were bad instead of 4")
    results.expect(marked == bad, f"frames {sorted(marked)} are marked damaged instead of {sorted(bad)}")
    told = results.lost("damaged", "color", "device", "damaged")
    results.expect(told == len(bad), f"{told} damaged frames are told instead of {len(bad)}")

    recording = results.recording("wrapped")
    frames = list(recording.frames("color"))
    lost = results.lost("wrapped", "color", "device", "dropped")
    taken = results.dequeued(results.facts["wrapped"])[: len(frames)]
    numbers = [frame.device_sequence & 0xFFFF_FFFF for frame in frames]
    results.expect(numbers == [buffer.sequence for buffer in taken], "the frames are not those that the driver gave")
    results.expect(max(numbers) > 0xFFFF_FF00 and min(numbers) < 1000, "the driver's numbers did not wrap")
    missing, _ = results.steps(numbers)
    results.expect(lost == missing, f"{lost} frames are told to be lost instead of {missing} where the number wrapped")
    times = [frame.presentation_ns for frame in frames]
    results.expect(times == sorted(times), "times go back")
    seconds = (times[-1] - times[0]) / 1e9
    results.expect(6.7 < seconds < 7.3, f"{seconds:.2f} s instead of 7")
    before = sum(number > 1 << 31 for number in numbers)
    return f"{len(bad)} damaged frames marked; numbers wrapped after {before} frames, and {lost} are told to be lost"
