import FrameModel
import Support

/// What a user says of pictures whose files do not state it.
package struct PictureOptions: Hashable, Sendable {
  /// Unit of depth samples.
  package var scale: DepthUnit?
  /// Pictures per second of a folder of images.
  package var rate: FrameRate?
  /// A pattern of colour pictures, within the folder.
  package var color: String?
  /// A pattern of depth pictures within the folder; for a video, a second video, a folder or a pattern.
  package var depth: String?
  /// Added to the times of depth, nanoseconds.
  package var depthOffsetNanoseconds: Int64?
  /// A file with the camera's intrinsics.
  package var intrinsics: String?
  /// A file with the cameras' calibration, which the caller reads.
  package var calibration: String?

  /// Whether an option names this file, or a file in this folder.
  func isRead(_ path: String) -> Bool {
    let named = [intrinsics, calibration].compactMap { $0 }
    guard !named.isEmpty else { return false }
    let whole = Folder.absolute(path)
    return named.map(Folder.absolute).contains { $0 == whole || $0.hasPrefix(whole + "/") }
  }

  package init() {}

  static let slowestRate = 0.001
  static let fastestRate = 1000.0
  /// A day, nanoseconds.
  static let largestOffset: Int64 = 86_400_000_000_000

  /// - Throws: `.usage` with a number that is out of range.
  func check() throws(RetakeError) {
    if let rate, !(Self.slowestRate...Self.fastestRate).contains(rate.framesPerSecond) {
      throw RetakeError(
        .usage, "--fps \(rate) is not a frame rate from 0.001 to 1000.", hint: "give pictures per second, such as 30")
    }
    if let offset = depthOffsetNanoseconds, offset.magnitude > Self.largestOffset.magnitude {
      throw RetakeError(
        .usage, "--depth-offset moves depth by more than a day.", hint: "give a time such as 40ms or -0.04s")
    }
  }

  /// The names of the given options that `used` lacks.
  private func surplus(_ used: Set<String>) -> String? {
    let given = [
      ("--scale", scale != nil), ("--fps", rate != nil), ("--color", color != nil), ("--depth", depth != nil),
      ("--depth-offset", depthOffsetNanoseconds != nil), ("--intrinsics", intrinsics != nil),
    ]
    return given.first { $0.1 && !used.contains($0.0) }?.0
  }

  /// - Parameter used: the options that the source at `path` takes.
  /// - Throws: `.usage` for any other that is given.
  func check(only used: Set<String>, of path: String, _ kind: String) throws(RetakeError) {
    guard let name = surplus(used) else { return }
    throw RetakeError(
      .usage, "\(name) does not apply to \(path), which is \(kind).",
      hint: used.isEmpty ? "leave it out" : "options for it: \(used.sorted().joined(separator: ", "))")
  }
}
