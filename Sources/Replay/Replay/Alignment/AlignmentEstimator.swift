import FrameModel
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Support

/// Estimates a recording's alignment from edges of depth and colour in frame sets all over it.
package struct AlignmentEstimator {
  package struct Report {
    package var estimate: Result<OffsetEstimate, OffsetEstimate.Obstacle>
    /// Frame sets that were used: both frames intact.
    package var frameCount: Int
  }

  /// Frame sets for an estimate that is stored, and for one that is only looked at.
  package static let frameLimit = 64
  package static let glanceFrameLimit = 6

  private let recording: Recording
  private let reader: FrameReader
  private let picture: ColorPicture
  private let converter: DepthConverter
  private let color: Int
  private let depth: Int
  private let plane: PixelPlane<UInt16>

  /// - Throws: `.unsupported` for a recording without colour or depth that can be converted.
  package init(_ recording: Recording) throws(RetakeError) {
    let path = recording.folder.path
    guard let color = recording.firstStream(.color), let depth = recording.firstStream(.depth) else {
      throw RetakeError(
        .unsupported, "\(path) lacks colour or depth, so there is nothing to align.",
        hint: "'retake info' lists its streams")
    }
    (self.recording, self.color, self.depth) = (recording, color, depth)
    reader = try FrameReader(recording)
    picture = try ColorPicture(recording.streams[color])
    converter = try DepthConverter(recording.streams[depth], color: recording.streams[color], laysPairs: true)
    let layout = recording.streams[depth].layout
    plane = PixelPlane(width: layout.width, height: layout.height)
  }

  /// - Parameters:
  ///   - frameLimit: frame sets to use, evenly spread over the recording.
  ///   - progress: called with the frame sets done and in total; false stops.
  /// - Throws: input errors. Damaged frames are left out.
  package func run(
    frameLimit: Int = Self.frameLimit, progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Report {
    let edges = DepthEdges(width: plane.width, height: plane.height)
    var profiles = EdgeProfiles()
    let count = try recording.frameSetCount()
    let limit = min(frameLimit, count)
    var used = 0
    for place in 0..<limit {
      // With a single frame set, its own number.
      let first = place * count / limit
      guard let entry = try entry(in: first..<(place + 1) * count / limit) else { continue }
      if let frames = try frames(entry) {
        converter.convert(frames.depth.bytes, to: plane.samples)
        profiles.add(
          edges.find(plane.samples), depthWidth: plane.width, depthHeight: plane.height,
          color: try picture.picture(frames.color), time: place * EdgeProfiles.groupCount / limit)
        used += 1
      }
      guard progress(place + 1, limit) else { throw RetakeError(.inputOutput, "Stopped: nothing was estimated.") }
    }
    return Report(estimate: OffsetEstimate.find(in: profiles), frameCount: used)
  }

  /// The first of a few frame sets that has depth: it may be slower than colour.
  private func entry(in numbers: Range<Int>) throws(RetakeError) -> FrameSetEntry? {
    try recording.frameSets(numbers.lowerBound..<min(numbers.upperBound, numbers.lowerBound + 16)).first {
      $0.partner(stream: depth) != nil
    }
  }

  /// Nil if a frame is damaged.
  private func frames(_ entry: FrameSetEntry) throws(RetakeError) -> (color: Frame, depth: Frame)? {
    guard let row = entry.partner(stream: depth) else { return nil }
    do throws(RetakeError) {
      let frames = (try reader.frame(entry.master), try reader.frame(row))
      try check(frames.1)
      return frames
    } catch {
      guard error.code == .corrupt else { throw error }
      return nil
    }
  }

  private func check(_ frame: Frame) throws(RetakeError) {
    let layout = recording.streams[depth].layout.packed
    guard frame.layout == layout, frame.byteCount == layout.byteCount else {
      throw RetakeError(.corrupt, "Depth frame \(frame.number) is incomplete.")
    }
  }
}
