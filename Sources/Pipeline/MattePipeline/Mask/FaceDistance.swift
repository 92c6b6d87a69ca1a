import FrameModel
import Kernels

/// The median distance in a face's box.
struct FaceDistance {
  private let median = DepthMedian()

  /// The lower median of a plane's values other than 0 in the middle half, each way, of a face's box in the video.
  /// - Parameter geometry: of the plane.
  /// - Returns: nil where the plane has none.
  func median(of plane: PixelPlane<UInt16>, _ box: FaceObservation.Box, _ geometry: PlaneGeometry) -> UInt16? {
    let from = geometry.point(videoX: box.x + box.width * 0.25, videoY: box.y + box.height * 0.25)
    let to = geometry.point(videoX: box.x + box.width * 0.75, videoY: box.y + box.height * 0.75)
    guard from.x <= Double(plane.width), from.y <= Double(plane.height), to.x >= 0, to.y >= 0,
      let left = Self.pixel(from.x, plane.width), let right = Self.pixel(to.x, plane.width),
      let top = Self.pixel(from.y, plane.height), let bottom = Self.pixel(to.y, plane.height),
      left <= right, top <= bottom
    else { return nil }
    return median.lower(of: plane, columns: left...right, rows: top...bottom)
  }

  /// Rounded and clamped; nil if not finite.
  static func pixel(_ coordinate: Double, _ length: Int) -> Int? {
    guard coordinate.isFinite else { return nil }
    let last = Double(length - 1)
    return Int(min(max(coordinate.rounded(.toNearestOrAwayFromZero), 0), last))
  }
}
