"""A real Slurm cluster of virtual nodes on this machine, for any user, without systemd or cgroups."""

import os
import pathlib
import random
import secrets
import signal
import socket
import subprocess
import time

CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=5
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdSpoolDir={folder}/spool.%n
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
ReturnToService=2
SlurmdTimeout=8
KillWait=5
MinJobAge=86400
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobCompType=jobcomp/none
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=1 RealMemory=2000
PartitionName=short Nodes=ALL Default=YES MaxTime=60 DefaultTime=10 PriorityTier=1 State=UP
PartitionName=urgent Nodes=ALL MaxTime=60 PriorityTier=10 State=UP
PartitionName=closed Nodes=ALL MaxTime=60 State=DOWN
"""


class Cluster:
    """Use as a context: daemons run until its end."""

    def __init__(self, folder, nodes=2):
        self.folder = pathlib.Path(folder)
        self.nodes = nodes
        self.daemons = {}
        self.environment = {**os.environ, "SLURM_CONF": f"{self.folder}/slurm.conf",
                            "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}

    def __enter__(self):
        folder = self.folder
        (folder / "state").mkdir(parents=True)
        folder.chmod(0o711)
        key = folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(secrets.token_bytes(128))
        port = random.randrange(20000, 30000)
        (folder / "slurm.conf").write_text(CONFIG.format(
            folder=folder, host=socket.gethostname().split(".")[0], user=self.user(), port=port, nodes=self.nodes,
            first=port + 1, last=port + self.nodes))
        try:
            self.start("munged", ["munged", "-F", f"--key-file={key}", f"--socket={folder}/munge.sock",
                                  f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log",
                                  f"--seed-file={folder}/munge.seed", "--num-threads=2"])
            self.wait("munged", lambda: (folder / "munge.sock").exists())
            self.start("slurmctld", ["slurmctld", "-D", "-f", f"{folder}/slurm.conf"])
            for number in range(1, self.nodes + 1):
                self.start_node(number)
            self.wait("the nodes", lambda: self.ask("sinfo", "-h", "-p", "short", "-t", "idle", "-o", "%D") == str(self.nodes))
        except BaseException:
            self.stop()
            raise
        return self

    @staticmethod
    def user():
        return subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()

    def start(self, name, words):
        output = open(self.folder / f"{name}.out", "ab")
        self.daemons[name] = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self.environment, start_new_session=True,
            cwd=self.folder)
        output.close()

    def start_node(self, number):
        self.start(f"slurmd.n{number}", ["slurmd", "-D", "-N", f"n{number}", "-f", f"{self.folder}/slurm.conf"])

    def kill_node(self, number):
        """Ends a node's daemon at once, with the jobs that it started."""
        jobs = self.ask("squeue", "-h", "-w", f"n{number}", "-o", "%A").split()
        daemon = self.daemons.pop(f"slurmd.n{number}")
        daemon.kill()
        daemon.wait()
        for process in self.step_daemons(jobs):
            for child in self.below(process):
                self.kill(child)
            self.kill(process)

    def ask(self, *words):
        """Returns the output of one of Slurm's commands; empty if it fails."""
        try:
            result = subprocess.run(words, capture_output=True, text=True, env=self.environment, timeout=10)
        except subprocess.TimeoutExpired:
            return ""
        return result.stdout.strip() if result.returncode == 0 else ""

    def tell(self, *words):
        """Starts one of Slurm's commands that may take seconds after it has done its work; look for what it does."""
        self.start(words[0], words)

    def run(self, *words):
        result = subprocess.run(words, capture_output=True, text=True, env=self.environment, timeout=60)
        if result.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {result.stderr.strip()}")
        return result.stdout.strip()

    def wait(self, what, condition, seconds=60):
        """Waits until something is so; generous, since only what never happens is a failure."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f"{what} did not come within {seconds} s; see {self.folder}")
            time.sleep(0.05)

    def jobs(self):
        """Returns the state of every job that is queued or runs, by "ID_TASK" or "ID"."""
        lines = self.run("squeue", "-h", "-r", "-o", "%i %T").splitlines()
        return dict(line.split() for line in lines)

    def wait_for_all_jobs(self, seconds=180):
        self.wait("the end of all jobs", lambda: not self.jobs(), seconds)

    # Processes of our own only: daemons that we started, and step daemons that stand in our folder.

    def step_daemons(self, jobs=None):
        """Returns the daemons of the given jobs, or of all."""
        found = []
        for path in pathlib.Path("/proc").iterdir():
            if not path.name.isdigit():
                continue
            try:
                # "slurmstepd: [123.batch]"
                line = (path / "cmdline").read_bytes().decode(errors="replace")
                if line.startswith("slurmstepd:") and os.readlink(path / "cwd").startswith(str(self.folder)) \
                        and (jobs is None or any(f"[{job}." in line for job in jobs)):
                    found.append(int(path.name))
            except OSError:
                continue
        return found

    @classmethod
    def below(cls, process):
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True).stdout.split()
        return [found for child in children for found in (*cls.below(int(child)), int(child))]

    @staticmethod
    def kill(process, number=signal.SIGKILL):
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass

    def stop(self):
        self.ask("scancel", "--user", self.user())
        for process in self.step_daemons():
            for child in self.below(process):
                self.kill(child)
        end = time.monotonic() + 3
        while self.ask("squeue", "-h", "-t", "R,CG") and time.monotonic() < end:
            time.sleep(0.1)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for daemon in self.daemons.values():
                if daemon.poll() is None:
                    daemon.send_signal(number)
            end = time.monotonic() + 3
            while any(daemon.poll() is None for daemon in self.daemons.values()) and time.monotonic() < end:
                time.sleep(0.05)
        for process in self.step_daemons():
            self.kill(process)

    def __exit__(self, *_):
        self.stop()
