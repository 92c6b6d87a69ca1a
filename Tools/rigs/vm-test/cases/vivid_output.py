"""A node that takes video shows what 'live' and 'replay' give it, byte for byte, and what is no such output is refused."""

import json
import signal
import subprocess
import time

CAMERA = "simulated?pace=fast&frames=12&size=320x240"
SIZE = (320, 240)


def record(vm):
    camera, output = vm.vivid_output()
    vm.run("live", "live", "--device", CAMERA, "--output", f"v4l2:{output}", "--json")
    format_shown = ["v4l2-ctl", "-d", output, "--get-fmt-video-out"]
    vm.note(format=subprocess.run(format_shown, capture_output=True, text=True, check=True).stdout)
    vm.run("camera", "live", "--device", CAMERA, "--output", f"v4l2:{camera}")
    vm.record("small", CAMERA).wait()
    small = vm.folder / "small.retake"
    vm.run("replay", "replay", small, "--output", f"v4l2:{output}", "--json")
    vm.run("composite", "replay", small, "--output", f"png:{vm.folder / 'composite'}")
    # What is given to the node comes in at the camera, as over a cable.
    vm.set_controls(camera, loop_video=1, osd_text_mode=2)
    player = vm.start("player", "replay", small, "--loop", "--output", f"v4l2:{output}")
    time.sleep(3)
    vm.capture(camera, "YUYV", "looped.raw", size=SIZE, count=8)
    vm.note(alive=player.poll() is None)
    player.send_signal(signal.SIGINT)
    vm.note(player_status=player.wait(20))
    _, apart = vm.vivid_output(has_planes_apart=True)
    vm.run("planes", "replay", small, "--output", f"v4l2:{apart}")


def yuyv(picture):
    """What BT.601 makes of packed RGB, in whole numbers; the mean of two pixels' chroma."""
    red, green, blue = (picture[..., plane].astype(int) for plane in range(3))
    luma = ((16_829 * red + 33_039 * green + 6_416 * blue + 32_768) >> 16) + 16
    pairs = [plane[:, ::2] + plane[:, 1::2] for plane in (red, green, blue)]
    chroma = [
        ((sum(factor * pair for factor, pair in zip(factors, pairs)) + 65_536) >> 17) + 128
        for factors in ((-9_714, -19_071, 28_785), (28_784, -24_103, -4_681))
    ]
    both = luma.repeat(2, axis=1)
    both[:, 1::4], both[:, 3::4] = chroma
    both[:, ::4], both[:, 2::4] = luma[:, ::2], luma[:, 1::2]
    return both.astype("uint8").tobytes()


def check(results):
    facts = results.facts
    for name in ("live", "replay", "composite"):
        results.expect(facts[f"{name}.status"] == 0, f"{name}: {facts[f'{name}.err'].strip()!r}")
    live, replay = json.loads(facts["live.out"]), json.loads(facts["replay.out"])
    told = [live[name] for name in ("shown", "skipped", "left_out", "failed", "thinned")]
    results.expect(sum(told) == 12 and told[0] > 0, f"live: {told} are not 12 frames")
    results.expect(replay["video_frames"] == 12, f"replay: {replay['video_frames']} of 12 frames")
    results.expect("320/240" in facts["format"] and "'YUYV'" in facts["format"], f"it is set to {facts['format']!r}")
    refused = facts["camera.err"]
    results.expect(facts["camera.status"] == 1, f"a camera as output ends with {facts['camera.status']}")
    results.expect("is not a video output" in refused and "hint:" in refused, f"a camera as output: {refused.strip()!r}")
    refused = facts["planes.err"]
    results.expect(facts["planes.status"] == 1, f"planes apart end with {facts['planes.status']}: {refused.strip()!r}")
    results.expect("multi-planar pictures only" in refused and "hint:" in refused, f"planes apart: {refused.strip()!r}")
    # An interrupted replay has not done what it was asked for.
    results.expect(facts["alive"] and facts["player_status"] == 1, f"the player ended with {facts['player_status']}")
    shown = {yuyv(picture) for picture in results.pngs("composite")}
    data = (results.folder / "looped.raw").read_bytes()
    count = SIZE[0] * SIZE[1] * 2
    looped = [data[start : start + count] for start in range(0, len(data), count)]
    # At the beginning the camera may still show what it had.
    same = [picture in shown for picture in looped]
    results.expect(len(same) == 8 and all(same[2:]), f"pictures that came in at the camera as they were shown: {same}")
    return (
        f"{told[0]} of 12 shown live, 12 replayed; {sum(same)} of 8 that came in over the loop are composites, "
        f"{len(set(looped))} of them different"
    )
