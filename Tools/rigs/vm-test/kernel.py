"""Debian's kernel for the VM: downloaded once and cached with the modules that the tests need, and
with udev, which containers lack."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# The stock kernel; the cloud kernel has no cameras.
PACKAGE = "linux-image-amd64"
# Needed to reach the host's files, then the drivers under test and the virtual USB bus.
MODULES = ("virtio_pci", "9pnet_virtio", "9p", "overlay", "vivid", "uvcvideo", "vhci-hcd", "gspca_kinect")


class Unavailable(Exception):
    """Something that the VM needs is unavailable. The message says what, and what to do."""


class Kernel:
    """A kernel image, and a `lib/modules` folder for modprobe."""

    def __init__(self, folder):
        self.folder = folder
        self.image = folder / "vmlinuz"
        self.udev_package = folder / "udev.deb"
        self.release = (folder / "release").read_text().strip()

    @classmethod
    def current(cls):
        """Returns apt's current version; if that is unavailable, the newest one in the cache."""
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "retake-vm"
        # The module list is part of the cache name, since a kernel with other modules is of no use.
        modules = hashlib.sha256(" ".join((*MODULES, "udev")).encode()).hexdigest()[:8]
        kept = sorted(cache.glob(f"linux-image-*_{modules}/release"), key=lambda file: file.stat().st_mtime)
        package, version = _package_and_version()
        if package is None:
            if not kept:
                raise Unavailable(
                    f"apt has no {PACKAGE}, and no kernel is cached in {cache}. Run apt-get update as root."
                )
            return cls(kept[-1].parent)
        folder = cache / f"{package}_{version.replace(':', '_')}_{modules}"
        if not (folder / "release").exists():
            try:
                _make(folder, package, version)
            except Unavailable as reason:
                if not kept:
                    raise
                folder = kept[-1].parent
                print(f"{reason} The VM runs the cached {folder.name}.", file=sys.stderr)
        return cls(folder)


def _package_and_version():
    """Returns the name of the stock kernel's package, which includes the kernel version, and the
    version of that package; None for both if apt knows none."""
    depends = _output("apt-cache", "depends", "--important", PACKAGE)
    packages = [line.split()[-1] for line in depends.splitlines() if "Depends: linux-image-" in line]
    if not packages:
        return None, None
    policy = _output("apt-cache", "policy", packages[0])
    versions = [line.split()[-1] for line in policy.splitlines() if line.strip().startswith("Candidate:")]
    return (packages[0], versions[0]) if versions and versions[0] != "(none)" else (None, None)


def _output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"}).stdout
    except FileNotFoundError:
        return ""


def _make(folder, package, version):
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="making-", dir=folder.parent) as name:
        work = pathlib.Path(name)
        archive = _download(f"{package}={version}", work)
        udev = _download("udev", work)
        unpack = f"dpkg-deb --fsys-tarfile {archive.name} | tar -x ./boot ./lib/modules"
        _run(["bash", "-o", "pipefail", "-c", unpack], work, f"{archive.name} could not be unpacked. Is the disk full?")
        release = next((work / "lib/modules").iterdir()).name
        _run(["depmod", "-b", work, release], work, "depmod failed. Is the package kmod whole?")

        made = work / "made"
        kept = made / "lib/modules" / release
        for path in _module_paths(work, release):
            target = kept / path.relative_to(work / "lib/modules" / release)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
            shutil.copyfile(work / "lib/modules" / release / name, kept / name)
        _run(["depmod", "-b", made, release], work, "depmod failed. Is the package kmod whole?")
        shutil.copyfile(work / f"boot/vmlinuz-{release}", made / "vmlinuz")
        udev.rename(made / "udev.deb")
        (made / "release").write_text(release + "\n")
        # Renamed when complete, so that an interruption leaves no partial kernel in the cache.
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)


def _download(package, folder):
    # As root, apt would download as another user without write permission here.
    command = ["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", package]
    _run(command, folder, f"{package} could not be downloaded. Check the network connection; apt-get update may help.")
    archive = next(folder.glob(f"{package.partition('=')[0]}_*.deb"), None)
    if archive is None:
        raise Unavailable(f"apt-get download {package} downloaded no file.")
    return archive


def _module_paths(work, release):
    paths = {}
    for module in MODULES:
        listing = _run(
            ["modprobe", "-d", work, "-S", release, "--show-depends", module],
            work,
            f"The kernel {release} has no module {module}.",
        )
        for line in listing.splitlines():
            if line.startswith("insmod "):
                paths[pathlib.Path(line.split()[1])] = None
    return paths


def _run(command, folder, complaint):
    try:
        result = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise Unavailable(f"{command[0]} is missing: Tools/setup --tests installs it.") from None
    if result.returncode != 0:
        raise Unavailable(f"{complaint} {command[0]} said: {result.stderr.strip()[-400:]}")
    return result.stdout
