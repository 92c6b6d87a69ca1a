"""Asks 'retake studio' for what it keeps beside a recording in a folder that it cannot write. Prints JSON.

    unwritable_studio.py PROGRAM RECORDING > answers.json
"""

import json
import os
import subprocess
import sys

from ask_studio import Studio

NOBODY = 65534


def main():
    program, recording = sys.argv[1:]
    folder = os.path.dirname(recording)
    # Root may write everywhere, so the program runs as somebody else then.
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    if options:
        subprocess.run(["chown", "-R", "%d" % NOBODY, recording], check=True)
    os.chmod(folder, 0o755 if options else 0o555)
    try:
        studio = Studio(program, recording, stderr=subprocess.PIPE, **options)
        def ask(method, path, body):
            status, _, answer = studio.ask(method, path, body)
            return [str(status), *json.loads(answer)["error"].values()]
        wish = {"from": 0, "to": 4, "setting": {"preset": "desk"}, "scores": ["flicker"],
                "terms": [{"kind": "list", "name": "matte.gamma", "values": "0.5,1"}]}
        answers = {"state": ask("PUT", "/api/state", {"frame": 1}), "sweep": ask("POST", "/api/sweep/run", wish)}
        for place in [recording, recording + "/chunks"]:
            os.chmod(place, 0o555)
        answers["mark"] = ask("POST", "/api/marks", {"new": {"label": "x", "frame": 1}})
        answers["end"] = str(studio.end())
        answers["words"] = studio.process.stderr.read()
    finally:
        for place in [folder, recording, recording + "/chunks"]:
            os.chmod(place, 0o755)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
