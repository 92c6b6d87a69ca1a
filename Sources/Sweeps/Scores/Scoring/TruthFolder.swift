import FrameModel
import Kernels
import Media
import Support

/// True mattes as PNG files, named by the number of their video frame: `000000.png`, as `replay
/// --output png:FOLDER --tap matte` writes them. Frames without a file have no truth.
///
/// Only grey of at most 8 bits is accepted, with or without alpha. Composites, which a replay writes
/// without `--tap matte`, are in colour; read as truth, they would silently falsify every score.
///
/// A pixel is left out of every score that needs the truth if one of these holds:
/// - the file has alpha, and it is below 128;
/// - the picture of the same name in the subfolder `ignore` is not 0;
/// - its grey is the given value.
package struct TruthFolder: Sendable {
  package let path: String
  package let width: Int
  package let height: Int
  /// XXH3-128 of the decoded mattes of all frames in play order, and of what they leave out, as 32
  /// hexadecimal digits. Independent of how the PNG files are compressed.
  package let digest: String
  /// How many of the frames have truth. One that leaves out every pixel is none.
  package let frameCount: Int
  /// Whether all of them have.
  package let isComplete: Bool
  private let numbers: Set<Int>
  private let ignoredNames: Set<String>
  private let ignoredValue: UInt8?

  /// Far above the file size of any valid matte.
  private static let fileLimit = FrameLayout.largestByteCount
  private static let ignoreFolder = "ignore"
  /// Below this alpha a pixel is left out.
  private static let leastAlpha: UInt8 = 128

  /// Reads and checks every matte, so that errors show before a sweep and not during it.
  /// - Parameters:
  ///   - frames: the frame numbers in play order; repeated numbers are read again.
  ///   - width, height: the video's, pixels.
  ///   - ignoredValue: grey of pixels to leave out; nil for none.
  /// - Throws: `.notFound` if no frame has a matte, and for a picture in `ignore` without its matte;
  ///   `.unsupported` for the first of another size or kind; `.corrupt` for the first unreadable one.
  package init(
    path: String, frames: [Int], width: Int, height: Int, ignoring ignoredValue: UInt8? = nil
  ) throws(RetakeError) {
    (self.path, self.width, self.height, self.ignoredValue) = (path, width, height, ignoredValue)
    let entries = try Folder.names(in: path)
    let names = try Self.pictures(entries, path)
    ignoredNames = try Self.ignoredNames(entries, names, path)
    let played = frames.filter { names.contains(Self.name($0)) }
    guard !played.isEmpty else { throw Self.missing(frames, path, names.count) }
    let checksum = RunningChecksum()
    var judged: [Int] = []
    for number in played {
      let matte = try Self.matte(
        number, path, width, height, hasIgnored: ignoredNames.contains(Self.name(number)), ignoredValue)
      if matte.isJudged { judged.append(number) }
      if played.count < frames.count { Array("\(number):".utf8).withUnsafeBytes { checksum.add($0) } }
      matte.samples.withUnsafeBytes { checksum.add($0) }
      matte.judged?.withUnsafeBytes { checksum.add($0) }
    }
    digest = checksum.hex
    (numbers, frameCount, isComplete) = (Set(judged), judged.count, judged.count == frames.count)
  }

  /// Whether a frame has truth.
  package func contains(_ number: Int) -> Bool { numbers.contains(number) }

  /// - Parameter number: of a frame that has truth.
  /// - Throws: the errors of `init`.
  package func matte(_ number: Int) throws(RetakeError) -> TrueMatte {
    try Self.matte(
      number, path, width, height, hasIgnored: ignoredNames.contains(Self.name(number)), ignoredValue)
  }

  private static func name(_ number: Int) -> String { "\(number.zeroPadded(6)).png" }

  private static func pictures(_ entries: [String], _ path: String) throws(RetakeError) -> Set<String> {
    let names = Set(entries.filter { $0.hasSuffix(".png") })
    guard !names.isEmpty else {
      throw RetakeError(
        .notFound, "There are no mattes in \(path).", hint: "give a folder of 8-bit grey PNGs, \(name(0)) and so on")
    }
    return names
  }

  private static func ignoredNames(
    _ entries: [String], _ names: Set<String>, _ path: String
  ) throws(RetakeError) -> Set<String> {
    guard entries.contains(ignoreFolder) else { return [] }
    let ignored = try Folder.names(in: "\(path)/\(ignoreFolder)").filter { $0.hasSuffix(".png") }
    if let alone = ignored.sorted().first(where: { !names.contains($0) }) {
      throw RetakeError(
        .notFound, "\(path)/\(ignoreFolder)/\(alone) has no true matte \(path)/\(alone).",
        hint: "add the matte, or remove the picture of the pixels to leave out")
    }
    return Set(ignored)
  }

  private static func missing(_ frames: [Int], _ path: String, _ count: Int) -> RetakeError {
    let example = frames.first.map { ": there is no \(name($0))" } ?? ""
    return RetakeError(
      .notFound, "None of the \(frames.count) played frames has its true matte in \(path)\(example).",
      hint:
        "the folder has \(count) PNG\(count == 1 ? "" : "s"); name each by its frame set's number with six digits, and play those "
        + "frames: --from, --to and --every leave others out")
  }

  private static func matte(
    _ number: Int, _ folder: String, _ width: Int, _ height: Int, hasIgnored: Bool, _ ignoredValue: UInt8?
  ) throws(RetakeError) -> TrueMatte {
    let (grey, alpha) = try picture("\(folder)/\(name(number))", width, height, takesAlpha: true)
    let ignored =
      hasIgnored ? try picture("\(folder)/\(ignoreFolder)/\(name(number))", width, height, takesAlpha: false).grey : nil
    return TrueMatte(grey) { i in
      grey[i] == ignoredValue || (alpha.map { $0[i] < leastAlpha } ?? false) || (ignored.map { $0[i] != 0 } ?? false)
    }
  }

  private static func picture(
    _ path: String, _ width: Int, _ height: Int, takesAlpha: Bool
  ) throws(RetakeError) -> (grey: [UInt8], alpha: [UInt8]?) {
    let file = try FileBytes.read(path, limit: fileLimit)
    return try file.withRawBytes { bytes throws(RetakeError) in
      guard PNGDecoder.isPNG(bytes) else {
        throw RetakeError(
          .corrupt, "\(path) is not a PNG.", hint: "write the true mattes as 8-bit grey PNGs of \(width)x\(height)")
      }
      // Checks the header before allocating memory for the picture.
      let png = try PNGDecoder(bytes, name: path)
      guard png.width == width, png.height == height else {
        throw RetakeError(
          .unsupported, "\(path) is \(png.width)x\(png.height), but the video is \(width)x\(height).",
          hint: "give the truth at the video's size, not scaled")
      }
      if takesAlpha, png.hasAlpha {
        let (grey, alpha) = try png.greyAndAlpha8()
        return (grey, alpha)
      }
      guard png.samples == .grey8 else {
        throw RetakeError(
          .unsupported,
          "\(path) is a \(png.samples == .rgb8 ? "colour" : "16-bit grey") picture, not an 8-bit grey matte.",
          hint: png.samples == .rgb8
            ? "if these are composites of 'retake replay', write mattes with --tap matte and correct them"
            : "write the true mattes as 8-bit grey PNGs of \(width)x\(height)")
      }
      return (try png.grey8(), nil)
    }
  }
}
