import FrameModel
import Support

/// The estimated offset of a recording's depth against its colour: of the first stream of each kind.
///
/// A trimmed copy holds it in its depth stream's settings. `retake calibrate` stores it in
/// `alignment.json` in the recording's folder, which counts if there are both.
package struct ColorAlignment: Hashable, Sendable {
  /// By how much depth has to move, right and down, in thousandths of a depth pixel.
  package var x: Int
  package var y: Int
  /// Of x and y, in thousandths of a depth pixel.
  package var uncertainty: Int
  /// Number of frame sets that were used.
  package var frameCount: Int

  package init(x: Int, y: Int, uncertainty: Int, frameCount: Int) {
    (self.x, self.y, self.uncertainty, self.frameCount) = (x, y, uncertainty, frameCount)
  }

  /// Replaces one that a copy's stream tells.
  static let removed = ColorAlignment(x: 0, y: 0, uncertainty: 0, frameCount: 0)

  /// Setting of a depth stream: "x=1875 y=2812 uncertainty=250 frames=64".
  static let setting = "color-alignment"
  private static let largestShift = 64_000
  private static let largestCount = 1 << 20

  /// Whole depth pixels that replays move depth by; halves are rounded away from zero.
  package var pixels: (x: Int, y: Int) {
    func rounded(_ value: Int) -> Int { (abs(value) + 500) / 1000 * value.signum() }
    return (rounded(x), rounded(y))
  }

  var isPossible: Bool {
    let shifts = -Self.largestShift...Self.largestShift
    return shifts.contains(x) && shifts.contains(y) && (0...Self.largestShift).contains(uncertainty)
      && (0...Self.largestCount).contains(frameCount)
  }

  /// Nil unless all four numbers are there, in order and in range.
  init?(text: String) {
    let numbers = text.split(separator: " ").map { $0.split(separator: "=", omittingEmptySubsequences: false) }
    guard numbers.map(\.first) == ["x", "y", "uncertainty", "frames"], numbers.allSatisfy({ $0.count == 2 }) else {
      return nil
    }
    let values = numbers.compactMap { Int($0[1]) }
    guard values.count == 4 else { return nil }
    self.init(x: values[0], y: values[1], uncertainty: values[2], frameCount: values[3])
    guard isPossible else { return nil }
  }

  var text: String { "x=\(x) y=\(y) uncertainty=\(uncertainty) frames=\(frameCount)" }
}

extension Recording {
  /// The stored alignment; nil if there is none.
  /// - Throws: `.corrupt` for one that cannot be read.
  package func alignment() throws(RetakeError) -> ColorAlignment? {
    if let stored = try AlignmentFile(folder).read() { return stored == .removed ? nil : stored }
    guard let depth = firstStream(.depth), let text = streams[depth].settings[ColorAlignment.setting] else {
      return nil
    }
    if let alignment = ColorAlignment(text: text) { return alignment }
    throw RetakeError(
      .corrupt, "Stream '\(streams[depth].name)' has an invalid \(ColorAlignment.setting): '\(text.prefix(60))'.",
      hint: "'retake calibrate' estimates it again")
  }

  /// Removes the stored alignment, so that replays use depth as it was recorded.
  /// - Throws: as `AlignmentFile.write`.
  package func removeAlignment(fileSystem: any FileSystem = RealFileSystem()) throws(RetakeError) {
    let file = AlignmentFile(folder)
    // A copy's chunk files hold one, which only another can replace.
    let isCopied = streams.contains { $0.settings[ColorAlignment.setting] != nil }
    if isCopied { try file.write(.removed, fileSystem: fileSystem) } else { try file.remove(fileSystem: fileSystem) }
  }

  /// Streams of a copy, in this recording's order, with the alignment in the depth stream's settings.
  package func streams(_ streams: [StreamDescription], telling alignment: ColorAlignment?) -> [StreamDescription] {
    guard let depth = firstStream(.depth) else { return streams }
    var streams = streams
    streams[depth].settings.removeAll { $0.name == ColorAlignment.setting }
    guard let alignment else { return streams }
    streams[depth].settings.append(.init(ColorAlignment.setting, alignment.text))
    return streams
  }
}
