import FrameModel
import Glibc
import Support
import Sweeps

/// The scripts that a scheduler starts. People read and edit them, so they say what they do.
struct JobScripts {
  let sweep: SharedSweep
  /// Absolute path of this program.
  let program: String
  /// Absolute; where files that parameters name are found.
  let folder: String
  /// The time that Slurm is asked for.
  let minutes: Int
  let memoryMegabytes: Int
  /// Options of 'sweep part'.
  let options: [String]

  /// Seconds before the time limit at which Slurm sends USR1.
  private static let warningSeconds = 90

  func write() throws(RetakeError) {
    for (path, text) in [(sweep.jobPath, part), (sweep.mergePath, merge)] {
      try FileBytes.write(Array(text.utf8), to: path)
      chmod(path, 0o755)
    }
  }

  private func quoted(_ word: String) -> String { ShellWord.quoted(word) }

  /// Slurm's own lines take no shell quotes, but double quotes.
  private func value(_ text: String) -> String { text.contains(" ") ? "\"\(text)\"" : text }

  var part: String {
    """
    #!/bin/bash
    # Runs one part of a sweep: that of the array task, or of the first argument. 'retake sweep submit' wrote this file once;
    # edit it as your site needs. Options on the command line of sbatch (--sbatch) count more than these.
    #SBATCH --job-name=retake-sweep
    #SBATCH --output=\(value(sweep.logPath("part-%a")))
    #SBATCH --open-mode=append
    #SBATCH --ntasks=1
    #SBATCH --cpus-per-task=1
    #SBATCH --mem=\(memoryMegabytes)M
    #SBATCH --time=\(minutes)
    #SBATCH --requeue
    #SBATCH --signal=B:USR1@\(Self.warningSeconds)

    # Modules and settings of your site go here.

    cd \(quoted(folder)) || exit 1
    part=${SLURM_ARRAY_TASK_ID:-$1}
    again=no
    \(ShellWord.joined([program, "sweep", "part", sweep.path])) "$part"\(options.isEmpty ? "" : " " + ShellWord.joined(options)) &
    worker=$!
    # USR1: the time limit is near. TERM: Slurm needs the node, and queues the part again; or the job is cancelled.
    trap 'again=yes; kill -TERM $worker 2>/dev/null' USR1
    trap 'kill -TERM $worker 2>/dev/null' TERM INT
    wait $worker
    status=$?
    # A signal ends the wait, but not yet the worker.
    while [ $status -gt 128 ] && kill -0 $worker 2>/dev/null; do
      wait $worker
      status=$?
    done
    # If it ended between the two, its status is still to be had.
    if [ $status -gt 128 ]; then
      wait $worker 2>/dev/null
      late=$?
      [ $late = 127 ] || status=$late
    fi
    # 75: all that is done is kept, and the part goes on from there.
    if [ $status = 75 ] && [ $again = yes ]; then
      scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
    fi
    exit $status

    """
  }

  var merge: String {
    """
    #!/bin/bash
    # Joins the parts of a sweep when all have ended, however they did.
    #SBATCH --job-name=retake-merge
    #SBATCH --output=\(value(sweep.logPath("merge")))
    #SBATCH --open-mode=append
    #SBATCH --ntasks=1
    #SBATCH --mem=\(memoryMegabytes)M
    #SBATCH --time=\(minutes)

    exec \(ShellWord.joined([program, "sweep", "merge", sweep.path]))

    """
  }
}
