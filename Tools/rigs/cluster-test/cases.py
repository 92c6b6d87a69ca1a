"""Sweeps under a real Slurm, disturbed in every way, against one that nobody disturbed."""

import contextlib
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import time

RECORDINGS = 2
# Of each recording: a part takes about a second.
FRAMES = 100
# 2 x 3 x 8 settings. Small pictures, since what is tested is not the pixels.
SEARCH = ["--search", "--best", "iou", "--budget", "4000"]
WORDS = ["--list", "depth.spatial-passes=0,1", "--list", "mask.offset=0.1,0.2,0.3", "--scan", "matte.blur=1..8:1"]


class Sweep:
    """A folder with recordings, the results of one machine, and sweeps submitted to a cluster."""

    def __init__(self, program, folder):
        self.program, self.folder = str(program), folder
        # Processes that are stopped, by their parts.
        self.frozen = {}
        self.recordings = []
        for number in range(RECORDINGS):
            path = f"{folder}/r{number}.retake"
            self.retake("record", "--device", f"simulated?frames={FRAMES}&size=160x120&pace=fast&seed={number}", "-o", path,
                        "--keep-free", "0", "--quiet")
            self.recordings.append(path)
        self.retake("sweep", *self.recordings, *WORDS, "-o", f"{folder}/whole.sqlite", "--quiet")

    def retake(self, *words, cluster=None, expected=0):
        environment = cluster.environment if cluster else None
        result = subprocess.run([self.program, *words], capture_output=True, text=True, env=environment, cwd=self.folder)
        expect(result.returncode == expected,
               f"retake {' '.join(words)} exited {result.returncode}, not {expected}: {result.stderr}{result.stdout}")
        return result.stdout + result.stderr

    def submit(self, cluster, name, parts, sbatch="", checkpoint="400ms", expected=0):
        options = ["--sbatch", sbatch] if sbatch else []
        return self.retake("sweep", "submit", *self.recordings, *WORDS, "-o", name, "--parts", str(parts), "--checkpoint",
                           checkpoint, *options, cluster=cluster, expected=expected)

    def status(self, cluster, name):
        result = subprocess.run([self.program, "sweep", "status", name, "--json"], capture_output=True, text=True,
                                env=cluster.environment, cwd=self.folder)
        expect(result.returncode in (0, 75), f"status exited {result.returncode}: {result.stderr}")
        return {part["part"]: part for part in json.loads(result.stdout)["parts"]}

    def log(self, name, part):
        try:
            with open(f"{self.folder}/{name}/logs/{part}.log") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def job(self, name):
        """Returns the id of the last array."""
        with open(f"{self.folder}/{name}/jobs.txt") as file:
            return [line.split()[1] for line in file if line.split()[2] == "parts"][-1]

    def workers(self, name):
        """Yields the processes of the program that run parts and steps of a search now, each with its words."""
        for process in map(int, filter(str.isdigit, os.listdir("/proc"))):
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
            except OSError:
                continue
            if words[:2] == [self.program, "sweep"] and words[2:3] in (["part"], ["step"]) and words[3] == f"{self.folder}/{name}":
                yield process, words[2:]

    def running_parts(self, name):
        """Returns the processes that run parts now, by the numbers of these."""
        return {int(words[2]): process for process, words in self.workers(name) if words[0] == "part"}

    def worker(self, name, part):
        """Returns the process of the program that runs a part now, or None."""
        return self.running_parts(name).get(part)

    def is_half_done(self, name, part):
        """Tells whether a part has copied some of its runs, and not all."""
        # Read here, since a part may be done before the program has told its status.
        try:
            done, _, runs = pathlib.Path(self.folder, name, f"parts/part-{part}.progress").read_text().split()
        except FileNotFoundError:
            return False
        return 0 < int(done) < int(runs)

    def wait_for_part(self, cluster, find):
        """Waits until there is one, while there are jobs, and returns its number."""
        found = []

        def is_there():
            found[:] = find()
            expect(found or cluster.jobs(), "all parts were done before they could be disturbed: give them more frames")
            return found
        cluster.wait("a part that is half done", is_there)
        return found[0]

    def half_done_part(self, cluster, name):
        """Waits until a running part is half done, and returns its number."""
        return self.wait_for_part(cluster, lambda: [part for part in self.running_parts(name) if self.is_half_done(name, part)])

    def frozen_part(self, cluster, name, besides=()):
        """Lets running parts work for moments only until some are half done, and stops these; returns one of them.

        So a part is seen half done however quick the machine is, and however long Slurm's commands take."""
        slowed = {}

        def find():
            resume(slowed.values())
            time.sleep(0.05)
            slowed.clear()
            slowed.update({part: worker for part, worker in self.running_parts(name).items()
                           if part not in besides and part not in self.frozen and signalled(worker, signal.SIGSTOP)})
            for part in [part for part in slowed if self.is_half_done(name, part)]:
                self.frozen[part] = slowed.pop(part)
            return [part for part in self.frozen if part not in besides]
        try:
            return self.wait_for_part(cluster, find)
        finally:
            resume(slowed.values())

    def thaw(self, *numbers):
        resume([self.frozen.pop(number) for number in numbers or list(self.frozen)])

    def expect_same(self, name):
        self.retake("sweep", "compare", "whole.sqlite", f"{name}/result.sqlite")

    def starts(self, name, part):
        """Returns, for each start of a part that came to an end of its own, how many runs it found done and left."""
        found = []
        for line in self.log(name, f"part-{part}").splitlines():
            if match := re.search(r"interrupted: (\d+) runs? (?:is|are) left", line):
                found.append(("left", int(match[1])))
            elif match := re.search(r", (\d+) of (\d+) runs already done", line):
                found.append(("done", int(match[2]) - int(match[1])))
        return found

    def expect_nothing_twice(self, name, part):
        """A start after an end by a signal computes exactly the runs that were left."""
        starts = self.starts(name, part)
        expect(len(starts) >= 2 and starts[-1][0] == "done", f"part {part} did not go on: {self.log(name, f'part-{part}')}")
        expect(starts[-1][1] == starts[-2][1],
               f"part {part} had {starts[-2][1]} runs left, and computed {starts[-1][1]}: {starts}")


def signalled(process, number):
    try:
        os.kill(process, number)
        return True
    except ProcessLookupError:
        return False


def resume(processes):
    for process in processes:
        signalled(process, signal.SIGCONT)


def is_told_to_end(process):
    """Tells whether a process that is stopped has a SIGTERM waiting for it."""
    with open(f"/proc/{process}/status") as file:
        pending = next(int(line.split()[1], 16) for line in file if line.startswith("ShdPnd:"))
    return bool(pending >> (signal.SIGTERM - 1) & 1)


def environment(process, name):
    """Returns a variable of a process; "" if it has ended."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            entries = dict(entry.split("=", 1) for entry in file.read().decode(errors="replace").split("\0") if "=" in entry)
    except OSError:
        return ""
    return entries.get(name, "")


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def requeue_time_kill_and_merge(sweep, cluster):
    """An array of 6: one task requeued, one warned of its time, one killed; then what is missing, and a dependent merge."""
    sweep.submit(cluster, "a", 6)
    array = sweep.job("a")
    requeued = sweep.frozen_part(cluster, "a")
    cluster.run("scontrol", "requeue", f"{array}_{requeued}")
    sweep.thaw(requeued)
    warned = sweep.frozen_part(cluster, "a", [requeued])
    # What Slurm does some time before a limit. The job's script hands it on to the part, which is stopped.
    cluster.tell("scancel", "--batch", "--signal=USR1", f"{array}_{warned}")
    cluster.wait("the warning", lambda: is_told_to_end(sweep.frozen[warned]))
    sweep.thaw(warned)
    killed = sweep.frozen_part(cluster, "a", [requeued, warned])
    done = sweep.status(cluster, "a")[killed]["done"]
    cluster.kill(sweep.worker("a", killed))
    sweep.thaw()
    cluster.wait_for_all_jobs()
    states = sweep.status(cluster, "a")
    expect([part for part, found in states.items() if found["state"] != "done"] == [killed], f"{killed}: {states}")
    merged = sweep.log("a", "merge")
    # The killed part may lack a single run.
    expect(re.search("(1 run is|[0-9]+ runs are) missing: 'retake sweep submit", merged), merged)
    sweep.expect_nothing_twice("a", requeued)
    sweep.expect_nothing_twice("a", warned)
    text = sweep.retake("sweep", "submit", "-o", "a", cluster=cluster)
    expect("1 part of 6 submitted" in text, text)
    cluster.wait_for_all_jobs()
    finished = sweep.starts("a", killed)
    expect(finished[-1][0] == "done" and finished[-1][1] <= states[killed]["runs"] - done, f"{done}: {finished}")
    sweep.expect_same("a")
    # All is done: nothing is submitted.
    before = open(f"{sweep.folder}/a/jobs.txt").read()
    expect("6 done" in sweep.retake("sweep", "submit", "-o", "a", cluster=cluster), "it does not say that all is done")
    expect(open(f"{sweep.folder}/a/jobs.txt").read() == before, "something was submitted again")
    expect("6 done" in sweep.retake("sweep", "status", "a", "--watch", cluster=cluster), "status does not say that all is done")


def cancelled_stays_cancelled(sweep, cluster):
    """scancel ends a part for good, and what it did is kept."""
    sweep.submit(cluster, "c", 2)
    part = sweep.frozen_part(cluster, "c")
    cluster.run("scancel", sweep.job("c"))
    sweep.thaw()
    cluster.wait_for_all_jobs()
    found = sweep.status(cluster, "c")[part]
    expect(0 < found["done"] < found["runs"], f"{found}")
    sweep.retake("sweep", "submit", "-o", "c", cluster=cluster)
    cluster.wait_for_all_jobs()
    sweep.expect_nothing_twice("c", part)
    sweep.expect_same("c")


def refusals(sweep, cluster):
    """One sentence and the next step, exit code 64, and nothing submitted."""
    def refused(said, *words, expected=64):
        text = sweep.retake("sweep", "submit", *words, cluster=cluster, expected=expected)
        expect(said in text and "hint: " in text, f"not said: {said}: {text}")
    new = [*sweep.recordings, *WORDS, "-o", "n"]
    refused("has no partition 'shrot'", *new, "--sbatch", "-p shrot")
    refused("did you mean short", *new, "--sbatch", "--partition=shrot")
    refused("'closed' takes no jobs", *new, "--sbatch", "-p closed")
    refused("would wait for ever: the partition 'short' allows 60", *new, "--sbatch", "-t 2:00:00")
    refused("at most 1000 jobs", *new, "--parts", "1001")
    refused("may not contain --array", *new, "--sbatch", "--array=1-3")
    refused("Slurm did not take the job", *new, "--sbatch", "--mem=900G", expected=1)
    expect(not cluster.jobs(), "something was submitted")
    # The folder is there now, and a change of what is asked for is not accepted.
    refused("is another sweep than the one submitted", *sweep.recordings, "--scan", "matte.blur=1..3:1", "-o", "n")
    with open(f"{sweep.folder}/n/definition.yaml", "a") as file:
        file.write("every: 2\n")
    refused("definition.yaml is another sweep than the one submitted", "-o", "n")


def time_limit(sweep, cluster):
    """A limit that is shorter than the part: it is queued again until it is done."""
    # Slurm may send the signal up to a minute earlier than it is told. The part waits for it, however quick the machine is.
    sweep.submit(cluster, "t", 1, sbatch="-t 2 --signal=B:USR1@10")
    part = sweep.frozen_part(cluster, "t")
    cluster.wait("the warning", lambda: is_told_to_end(sweep.frozen[part]), 200)
    sweep.thaw()
    cluster.wait_for_all_jobs()
    sweep.expect_nothing_twice("t", part)
    sweep.expect_same("t")


def preemption(sweep, cluster):
    """A job of a higher priority takes the nodes: parts end, are queued again, and go on."""
    sweep.submit(cluster, "p", 2)
    part = sweep.half_done_part(cluster, "p")
    cluster.run("sbatch", "-p", "urgent", "-N", str(cluster.nodes), "-o", "/dev/null", "--wrap", "sleep 3")
    cluster.wait_for_all_jobs()
    sweep.expect_nothing_twice("p", part)
    sweep.expect_same("p")


def killed_slurmd(sweep, cluster):
    """A node is lost with what runs on it: its part goes on elsewhere, from its copy."""
    sweep.submit(cluster, "k", 2)
    part = sweep.half_done_part(cluster, "k")
    done = sweep.status(cluster, "k")[part]["done"]
    node = cluster.run("squeue", "-h", "-r", "-j", f"{sweep.job('k')}_{part}", "-o", "%N")
    cluster.kill_node(int(node.removeprefix("n")))
    cluster.wait_for_all_jobs(300)
    cluster.start_node(int(node.removeprefix("n")))
    finished = sweep.starts("k", part)
    expect(finished, f"part {part} did not go on: {sweep.log('k', f'part-{part}')}")
    runs = sweep.status(cluster, "k")[part]["runs"]
    expect(finished[-1][0] == "done" and finished[-1][1] <= runs - done, f"{done} of {runs}: {finished}")
    sweep.expect_same("k")
    cluster.wait("the node", lambda: cluster.ask("sinfo", "-h", "-t", "idle", "-o", "%D") != "")


def hundred_requeues(sweep, cluster):
    """A part that is requeued again and again goes on each time."""
    sweep.submit(cluster, "h", 1, checkpoint="200ms")
    array, count = sweep.job("h"), 0
    while count < 100 and sweep.status(cluster, "h")[1]["state"] != "done":
        cluster.wait("a start", lambda: sweep.worker("h", 1) or not cluster.jobs())
        if not cluster.ask("scontrol", "requeue", f"{array}_1") and cluster.jobs():
            count += 1
    cluster.wait_for_all_jobs(900)
    sweep.expect_same("h")
    return f"{count} requeues"


def full_disk(sweep, cluster):
    """The share is full for a while: parts go on, and are copied when there is room."""
    share = f"{sweep.folder}/full"
    os.mkdir(share)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "share", share], check=True)
    try:
        sweep.submit(cluster, "full/d", 2)
        sweep.half_done_part(cluster, "full/d")
        filler = f"{share}/filler"
        # Without a buffer, whose rest could not be written when the file is closed.
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass
        # Logs lie on the same disk, so it may not be said.
        copies = [os.stat(path).st_mtime_ns for path in pathlib.Path(share, "d/parts").glob("*.sqlite")]
        time.sleep(2)
        expect(copies == [os.stat(path).st_mtime_ns for path in pathlib.Path(share, "d/parts").glob("*.sqlite")],
               "results were copied to a full disk")
        os.remove(filler)
        cluster.wait_for_all_jobs()
        sweep.retake("sweep", "submit", "-o", "full/d", cluster=cluster)
        cluster.wait_for_all_jobs()
        sweep.expect_same("full/d")
    finally:
        subprocess.run(["umount", "-l", share], check=True)


def searched(path):
    """Returns everything that a search wrote about its decisions."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return {table: sorted(database.execute(f"SELECT * FROM {table}"))
                for table in ("search", "search_unit", "search_value", "search_score", "search_failure")}


def search(sweep, cluster, name, parts, kills=0):
    """Searches in rounds of parts; jobs are killed and requeued in turn."""
    whole = f"{sweep.folder}/searched.sqlite"
    words = [*sweep.recordings, *WORDS, "--list", "matte.gamma=0.5,1,2", *SEARCH]
    if not os.path.exists(whole):
        sweep.retake("sweep", *words, "-o", whole, "--quiet")
    # Every rung is shared, however short.
    sweep.retake("sweep", "submit", *words, "-o", name, "--parts", str(parts), "--share-from", "1ms", "--checkpoint", "200ms",
                 cluster=cluster)
    done, hit = 0, set()

    def is_over():
        return os.path.exists(f"{sweep.folder}/{name}/found.txt")

    def step():
        nonlocal done
        if not cluster.jobs():
            # A killed step is not queued again by itself.
            if not is_over():
                sweep.retake("sweep", "submit", "-o", name, cluster=cluster)
            return not cluster.jobs() and is_over()
        if done < kills:
            worker = next((process for process, _ in sweep.workers(name) if process not in hit), None)
            if worker and signalled(worker, signal.SIGSTOP):
                hit.add(worker)
                job = environment(worker, "SLURM_JOB_ID")
                if done % 2 == 0:
                    signalled(worker, signal.SIGKILL)
                else:
                    cluster.ask("scontrol", "requeue", job)
                    signalled(worker, signal.SIGCONT)
                done += 1
        return False
    cluster.wait("the end of the search", step, 600)
    expect(done == kills, f"the search was over after {done} of {kills} kills")
    sweep.retake("sweep", "compare", whole, f"{name}/result.sqlite")
    expect(searched(whole) == searched(f"{sweep.folder}/{name}/result.sqlite"), "it searched otherwise than one machine")
    found = json.loads(sweep.retake("sweep", "status", name, "--json", cluster=cluster))
    expect(found["is_over"] and (found["round"] > 1) == (parts > 1), f"{found}")
    text = sweep.retake("sweep", "submit", "-o", name, cluster=cluster)
    expect("the search is done" in text and not cluster.jobs(), f"something was submitted again: {text}")
    return f"{found['round']} rounds"


def search_in_rounds(sweep, cluster):
    """A search in 4 parts, of whose jobs some are killed and some requeued, decides as one machine."""
    return search(sweep, cluster, "s4", 4, kills=4)


def search_in_any_number_of_parts(sweep, cluster):
    """A search in 1 and 16 parts decides as one machine."""
    return "; ".join(search(sweep, cluster, f"s{parts}", parts) for parts in (1, 16))


def search_after_twenty_kills(sweep, cluster):
    """A search goes on after twenty kills and requeues of parts and steps."""
    return search(sweep, cluster, "s-killed", 6, kills=20)


SHORT = [requeue_time_kill_and_merge, cancelled_stays_cancelled, refusals, search_in_rounds]
LONG = [search_in_any_number_of_parts, search_after_twenty_kills, preemption, killed_slurmd, full_disk, hundred_requeues, time_limit]
