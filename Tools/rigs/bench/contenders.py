"""Ways to record colour and depth, one beside the other: bytes, and CPU time (user and system) of the whole program.

contenders.py RETAKE-BENCH RAW-FOLDER WORK-FOLDER PAIRS    runs all of them in turn, several rounds, and prints a table
contenders.py mcap|png RAW-FOLDER OUTPUT PAIRS             is one of them

RAW-FOLDER is what `retake-bench unpack` writes. Everybody reads the same raw frames and writes one file, but PNG, which is
only counted. What a program takes for two pairs (start-up, and the pairs) is taken off from its time and its bytes, so that
nobody pays for an interpreter.
"""

import os
import statistics
import subprocess
import sys

ROUNDS = 5
START_UP_PAIRS = 2


def read_format(folder):
    width, height, color, depth = open(f"{folder}/format").read().split()
    return int(width), int(height), color, depth


def pairs(folder, count):
    """Colour and depth in turn, as bytes."""
    width, height, _, _ = read_format(folder)
    with open(f"{folder}/color.raw", "rb") as color, open(f"{folder}/depth.raw", "rb") as depth:
        for _ in range(count):
            yield color.read(width * height * 3), depth.read(width * height * 2)


def write_mcap(folder, output, count):
    """PyPI's mcap as its documentation shows it: zstd chunks of 1 MiB."""
    from mcap.writer import CompressionType, Writer

    with open(output, "wb") as file:
        writer = Writer(file, compression=CompressionType.ZSTD)
        writer.start()
        schema = writer.register_schema("raw", "", b"")
        channels = [writer.register_channel(name, "raw", schema) for name in ("color", "depth")]
        for number, frames in enumerate(pairs(folder, count)):
            for channel, frame in zip(channels, frames):
                time = number * 33_333_333
                writer.add_message(channel, log_time=time, data=frame, publish_time=time, sequence=number)
        writer.finish()


def write_png(folder, output, count):
    """OpenCV's PNG with its own settings; the files one behind the other."""
    import cv2
    import numpy

    cv2.setNumThreads(1)
    width, height, _, _ = read_format(folder)
    with open(output, "wb") as file:
        for color, depth in pairs(folder, count):
            color = numpy.frombuffer(color, numpy.uint8).reshape(height, width, 3)
            depth = numpy.frombuffer(depth, numpy.uint16).reshape(height, width)
            for image in (color, depth):
                file.write(cv2.imencode(".png", image)[1].tobytes())


def ffmpeg(folder, output, count, color, depth):
    width, height, _, _ = read_format(folder)
    raw = ["-f", "rawvideo", "-s", f"{width}x{height}", "-r", "30"]
    return (
        ["ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "1", "-filter_threads", "1"]
        + raw + ["-pix_fmt", "rgb24", "-i", f"{folder}/color.raw"]
        + raw + ["-pix_fmt", "gray16le", "-i", f"{folder}/depth.raw"]
        + ["-map", "0", "-map", "1", "-c:v:0", color[0], "-pix_fmt:v:0", color[1], "-c:v:1", depth[0]]
        + ["-pix_fmt:v:1", depth[1], "-threads", "1", "-frames:v", str(count), "-f", "nut", output]
    )


def contenders(bench, folder, output, count):
    def store(name):
        return [bench, "store", name, folder, output, str(count)]

    def python(name):
        return [sys.executable, __file__, name, folder, output, str(count)]

    return {
        "Retake": store("retake"),
        "zstd -1 of each frame": store("zstd"),
        "MCAP, zstd (PyPI mcap)": python("mcap"),
        "FFV1 bgr0 + gray16le": ffmpeg(folder, output, count, ("ffv1", "bgr0"), ("ffv1", "gray16le")),
        "HuffYUV rgb24 + FFV1": ffmpeg(folder, output, count, ("huffyuv", "rgb24"), ("ffv1", "gray16le")),
        "PNG (OpenCV)": python("png"),
        "raw copy": store("copy"),
    }


def measure(command, output):
    """CPU seconds of a child, and the bytes it wrote."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    size = os.path.getsize(output)
    os.unlink(output)
    return usage.ru_utime + usage.ru_stime, size


def compare(bench, folder, work, count):
    output = f"{work}/output"
    width, height, _, _ = read_format(folder)
    raw = (count - START_UP_PAIRS) * width * height * 5
    times, sizes = {}, {}
    for _ in range(ROUNDS):
        short = contenders(bench, folder, output, START_UP_PAIRS)
        for name, command in contenders(bench, folder, output, count).items():
            seconds, size = measure(command, output)
            less_seconds, less_size = measure(short[name], output)
            times.setdefault(name, []).append(seconds - less_seconds)
            sizes[name] = size - less_size
    cpu = {name: statistics.median(values) for name, values in times.items()}
    mcap, zstd = "MCAP, zstd (PyPI mcap)", "zstd -1 of each frame"

    def cpu_ratio(name, other):
        """Within a round, so that a machine that slows down between rounds does not count."""
        return statistics.median(own / peer for own, peer in zip(times[name], times[other]))

    print(f"  {'':24} raw:stored  bytes of MCAP's  CPU of zstd -1's  CPU of MCAP's   MB/s")
    for name in cpu:
        print(
            f"  {name:24} {raw / sizes[name]:10.2f} {sizes[name] / sizes[mcap]:16.2f} {cpu_ratio(name, zstd):17.2f}"
            f" {cpu_ratio(name, mcap):14.2f} {raw / 1e6 / cpu[name]:6.0f}"
        )
    for what, value, goal in (
        ("bytes of MCAP's", sizes["Retake"] / sizes[mcap], 0.5),
        ("CPU of zstd -1's", cpu_ratio("Retake", zstd), 1.0),
    ):
        print(f"  Retake's {what}: {value:.2f} (goal ≤ {goal}: {'reached' if value <= goal else 'MISSED'})")


if __name__ == "__main__":
    name, *words = sys.argv[1:]
    if name in ("mcap", "png"):
        {"mcap": write_mcap, "png": write_png}[name](words[0], words[1], int(words[2]))
    else:
        compare(name, words[0], words[1], int(words[2]))
