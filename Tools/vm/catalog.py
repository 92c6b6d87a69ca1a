"""The cases: a file each under cases/, with what is recorded in the VM and what must then hold on the host."""

import importlib.util
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent / "cases"
sys.path[:0] = [str(FOLDER), str(FOLDER.parent), str(FOLDER.parent / "devices")]


def names():
    """In the order in which they run: that of their files' names."""
    return [path.stem.replace("_", "-") for path in sorted(FOLDER.glob("*.py"))]


def load(name):
    """A case's module: `record(vm)` and `check(results)`; its docstring is the promise."""
    path = FOLDER / f"{name.replace('-', '_')}.py"
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
