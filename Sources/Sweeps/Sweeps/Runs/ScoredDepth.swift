import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Scores

/// Prepares a recording's depth for scores: in millimetres, registered to colour where possible, moved
/// by the stored alignment, and without the filters of any setting.
final class ScoredDepth {
  let grid: DepthGrid
  private let layout: FrameLayout
  private let converter: DepthConverter
  private let shift: DepthShift
  private let plane: PixelPlane<UInt16>

  /// Nil for a recording without depth that can be converted.
  init?(_ recording: Recording, color: StreamDescription) {
    guard let depth = recording.firstStream(.depth).map({ recording.streams[$0] }),
      let converter = try? DepthConverter(depth, color: color), let shift = try? recording.depthShift()
    else { return nil }
    (self.converter, self.shift) = (converter, shift)
    layout = depth.layout
    let video = color.layout
    let geometry = PlaneGeometry(
      depthWidth: layout.width, depthHeight: layout.height, videoWidth: video.width, videoHeight: video.height)
    let picture = PlaneGeometry(
      depthWidth: video.width, depthHeight: video.height, videoWidth: video.width, videoHeight: video.height)
    let places = picture.places(in: geometry)
    grid = DepthGrid(width: layout.width, height: layout.height, columns: places.columns, rows: places.rows)
    plane = PixelPlane(width: layout.width, height: layout.height)
  }

  /// The depth of a frame, valid until the next call; nil for an incomplete frame.
  func millimeters(_ frame: Frame) -> UnsafePointer<UInt16>? {
    guard frame.layout == layout, frame.byteCount == layout.byteCount else { return nil }
    converter.convert(frame.bytes, to: plane.samples)
    shift.apply(to: plane, uncovered: 0)
    return UnsafePointer(plane.samples)
  }
}
