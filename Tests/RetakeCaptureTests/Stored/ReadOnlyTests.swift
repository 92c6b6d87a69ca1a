import CommandTestSupport
import TestSupport
import Testing

/// Recordings on a disk that is mounted to be read only, as archives are.
@Suite(.long) struct ReadOnlyTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (["mark", "--at", "0s", "--label", "x"], "index.sqlite"), (["mark", "--remove", "fall"], "marks.json"),
    (["tag", "dark"], "tags.json"), (["calibrate"], "alignment.json"),
  ])
  func `what cannot be written is named, with the reason`(words: [String], file: String) throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=40&size=160x120")
    try CommandLineTool.run(["mark", path, "--at", "0.2s", "--label", "fall"])
    let script = """
      mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
      path=$1 program=$2 verb=$3
      shift 3
      trap 'umount "$path"' EXIT
      "$program" "$verb" "$path" "$@"
      """
    let result = try MountNamespace.run(script, [path, try Checkout.retake] + words)
    #expect(result.status == 1, "\(result.errors)")
    let lines = result.errors.split(separator: "\n").suffix(2).map(String.init)
    #expect(
      lines.first?.hasPrefix("error: Could not ") == true
        && lines.first?.hasSuffix("/a.retake/\(file): Read-only file system.") == true, "\(result.errors)")
    #expect(lines.last?.hasPrefix("hint: this disk or folder is mounted to be read only") == true, "\(result.errors)")
  }

  @Test(arguments: ["replay", "sweep"])
  func `an output that nobody named, in a folder that cannot be written, is answered with the option`(
    verb: String
  ) throws {
    _ = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=3&size=64x48")
    let script = """
      mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
      trap 'cd / && umount "$1"' EXIT
      cd "$1" && "$2" "$3" a.retake
      """
    let result = try MountNamespace.run(script, [folder.path, try Checkout.retake, verb])
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("error: Could not create a-"), "\(result.errors)")
    #expect(result.errors.contains("or name another path with -o\n"), "\(result.errors)")
  }
}
