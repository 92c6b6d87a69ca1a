"""The VM: QEMU without hardware acceleration, so that it runs on any CI machine."""

import pathlib
import platform
import shlex
import shutil
import subprocess
import tempfile
import threading

from kernel import Unavailable

MEMORY_MEBIBYTES = 2048
PROGRESS = "retake-vm: "
# Soft lockup reports after which the VM is killed. A busy host causes one; a hung VM repeats them.
LOCKUP_LIMIT = 3


def run(kernel, results, command, time_limit_seconds, on_progress):
    """Boots the VM, runs `command` (a list of words) as root on the host's files, and powers off.

    Console output goes to `results`/console.log; lines that begin with `PROGRESS` also go to
    `on_progress`. Kills a VM that hangs. Returns whether the VM powered itself off in time.
    """
    if platform.machine() != "x86_64":
        raise Unavailable(f"The VM runs this machine's programs and needs x86_64, but this is {platform.machine()}.")
    qemu = shutil.which("qemu-system-x86_64")
    busybox = shutil.which("busybox")
    if qemu is None or busybox is None:
        name, package = ("QEMU", "qemu-system-x86") if qemu is None else ("busybox", "busybox-static")
        raise Unavailable(f"{name} is missing: Tools/setup --tests installs the package {package}.")
    # This script runs in the VM's first process (PID 1), so the VM ends with it.
    (results / "start").write_text(f"{shlex.join(map(str, command))}\nsync\nexec {busybox} poweroff -f\n")
    with tempfile.TemporaryDirectory(prefix="retake-vm-") as name:
        initramfs = pathlib.Path(name) / "initramfs"
        _make_initramfs(initramfs, kernel, busybox)
        return _boot(_command_line(qemu, kernel, initramfs, results), results, time_limit_seconds, on_progress)


def _make_initramfs(path, kernel, busybox):
    tree = path.with_suffix(".tree")
    (tree / "bin").mkdir(parents=True)
    shutil.copyfile(busybox, tree / "bin/busybox")
    shutil.copyfile(pathlib.Path(__file__).with_name("init"), tree / "init")
    for program in (tree / "bin/busybox", tree / "init"):
        program.chmod(0o755)
    shutil.copytree(kernel.folder / "lib", tree / "lib")
    pack = f"cd {shlex.quote(str(tree))} && find . | cpio --quiet -o -H newc -R 0:0 > {shlex.quote(str(path))}"
    if subprocess.run(["bash", "-o", "pipefail", "-c", pack]).returncode != 0:
        raise Unavailable("The initramfs could not be created: see cpio's output. Tools/setup --tests installs cpio.")


def _command_line(qemu, kernel, initramfs, results):
    def share(tag, folder, extra=""):
        return [
            # QEMU needs a comma within a value doubled.
            *(
                "-fsdev",
                f"local,id={tag},path={str(folder).replace(',', ',,')},security_model=none,multidevs=remap{extra}",
            ),
            *("-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"),
        ]

    return [
        # KVM is rarely available in CI, and nested KVM has been seen to hang.
        *(qemu, "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", str(MEMORY_MEBIBYTES)),
        *("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio"),
        *("-kernel", str(kernel.image), "-initrd", str(initramfs)),
        *("-append", "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off nokaslr audit=0"),
        *share("host", "/", ",readonly=on"),
        *share("results", results),
    ]


def _boot(command, results, time_limit_seconds, on_progress):
    with open(results / "console.log", "wb") as log:
        machine = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        in_time = threading.Event()
        in_time.set()

        def end():
            in_time.clear()
            machine.kill()

        limit = threading.Timer(time_limit_seconds, end)
        limit.start()
        lockup_count = 0
        try:
            for line in machine.stdout:
                log.write(line)
                log.flush()
                lockup_count += b"soft lockup" in line
                if lockup_count == LOCKUP_LIMIT:
                    end()
                text = line.decode(errors="replace").strip()
                if text.startswith(PROGRESS):
                    on_progress(text.removeprefix(PROGRESS))
            return machine.wait() == 0 and in_time.is_set()
        finally:
            limit.cancel()
            if machine.poll() is None:
                machine.kill()
                machine.wait()
