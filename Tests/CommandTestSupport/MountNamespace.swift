import TestSupport

/// Disks that only a test sees.
package enum MountNamespace {
  /// Runs a shell's script in a mount namespace of its own, with words as its arguments.
  package static func run(_ script: String, _ words: [String]) throws -> ChildProcess {
    // Which kind of namespace may be made depends on the machine: as a user or as root, and in a chroot.
    let namespace = """
      for kind in -rm -m '-m --propagation unchanged'; do
        if unshare $kind true 2>/dev/null; then exec unshare $kind "$@"; fi
      done
      echo "This test needs a mount namespace, which this machine does not allow: run it as root." >&2
      exit 99
      """
    return try ChildProcess.run("/bin/sh", ["-c", namespace, "sh", "sh", "-c", script, "sh"] + words)
  }
}
