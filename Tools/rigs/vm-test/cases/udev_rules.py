"""With the rules of Tools/install-udev a Kinect is for the group plugdev, and the webcam driver leaves it alone."""

import os
import pathlib
import stat
import subprocess
import time

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534"]
PLUGDEV = 46


def record(vm):
    vm.start_udev()
    install = pathlib.Path(__file__).parents[3] / "install-udev"
    # The Debian packages of libfreenect and OpenNI have rules of their own, for some models and for everybody.
    for rules in pathlib.Path("/lib/udev/rules.d").iterdir():
        if "freenect" in rules.name or "openni" in rules.name:
            rules.unlink()
    kinect = vm.kinect()
    settle()
    vm.note(taken_before=is_taken())
    outsider = [*NOBODY, "--clear-groups"]
    vm.run("stranger", "record", "--device", "kinect:0?motion=0", "--output", home("stranger"), prefix=outsider)

    vm.note(installed=output(install), again=output(install))
    settle()
    vm.note(taken_installed=is_taken(), installed_nodes=describe(kinect.nodes))
    kinect.tell("unplug")
    kinect.tell("plug-in")
    nodes = vm.usb_nodes()
    settle()
    vm.note(taken_plugged=is_taken(), plugged_nodes=describe(nodes))
    member = [*NOBODY, f"--groups={PLUGDEV}"]
    vm.run(
        "member",
        "record",
        "--device",
        "kinect:0?motion=1",
        "--duration",
        "2s",
        "--output",
        home("member"),
        prefix=member,
    )
    vm.note(removed=output(install, "--remove"), rules_left=os.path.exists("/etc/udev/rules.d/60-retake.rules"))


def home(name):
    folder = pathlib.Path("/tmp/nobody")
    folder.mkdir(exist_ok=True)
    os.chown(folder, 65534, 65534)
    return folder / f"{name}.retake"


def output(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def settle():
    subprocess.run(["udevadm", "settle", "--timeout=20"], check=True)
    # The kernel's driver asks the camera before it makes a node.
    time.sleep(0.5)


def is_taken():
    """Whether the kernel's webcam driver has the Kinect."""
    return any(pathlib.Path("/sys/bus/usb/drivers/kinect").glob("*:*"))


def describe(nodes):
    """Mode and group of each."""
    return [(stat.S_IMODE(os.stat(node).st_mode), os.stat(node).st_gid) for node in nodes]


def check(results):
    facts = results.facts
    results.expect(
        facts["taken_before"], "without the rules the kernel's driver did not take the Kinect: nothing is tested"
    )
    said = facts["stranger.err"]
    results.expect(facts["stranger.status"] == 1 and "hint:" in said, f"without permission it said {said.strip()!r}")
    results.expect("installed: /etc/udev/rules.d/60-retake.rules" in facts["installed"], "the rules were not installed")
    results.expect(facts["again"].count("unchanged: ") == 2, f"the second time it said {facts['again']!r}")
    for when in ("installed", "plugged"):
        for mode, group in facts[f"{when}_nodes"]:
            results.expect((mode, group) == (0o660, PLUGDEV), f"{when}: a node has mode {mode:o} and group {group}")
        results.expect(not facts[f"taken_{when}"], f"{when}: the kernel's driver has the Kinect")
    results.expect(
        facts["member.status"] in (0, 3), f"a member of plugdev could not record: {facts['member.err'].strip()!r}"
    )
    results.expect("motion" in facts["member.err"], "a member of plugdev could not use the motor")
    results.expect(not facts["rules_left"], "--remove left the rules")
    return "mode 660 and group plugdev, plugged in before or after; gspca_kinect lets go and stays away"
