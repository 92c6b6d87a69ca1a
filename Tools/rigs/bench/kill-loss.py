#!/usr/bin/env python3
"""Kills a recorder of a live simulated camera at random times and measures how much is lost.

    kill-loss.py RETAKE FOLDER [KILLS]

Prints statistics over all kills of the time from the last recovered frame to the kill, less one
frame period."""

import json
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

PERIOD_MS = 1000 / 30
# The limit stated in the README.
BOUND_MS = 250


def loss_ms(retake, path, seconds):
    shutil.rmtree(path, ignore_errors=True)
    command = [retake, "record", "--quiet", "--keep-free", "0", "--device", "simulated", "-o", str(path)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    killed = time.monotonic_ns()
    process.wait()
    report = subprocess.run([retake, "recover", str(path), "--json"], capture_output=True, text=True)
    if report.returncode not in (0, 3):
        sys.exit(f"recover failed: {report.stderr}")
    subprocess.run([retake, "verify", "--quiet", str(path)], check=True)
    with sqlite3.connect(path / "index.sqlite") as index:
        arrival = index.execute("SELECT min(latest) FROM (SELECT max(arrival_ns) latest FROM frame GROUP BY stream)")
        last = arrival.fetchone()[0]
    return (killed - last) / 1e6 - PERIOD_MS, json.loads(report.stdout)["is_lossless"]


def main():
    retake, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    chance = random.Random(1)
    results = [loss_ms(retake, folder / "killed.retake", chance.uniform(1, 4)) for _ in range(count)]
    losses = sorted(loss for loss, _ in results)
    print(
        f"  {count} kills, ms lost: median {losses[count // 2]:.0f}, max {losses[-1]:.0f}"
        f" (goal ≤ {BOUND_MS}: {'reached' if losses[-1] <= BOUND_MS else 'MISSED'});"
        f" {sum(lossless for _, lossless in results)} files ended between records"
    )


main()
