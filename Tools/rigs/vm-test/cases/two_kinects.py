"""Two Kinects at once, told apart by their serial numbers: each stream holds what its own sent."""

SERIALS = ("A00367A00999045A", "B00364812345678B")


def record(vm):
    # Slower, so that two of them do not keep the VM busy.
    for number, serial in enumerate(SERIALS):
        vm.kinect(serial, controller=number, name=f"kinect-{number}", options=("--fps", "10"))
    # The second first: neither the order on the bus nor that of opening decides.
    devices = [f"kinect:{serial}?video=none&motion=0" for serial in reversed(SERIALS)]
    vm.record("both", *devices, duration="3s").wait()


def check(results):
    recording = results.recording("both")
    said = []
    for stream in recording.streams:
        number = next((n for n, serial in enumerate(SERIALS) if serial in stream.device), None)
        results.expect(number is not None, f"{stream.name}: its device is {stream.device}")
        compared = results.frames_sent(recording, stream.name, "depth11", device=f"kinect-{number}")
        results.expect(compared >= 10, f"{stream.name}: {compared} frames in 3 s")
        said.append(f"{SERIALS[number]} {compared}")
    results.expect(len(said) == 2, f"{len(said)} streams instead of 2")
    return f"{', '.join(said)} frames, each from its own"
