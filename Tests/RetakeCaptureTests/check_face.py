#!/usr/bin/env python3
"""Counts the pictures in which OpenCV's cascades find a face.

usage: check_face.py FOLDER [--share 0.9] [--list]

Runs the LBP and Haar cascades on every .png and .ppm in FOLDER, and prints in how many pictures each
finds at least one face. Exits 1 if any but lbp-improved finds faces in less than the given share of
pictures, and 2 without pictures or cascades. Needs cv2 ("opencv-python-headless<5") and, for the LBP
cascade, Debian's opencv-data or a copy beside the Haar cascades.
"""
import argparse
import pathlib
import sys

import cv2

CASCADES = {
    "lbp": "lbpcascade_frontalface.xml",
    "lbp-improved": "lbpcascade_frontalface_improved.xml",
    "haar-default": "haarcascade_frontalface_default.xml",
    "haar-alt2": "haarcascade_frontalface_alt2.xml",
}
FOLDERS = [
    pathlib.Path(cv2.data.haarcascades) if hasattr(cv2, "data") else pathlib.Path("/nowhere"),
    pathlib.Path("/usr/share/opencv4/lbpcascades"),
    pathlib.Path("/usr/share/opencv4/haarcascades"),
]


def load():
    """Returns the installed cascades by short name."""
    found = {}
    for name, file in CASCADES.items():
        path = next((f / file for f in FOLDERS if (f / file).exists()), None)
        if path is None:
            print(f"{name}: {file} is not installed (apt-get install opencv-data)", file=sys.stderr)
            continue
        found[name] = cv2.CascadeClassifier(str(path))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--share", type=float, default=0.9, help="required share of pictures with a face (0.9)")
    parser.add_argument("--list", action="store_true", help="also print every rectangle")
    arguments = parser.parse_args()

    pictures = sorted([*arguments.folder.glob("*.png"), *arguments.folder.glob("*.ppm")])
    cascades = load()
    if not pictures or not any(name.startswith("haar") for name in cascades) or "lbp" not in cascades:
        print(f"no pictures in {arguments.folder}, or no cascades", file=sys.stderr)
        return 2
    hits = dict.fromkeys(cascades, 0)
    for picture in pictures:
        grey = cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE)
        least = max(24, min(grey.shape) // 8)
        for name, cascade in cascades.items():
            faces = cascade.detectMultiScale(grey, scaleFactor=1.1, minNeighbors=3, minSize=(least, least))
            hits[name] += len(faces) > 0
            if arguments.list:
                print(picture.name, name, [tuple(int(v) for v in face) for face in faces])
    for name, count in hits.items():
        print(f"{name}: {count} of {len(pictures)} ({100 * count / len(pictures):.1f} %)")
    wanted = [name for name in hits if name != "lbp-improved"]
    return 0 if all(hits[name] >= arguments.share * len(pictures) for name in wanted) else 1


sys.exit(main())
