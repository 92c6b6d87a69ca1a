"""Millimetres made on replay from raw depth are those that libfreenect makes, laid over the colour picture too."""


def record(vm):
    # The same four pictures again and again, so that recordings can be held against each other.
    vm.kinect(options=("--unnumbered",))
    vm.record("raw", "kinect:0?depth=11bit&motion=0", duration="2s").wait()
    vm.record("mm", "kinect:0?video=none&depth=mm&motion=0", duration="1500ms").wait()
    vm.record("registered", "kinect:0?depth=registered&motion=0", duration="1500ms").wait()


def check(results):
    said = []
    for mode, arguments in (
        ("mm", ("png", "--stream", "depth", "--depth", "mm")),
        ("registered", ("tum", "--scale", "1000")),
    ):
        library = {frame.data for frame in results.recording(mode).frames("depth") if not frame.is_damaged}
        results.expect(len(library) == 4, f"{mode}: libfreenect made {len(library)} pictures of 4")
        results.recording("raw")
        ours = [picture.tobytes() for picture in results.exported("raw", *arguments) if picture.size == 640 * 480]
        results.expect(len(ours) >= 8, f"{mode}: {len(ours)} pictures were exported")
        results.expect(set(ours) == library, f"{mode}: {len(set(ours) - library)} pictures are not libfreenect's")
        said.append(f"{mode} {len(ours)} pictures")
    return f"{', '.join(said)}, equal to libfreenect's to the bit"
