"""Runs the code blocks of README.md on a recording, in a folder that is to be empty.

    check_readme.py RECORDING FOLDER

Prints a line for each block: ran, or left out because a package is not installed. Exit 1 if one fails.
"""

import pathlib
import re
import sys
import traceback

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
recording, folder = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
folder.mkdir(parents=True, exist_ok=True)
failed = False
for part in re.split(r"^#{2,3} ", (here / "README.md").read_text(), flags=re.M):
    title = part.splitlines()[0]
    for block in re.findall(r"^```python\n(.*?)^```", part, flags=re.M | re.S):
        code = block.replace('"session', f'"{folder}/session').replace(f'"{folder}/session.retake"', f'"{recording}"')
        try:
            exec(compile(code, title, "exec"), {"__name__": "__main__"})
            print(f"ran: {title}")
        except ModuleNotFoundError as error:
            print(f"left out: {title}: {error.name} is not installed")
        except Exception:
            traceback.print_exc()
            print(f"failed: {title}")
            failed = True
sys.exit(failed)
