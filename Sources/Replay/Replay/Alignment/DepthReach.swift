import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Support

/// How far the depth of a recording reaches, by which a wrong unit is seen.
package struct DepthReach {
  /// 5th and 95th percentile of the measured samples, millimetres; 65535 stands for all that is farther.
  package let near: Int
  package let far: Int

  /// Enough for scenes of a few kinds, and read in milliseconds.
  private static let frameLimit = 8

  /// From a few frames all over the recording. Frames that cannot be read are left out.
  /// - Returns: nil without a measured sample.
  /// - Throws: input errors, and `.unsupported` for depth that cannot be converted.
  package init?(_ recording: Recording, stream: Int) throws(RetakeError) {
    let description = recording.streams[stream]
    let converter = try DepthConverter(description)
    let plane = PixelPlane<UInt16>(width: description.layout.width, height: description.layout.height)
    let reader = try FrameReader(recording)
    let count = try recording.summary().streams[stream].frameCount
    let limit = min(count, Self.frameLimit)
    var counts = [Int](repeating: 0, count: 65_536)
    for place in 0..<limit {
      guard let row = try recording.frameRow(stream: stream, number: place * count / limit),
        let frame = try? reader.frame(row), frame.layout == description.layout,
        frame.byteCount == frame.layout.byteCount
      else { continue }
      withExtendedLifetime(frame) { converter.convert(frame.bytes, to: plane.samples) }
      for sample in 0..<plane.width * plane.height { counts[Int(plane.samples[sample])] += 1 }
    }
    counts[0] = 0
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    func distance(beyond share: Int) -> Int {
      var passed = 0
      return counts.firstIndex { count in
        passed += count
        return passed > share
      } ?? 0
    }
    (near, far) = (distance(beyond: total / 20), distance(beyond: total - 1 - total / 20))
  }
}
