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
    let isSearch = sweep.search != nil
    let second = isSearch ? (sweep.stepPath, step) : (sweep.mergePath, merge)
    for (path, text) in [(sweep.jobPath, isSearch ? sharePart : part), second] {
      try FileBytes.write(Array(text.utf8), to: path)
      chmod(path, 0o755)
    }
  }

  private func quoted(_ word: String) -> String { ShellWord.quoted(word) }

  /// Slurm's own lines take no shell quotes, but double quotes.
  private func value(_ text: String) -> String { text.contains(" ") ? "\"\(text)\"" : text }

  var part: String {
    worker(
      """
      # Runs one part of a sweep: that of the array task, or of the first argument. 'retake sweep submit' wrote this file once;
      # edit it as your site needs. Options on the command line of sbatch (--sbatch) count more than these.
      """, name: "retake-sweep", log: "part-%a",
      [
        "part=${SLURM_ARRAY_TASK_ID:-$1}",
        ShellWord.joined([program, "sweep", "part", sweep.path]) + " \"$part\"" + more,
      ])
  }

  private var more: String { options.isEmpty ? "" : " " + ShellWord.joined(options) }

  private var sharePart: String {
    worker(
      """
      # Runs one part of a round of a search: of the round that the first argument names, the part of the array task.
      # 'retake sweep submit' wrote this file once; edit it as your site needs. Options on the command line of sbatch
      # (--sbatch) count more than these.
      """, name: "retake-search", log: "part-%a",
      [
        "part=${SLURM_ARRAY_TASK_ID:-$2}",
        ShellWord.joined([program, "sweep", "part", sweep.path]) + " \"$part\" --round \"$1\"" + more,
      ])
  }

  private var step: String {
    worker(
      """
      # Decides the next round of a search by the scores of the last one, which the first argument names, and submits it.
      # The second argument has the options of --sbatch for that.
      """, name: "retake-step", log: "step",
      [ShellWord.joined([program, "sweep", "step", sweep.path]) + " --round \"$1\" --sbatch \"$2\"" + more])
  }

  /// A script that runs a command of this program, and queues it again before its time ends.
  private func worker(_ comment: String, name: String, log: String, _ lines: [String]) -> String {
    """
    #!/bin/bash
    \(comment)
    #SBATCH --job-name=\(name)
    #SBATCH --output=\(value(sweep.logPath(log)))
    #SBATCH --open-mode=append
    #SBATCH --ntasks=1
    #SBATCH --cpus-per-task=1
    #SBATCH --mem=\(memoryMegabytes)M
    #SBATCH --time=\(minutes)
    #SBATCH --requeue
    #SBATCH --signal=B:USR1@\(Self.warningSeconds)

    # Modules and settings of your site go here.

    cd \(quoted(folder)) || exit 1
    again=no
    \(lines.joined(separator: "\n")) &
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
      scontrol requeue "${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}"
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
