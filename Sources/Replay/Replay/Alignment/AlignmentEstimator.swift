import FrameModel
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Support

/// Estimates a recording's alignment from edges of depth and colour in frame sets all over it.
package struct AlignmentEstimator {
  package struct Report: Hashable, Sendable {
    package var alignment: ColorAlignment
    package var edgeCount: Int
  }

  /// Frame sets for an estimate that is stored, and for one that is only looked at.
  package static let frameLimit = 64
  package static let glanceFrameLimit = 6

  private let recording: Recording
  private let reader: FrameReader
  private let picture: ColorPicture
  private let converter: DepthConverter
  private let layout: FrameLayout
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
    (self.recording, self.depth) = (recording, depth)
    reader = try FrameReader(recording)
    picture = try ColorPicture(recording.streams[color])
    let format = try PipelineFormat(
      color: recording.streams[color], depth: recording.streams[depth], ParameterSet(PipelineParameters.all))
    (layout, converter) = (format.depth!.layout, format.depth!.converter)
    plane = PixelPlane(width: layout.width, height: layout.height)
  }

  /// - Parameters:
  ///   - frameLimit: frame sets to use, evenly spread over the recording.
  ///   - progress: called with the frame sets done and in total; false stops the estimate.
  /// - Throws: `.unsupported`, saying why, if there is too little evidence; input errors. Damaged
  ///   frames are left out.
  package func run(
    frameLimit: Int = Self.frameLimit, progress: (Int, Int) -> Bool = { _, _ in true }
  ) throws(RetakeError) -> Report {
    let edges = DepthEdges(width: plane.width, height: plane.height)
    var profiles = EdgeProfiles()
    let count = try recording.frameSetCount()
    let limit = min(frameLimit, count)
    var used = 0
    for place in 0..<limit {
      if let entry = try entry(in: place * count / limit..<(place + 1) * count / limit) {
        do throws(RetakeError) {
          let color = try convert(entry)
          profiles.add(
            edges.find(plane.samples), depthWidth: plane.width, depthHeight: plane.height, color: color,
            time: place * EdgeProfiles.groupCount / limit)
          used += 1
        } catch {
          guard error.code == .corrupt else { throw error }
        }
      }
      guard progress(place + 1, limit) else { throw RetakeError(.inputOutput, "Stopped: nothing was estimated.") }
    }
    switch OffsetEstimate.find(in: profiles) {
    case .success(let estimate):
      return Report(alignment: ColorAlignment(estimate, frameCount: used), edgeCount: estimate.edgeCount)
    case .failure(let obstacle): throw obstacle.error(in: recording.folder.path, frameCount: used)
    }
  }

  /// The first of a few frame sets that has depth, which may be slower than colour.
  private func entry(in numbers: Range<Int>) throws(RetakeError) -> FrameSetEntry? {
    try recording.frameSets(numbers.lowerBound..<min(numbers.upperBound, numbers.lowerBound + 16)).first {
      $0.partner(stream: depth) != nil
    }
  }

  /// Converts both frames, depth to `plane`.
  /// - Returns: RGB, valid until the next call.
  /// - Throws: `.corrupt` for a frame that is damaged.
  private func convert(_ entry: FrameSetEntry) throws(RetakeError) -> PixelPlane<UInt8> {
    guard let row = entry.partner(stream: depth) else { preconditionFailure("the entry was chosen for its depth") }
    let frame = try reader.frame(row)
    guard frame.layout == layout, frame.byteCount == layout.byteCount else {
      throw RetakeError(.corrupt, "Depth frame \(frame.number) is incomplete.")
    }
    withExtendedLifetime(frame) { converter.convert(frame.bytes, to: plane.samples) }
    return try picture.picture(try reader.frame(entry.master))
  }
}
