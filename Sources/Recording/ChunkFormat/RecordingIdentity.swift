import FrameModel
import Kernels
import Support

/// Identity of a recording. Each chunk file has a copy, so that swapped files are detected.
package struct RecordingIdentity: Hashable, Sendable {
  /// 32 hexadecimal digits.
  package var id: String
  /// Unix time at presentation time 0, nanoseconds: the only link to the wall clock.
  package var wallClockNanoseconds: Int64
  /// CLOCK_MONOTONIC at presentation time 0.
  package var monotonicOrigin: MonotonicTime
  package var formatVersion: Int

  package static let currentFormatVersion = 1

  /// Whether the wall clock is one. A source without a clock has 0, and a part of it as much as the part begins later.
  package var hasWallClock: Bool { wallClockNanoseconds >= 366 * 86_400 * 1_000_000_000 }

  package init(
    id: String, wallClockNanoseconds: Int64, monotonicOrigin: MonotonicTime,
    formatVersion: Int = currentFormatVersion
  ) {
    self.id = id
    self.wallClockNanoseconds = wallClockNanoseconds
    self.monotonicOrigin = monotonicOrigin
    self.formatVersion = formatVersion
  }

  package static let metadataName = "retake.recording"

  func metadata(fileNumber: Int) -> MCAPMetadata {
    MCAPMetadata(
      name: Self.metadataName,
      entries: [
        .init("id", id), .init("format_version", "\(formatVersion)"), .init("chunk_file", "\(fileNumber)"),
        .init("wall_clock_ns", "\(wallClockNanoseconds)"),
        .init("monotonic_origin_ns", "\(monotonicOrigin.nanoseconds)"),
      ])
  }

  /// - Throws: `.corrupt` for a missing or malformed entry, `.unsupported` for a later format.
  package init(_ metadata: MCAPMetadata) throws(RetakeError) {
    func entry(_ name: String) throws(RetakeError) -> String {
      guard let found = metadata.entries.first(where: { $0.name == name }) else {
        throw RetakeError(.corrupt, "The chunk file's '\(Self.metadataName)' lacks '\(name)'.")
      }
      return found.value
    }
    func number(_ name: String) throws(RetakeError) -> Int64 {
      guard let value = Int64(try entry(name)) else {
        throw RetakeError(.corrupt, "The chunk file's '\(name)' is not a number.")
      }
      return value
    }
    id = try entry("id")
    wallClockNanoseconds = try number("wall_clock_ns")
    monotonicOrigin = MonotonicTime(nanoseconds: try number("monotonic_origin_ns"))
    let version = try number("format_version")
    guard version <= Self.currentFormatVersion else { throw Self.newer(Int(version)) }
    guard version >= 1 else { throw RetakeError(.corrupt, "The chunk file has the invalid format version \(version).") }
    formatVersion = Int(version)
  }

  package static func newer(_ version: Int) -> RetakeError {
    RetakeError(
      .unsupported,
      "The recording has format version \(version); this version of Retake reads version \(currentFormatVersion).",
      hint: "use the version of Retake that wrote it, or a later one")
  }
}

extension RecordingIdentity {
  /// Recording id where equal input is to give equal files: XXH3-128 of the stream names and descriptions. Recordings
  /// of other content have the same id if their streams are described alike.
  package static func id(of streams: [StreamDescription]) -> String {
    let text = streams.map { stream in
      "\(stream.name)\n" + StreamChannel.metadata(of: stream).map { "\($0.name)=\($0.value)\n" }.joined()
    }.joined()
    return Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
  }

  /// Identity of a later part of the same session: a recording of its own on the same time line.
  package func ofPart(_ number: Int) -> RecordingIdentity {
    var part = self
    part.id = Array("\(id)/\(number)".utf8).withRawBytes { Checksum.xxh3Hex128($0) }
    return part
  }

  /// Identity of a copy that holds some of the frames, with a time line that begins at `start`.
  /// - Parameter treatment: names the processing applied to the frames; empty for none.
  package func ofPart(
    from start: PresentationTime, selecting frames: [Range<Int>], treatment: String = ""
  ) -> RecordingIdentity {
    let ranges = frames.map { "\($0.lowerBound)..<\($0.upperBound)" }.joined(separator: ",")
    var part = self
    // Times select frames of a background video, so a copy that keeps them has another id.
    let times = start.nanoseconds == 0 ? "@0" : ""
    let text = "\(id)/\(ranges)\(times)" + (treatment.isEmpty ? "" : "/\(treatment)")
    part.id = Array(text.utf8).withRawBytes { Checksum.xxh3Hex128($0) }
    part.wallClockNanoseconds &+= start.nanoseconds
    part.monotonicOrigin.nanoseconds &+= start.nanoseconds
    return part
  }
}
