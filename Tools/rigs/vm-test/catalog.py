"""Loads the test cases: one file each in cases/, which records in the VM and checks on the host."""

import importlib.util
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent / "cases"
sys.path[:0] = [str(FOLDER), str(FOLDER.parent), str(FOLDER.parent / "devices")]


def names():
    """Returns the names of the cases in the order in which they run: by file name."""
    return [path.stem.replace("_", "-") for path in sorted(FOLDER.glob("*.py"))]


def load(name):
    """Loads a case: `record(vm)`, `check(results)`, and a docstring that states the promise."""
    path = FOLDER / f"{name.replace('-', '_')}.py"
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
