import FrameModel
import Kernels
import MattePipeline
import Media
import RecordingStore
import Support

/// Another recording's colour stream as the background. Both start together; it repeats endlessly.
package final class RecordingBackground: BackgroundSource {
  private let recording: Recording
  private let stream: Int
  private let layout: FrameLayout
  private let matrix: ColorMatrix
  private let reader: FrameReader
  private let plane: PixelPlane<UInt8>
  private let start: Int64
  /// Nanoseconds from the first frame to one period after the last.
  private let length: Int64
  /// Numbers of the last frame read and of the one in `plane`.
  private var seen: Int?
  private var shown: Int?

  /// - Throws: `.unsupported` without a colour stream, `.corrupt` without a colour frame.
  package init(_ recording: Recording) throws(RetakeError) {
    guard let stream = recording.firstStream(.color) else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no colour stream to use as a background.",
        hint: "'retake info' lists its streams")
    }
    guard let first = try recording.frameRows(stream: stream, from: 0, limit: 1).first,
      let last = try recording.frameRow(stream: stream, at: PresentationTime(nanoseconds: .max))
    else {
      throw RetakeError(
        .corrupt, "\(recording.folder.path) has no colour frame to use as a background.",
        hint: "'retake verify' shows what is damaged")
    }
    let description = recording.streams[stream]
    self.recording = recording
    self.stream = stream
    layout = description.layout.packed
    try WorkLimit.picture.check(width: layout.width, height: layout.height, recording.folder.path)
    matrix = ColorMatrix(description.settings)
    reader = try FrameReader(recording, heldFrameLimit: 1)
    plane = PixelPlane(width: layout.width, height: layout.height, channels: 3)
    start = first.timestamps.presentation.nanoseconds
    length = max(1, last.timestamps.presentation.nanoseconds - start + description.rate.periodNanoseconds)
  }

  package var size: (width: Int, height: Int) { (layout.width, layout.height) }

  package func picture(at moment: PresentationTime) throws(RetakeError) -> BackgroundPicture? {
    let time = PresentationTime(nanoseconds: start + max(0, moment.nanoseconds) % length)
    if let row = try recording.frameRow(stream: stream, at: time), row.number != seen {
      // Time went back: a later picture must not stand in for a damaged frame.
      if let seen, row.number < seen { shown = nil }
      let frame = try reader.frame(row)
      seen = row.number
      // A damaged frame shows half a picture, so the previous one stays.
      if !frame.flags.contains(.damaged), layout.format == .jpeg || frame.byteCount == layout.byteCount {
        try convert(frame)
        shown = row.number
      }
    }
    return shown.map { BackgroundPicture(plane: plane, number: $0) }
  }

  private func convert(_ frame: Frame) throws(RetakeError) {
    defer { withExtendedLifetime(frame) {} }
    if layout.format == .jpeg {
      return try JPEGDecoder().decodeRGB(
        frame.bytes, width: plane.width, height: plane.height, into: plane.samples,
        name: "Colour frame \(frame.number) of \(recording.folder.path)")
    }
    let source = frame.bytes.bindMemory(to: UInt8.self).baseAddress!
    ColorConversion.convert(source, layout, matrix, to: plane.samples, rows: 0..<plane.height)
  }
}
