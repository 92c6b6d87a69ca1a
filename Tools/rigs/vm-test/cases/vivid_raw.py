"""'replay --raw' puts a recording in its cameras' place: what another recorder gets there is what was recorded."""

import json
import pathlib
import signal
import subprocess
import sys

SIZE = "size=320x240"
CHECKOUT = pathlib.Path(__file__).parents[4]


def record(vm):
    (color, color_output), (depth, depth_output) = vm.vivid_outputs(2)
    vm.record("small", f"simulated?pace=fast&frames=12&fps=10&{SIZE}").wait()
    small = vm.folder / "small.retake"
    outputs = ["--raw", f"color={color_output}", "--raw", f"depth=v4l2:{depth_output}"]
    vm.run("once", "replay", small, *outputs, "--json")
    vm.run("camera", "replay", small, "--raw", f"color={color}")
    for camera in (color, depth):
        vm.set_controls(camera, loop_video=1, osd_text_mode=2)
    player = vm.start("player", "replay", small, "--loop", *outputs)
    vm.record(
        "again", f"v4l2:{color}?format=RGB24&{SIZE}", f"v4l2:{depth}?format=Y16&kind=depth&{SIZE}", duration="6s"
    ).wait()
    vm.note(alive=player.poll() is None)
    player.send_signal(signal.SIGINT)
    vm.note(player_status=player.wait(20))


def check(results):
    facts = results.facts
    results.expect(facts["once.status"] == 0, f"played once: {facts['once.err'].strip()!r}")
    said = json.loads(facts["once.out"])
    told = [(stream["name"], stream["format"], stream["frames"], stream["left_out"]) for stream in said["streams"]]
    results.expect(told == [("color", "RGB24", 12, 0), ("depth", "Y16", 12, 0)] and said["is_complete"], f"{said}")
    schema = CHECKOUT / "Sources/CommandLine/Schemas/replay-raw.json"
    text = results.folder / "once.json"
    text.write_text(facts["once.out"])
    checker = [sys.executable, CHECKOUT / "Tests/RetakeTests/Project/check_json.py", schema, text]
    checked = subprocess.run(checker, capture_output=True, text=True)
    results.expect(checked.returncode == 0, f"the JSON is not as documented: {checked.stdout}{checked.stderr}")
    refused = facts["camera.err"]
    results.expect(facts["camera.status"] == 1, f"a camera as output ends with {facts['camera.status']}")
    results.expect("is not a video output" in refused and "hint:" in refused, f"a camera as output: {refused.strip()!r}")
    results.expect(facts["alive"] and facts["player_status"] == 1, f"the player ended with {facts['player_status']}")
    counts = []
    small, again = results.recording("small"), results.recording("again")
    for name, other in (("color", "color"), ("depth", "depth-1")):
        sent = {bytes(frame.data): frame.number for frame in small.frames(name)}
        came = [sent.get(bytes(frame.data)) for frame in again.frames(other)]
        # Until the player has started, a camera shows a picture of its own.
        first = next((place for place, number in enumerate(came) if number is not None), len(came))
        rest = came[first:]
        results.expect(len(set(rest)) >= 6, f"{name}: only {sorted(set(rest), key=str)} of 12 frames came: {came}")
        results.expect(None not in rest, f"{name}: a frame that was not recorded came: {came}")
        counts.append(f"{name} {len(rest)}")
    return f"{', '.join(counts)} frames that came at the cameras are frames of the recording, to the byte"
