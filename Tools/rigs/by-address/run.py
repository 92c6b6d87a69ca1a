#!/usr/bin/env python3
"""Runs the steps of Sources/Recording/Guides/ByAddress.md against servers on this machine.

    Tools/rigs/by-address/run.py [--program .build/release/retake] [--rclone rclone] [--nginx nginx] [--moto moto_server]

Needs Debian's rclone and nginx, and PyPI's moto[server], mcap and mcap-protobuf-support. Servers listen on the loopback address
and end with the program. Exits 1 at the first step that does not give what the guide says.
"""
import argparse
import hashlib
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.request

from mcap.reader import make_reader

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Remote:
    """A file by address, read in ranges."""

    def __init__(self, address):
        self.address, self.place, self.read_bytes = address, 0, 0
        self.size = int(urllib.request.urlopen(urllib.request.Request(address, method="HEAD")).headers["Content-Length"])

    def seekable(self):
        return True

    def tell(self):
        return self.place

    def seek(self, offset, whence=0):
        self.place = offset + (0, self.place, self.size)[whence]
        return self.place

    def read(self, count=-1):
        end = self.size if count < 0 else min(self.size, self.place + count)
        if end <= self.place:
            return b""
        request = urllib.request.Request(self.address, headers={"Range": f"bytes={self.place}-{end - 1}"})
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 206, f"the server ignores ranges: {answer.status}"
            data = answer.read()
        self.place += len(data)
        self.read_bytes += len(data)
        return data


def port():
    with socket.socket() as given:
        given.bind(("127.0.0.1", 0))
        return given.getsockname()[1]


def wait(number):
    for _ in range(150):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", number)) == 0:
                return
        time.sleep(0.2)
    raise SystemExit(f"nothing listens on port {number}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=str(ROOT / ".build/release/retake"))
    for name, program in ("rclone", "rclone"), ("nginx", "nginx"), ("moto", "moto_server"):
        options.add_argument("--" + name, default=program)
    given = options.parse_args()
    children = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        s3, http, web = port(), port(), port()
        environment = dict(
            os.environ, RCLONE_CONFIG=str(folder / "none.conf"), RCLONE_CONFIG_S3_TYPE="s3", RCLONE_CONFIG_S3_PROVIDER="Other",
            RCLONE_CONFIG_S3_ACCESS_KEY_ID="test", RCLONE_CONFIG_S3_SECRET_ACCESS_KEY="test",
            RCLONE_CONFIG_S3_ENDPOINT=f"http://127.0.0.1:{s3}", RCLONE_CONFIG_S3_FORCE_PATH_STYLE="true",
        )  # fmt: skip
        # rclone refuses it for an address without TLS.
        environment.pop("AWS_CA_BUNDLE", None)

        def run(*arguments, status=0):
            done = subprocess.run([str(a) for a in arguments], env=environment, cwd=folder, capture_output=True, text=True)
            assert done.returncode == status, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
            return done.stdout + done.stderr

        def start(*arguments):
            children.append(
                subprocess.Popen([str(a) for a in arguments], env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

        try:
            start(given.moto, "-p", s3)
            wait(s3)
            run(given.program, "record", "--device", "simulated?pace=fast&size=320x240&frames=60", "-o", "session.retake", "--keep-free", "0", "--quiet")
            run(given.program, "verify", "session.retake", "--write-manifest", "session.sha256")
            run(given.rclone, "mkdir", "s3:recordings")
            run(given.rclone, "copy", "session.retake", "s3:recordings/session.retake")
            run(given.rclone, "copyto", "session.sha256", "s3:recordings/session.sha256")
            print("copied to a bucket")

            run(given.rclone, "checksum", "sha256", "session.sha256", "s3:recordings/session.retake", "--download")
            run(given.rclone, "copy", "s3:recordings/session.retake", "back.retake")
            run(given.program, "verify", "back.retake", "--manifest", "session.sha256")
            run("sh", "-c", "cd back.retake && sha256sum -c --quiet ../session.sha256")
            (folder / "wrong").write_bytes(b"wrong")
            run(given.rclone, "copyto", "wrong", "s3:recordings/session.retake/tags.json")
            run(given.rclone, "copyto", "wrong", "s3:recordings/session.retake/chunks/000000.mcap")
            run(given.rclone, "checksum", "sha256", "session.sha256", "s3:recordings/session.retake", "--download", status=1)
            run(given.rclone, "copy", "s3:recordings/session.retake", "wrong.retake")
            said = run(given.program, "verify", "wrong.retake", "--manifest", "session.sha256", status=1)
            assert "chunks/000000.mcap: The file differs" in said and "tags.json: The file is not in" in said, said
            print("a copy was checked, and a wrong one found")

            run(given.rclone, "copy", "session.retake", "s3:recordings/session.retake")
            run(given.program, "export", "mcap", "session.retake", "-o", "session.mcap")
            run(given.rclone, "copyto", "session.mcap", "s3:recordings/session.mcap")
            start(given.rclone, "serve", "http", "s3:recordings", "--addr", f"127.0.0.1:{http}", "--read-only")
            (folder / "nginx.conf").write_text(
                f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
                f"http {{ access_log off; client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;"
                f" uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;"
                f" server {{ listen 127.0.0.1:{web}; root {folder}; add_header Access-Control-Allow-Origin *; }} }}\n")
            os.chmod(folder, 0o755)
            os.chmod(folder / "session.mcap", 0o644)
            start(given.nginx, "-c", folder / "nginx.conf", "-e", folder / "error.log")
            for server, number in ("rclone", http), ("nginx", web):
                wait(number)
                base = f"http://127.0.0.1:{number}"
                file = Remote(f"{base}/session.mcap")
                local = (folder / "session.mcap").read_bytes()
                assert file.size == len(local)
                reader = make_reader(file)
                summary = reader.get_summary()
                counts = summary.statistics.channel_message_counts
                assert file.read_bytes < file.size / 2, f"{file.read_bytes} of {file.size} bytes were read for the summary"
                topic = "/color/image"
                first = summary.statistics.message_start_time
                found = [m.data for _, _, m in reader.iter_messages(topics=[topic], end_time=first + 300_000_000)]
                whole = [m.data for _, _, m in make_reader(open(folder / "session.mcap", "rb")).iter_messages(topics=[topic])]
                assert found and found == whole[: len(found)], f"{len(found)} messages differ"
                print(f"{server}: {sum(counts.values())} messages by address, {len(found)} pictures read from {file.read_bytes} of {file.size} bytes")
            chunk = Remote(f"http://127.0.0.1:{http}/session.retake/chunks/000000.mcap")
            frames = [m.data for s, _, m in make_reader(chunk).iter_messages() if s.name == "retake.Frame"]
            stored = (folder / "session.retake/chunks/000000.mcap").read_bytes()
            assert frames and hashlib.sha256(Remote(chunk.address).read()).digest() == hashlib.sha256(stored).digest()
            print(f"a chunk file by address: {len(frames)} frames")
        finally:
            for child in children:
                child.terminate()
            for child in children:
                child.wait()


main()
