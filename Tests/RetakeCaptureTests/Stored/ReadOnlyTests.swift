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
}
