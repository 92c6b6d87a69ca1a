import FrameModel
import Glibc
import Kernels
import Media
import RecordingStore
import Scores
import Support
import Synchronization

/// True mattes that a person paints, beside the recording: the folder "first.truth" for "first.retake", as
/// `retake sweep --truth` takes it.
package final class PaintedTruth: Sendable {
  package let path: String
  package let size: PictureSize
  private static let ignoreFolder = "ignore"
  /// Counts changes, and keeps writers apart.
  private let changeCount = Mutex(0)

  /// - Throws: `.unsupported` for a recording without colour.
  package init(_ recording: Recording) throws(RetakeError) {
    guard let color = recording.firstStream(.color) else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no colour stream.", hint: "'retake info' lists its streams")
    }
    let layout = recording.streams[color].layout
    size = PictureSize(layout.width, layout.height)
    path = recording.pathBeside + ".truth"
  }

  /// Of the matte and of the pixels that it leaves out.
  package var byteCount: Int { 2 * size.width * size.height }
  package var revision: Int { changeCount.withLock { $0 } }

  /// The frames that have a matte, in order.
  package func frames() -> [Int] {
    ((try? Folder.names(in: path, suffix: ".png")) ?? []).compactMap { Int($0.dropLast(".png".count)) }.sorted()
  }

  /// What scores compare with; nil without a matte of these frames.
  /// - Throws: `.unsupported` and `.corrupt` for a file that is no such matte.
  package func folder(_ frames: Range<Int>) throws(RetakeError) -> TruthFolder? {
    guard self.frames().contains(where: frames.contains) else { return nil }
    let folder = try TruthFolder(path: path, frames: Array(frames), width: size.width, height: size.height)
    return folder.frameCount > 0 ? folder : nil
  }

  /// The matte, a byte a pixel, and then 255 for each pixel that it leaves out; nil for a frame without one.
  package func planes(_ frame: Int) throws(RetakeError) -> [UInt8]? {
    guard frames().contains(frame) else { return nil }
    let folder = try TruthFolder(path: path, frames: [frame], width: size.width, height: size.height)
    let matte = try folder.matte(frame)
    return matte.samples + (matte.judged?.map { 255 - $0 } ?? [UInt8](repeating: 0, count: matte.samples.count))
  }

  /// - Parameters:
  ///   - planes: as `planes(_:)` returns them.
  ///   - base: XXH3-128 of the planes that these replace, or "none"; nil replaces any.
  /// - Throws: `.usage` for another size; `.busy` if there are other planes than `base`; what writing throws.
  package func write(_ planes: [UInt8], frame: Int, base: String? = nil) throws(RetakeError) {
    guard planes.count == byteCount else {
      throw RetakeError(
        .usage, "A matte of \(size) and what it leaves out have \(byteCount) bytes, not \(planes.count).",
        hint: "reload the page")
    }
    let count = planes.count / 2
    let leavesOut = planes[count...].contains { $0 != 0 }
    try change(frame, base) { () throws(RetakeError) in
      // In this order, a picture of what is left out always has its matte.
      if leavesOut { try Folder.make("\(path)/\(Self.ignoreFolder)") } else { unlink(ignorePath(frame)) }
      try Folder.make(path)
      try write(Array(planes[..<count]), to: mattePath(frame))
      if leavesOut { try write(Array(planes[count...]), to: ignorePath(frame)) }
    }
  }

  /// - Parameter base: as `write` takes it.
  package func remove(_ frame: Int, base: String? = nil) throws(RetakeError) {
    try change(frame, base) { () throws(RetakeError) in
      unlink(ignorePath(frame))
      unlink(mattePath(frame))
    }
  }

  private func change(
    _ frame: Int, _ base: String?, _ body: () throws(RetakeError) -> Void
  ) throws(RetakeError) {
    let result: Result<Void, RetakeError> = changeCount.withLock { count in
      count += 1
      return Result { () throws(RetakeError) in
        if let base, try digest(frame) != base {
          throw RetakeError(
            .busy, "Another page has changed it since this one read it.", hint: "load the other one, or replace it")
        }
        try body()
      }
    }
    try result.get()
  }

  private func digest(_ frame: Int) throws(RetakeError) -> String {
    try planes(frame)?.withUnsafeBytes { Checksum.xxh3Hex128($0) } ?? "none"
  }

  private func mattePath(_ frame: Int) -> String { "\(path)/\(frame.zeroPadded(6)).png" }
  private func ignorePath(_ frame: Int) -> String { "\(path)/\(Self.ignoreFolder)/\(frame.zeroPadded(6)).png" }

  private func write(_ samples: [UInt8], to path: String) throws(RetakeError) {
    let png = try samples.withRawBytes { bytes throws(RetakeError) in
      try PNGEncoder.encode(bytes, width: size.width, height: size.height, as: .grey8)
    }
    try FileBeside.write(png, to: path)
  }
}
