import FrameModel
import Kernels

/// Maps places in the colour stream to depth pixels and reads their distances. Serves one thread.
package final class DepthView {
  private let layout: FrameLayout
  /// Depth pixels per colour pixel.
  private let scale: (x: Double, y: Double)
  private let focal: (x: Double, y: Double)
  private let center: (x: Double, y: Double)
  /// For `grey16` streams.
  private let millimetersPerCount: Double
  /// Registers depth that is in the depth camera's own view; nil if it is registered already.
  private let laying: (converter: DepthConverter, plane: PixelPlane<UInt16>)?

  private var picture: FramePicture?
  private var isLaid = false

  package struct Point: Hashable {
    /// Metres: right, down, and away from the camera.
    var x: Double
    var y: Double
    package var z: Double

    package init(x: Double, y: Double, z: Double) {
      (self.x, self.y, self.z) = (x, y, z)
    }
  }

  /// - Returns: nil if depth cannot be registered to colour, or samples are not distances.
  package init?(depth: StreamDescription, color: StreamDescription) {
    guard depth.kind == .depth, DepthConverter.isDepth(depth) else { return nil }
    func setting(_ name: String) -> Double? {
      depth.settings[name].flatMap { Double($0) }.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
    if Self.seesTheSame(depth, color) {
      laying = nil
    } else {
      guard let converter = try? DepthConverter(depth, color: color, viewpoint: .auto), converter.isRegistered else {
        return nil
      }
      laying = (converter, PixelPlane(width: depth.layout.width, height: depth.layout.height))
    }
    layout = depth.layout
    let (width, height) = (Double(layout.width), Double(layout.height))
    scale = (width / Double(color.layout.width), height / Double(color.layout.height))
    // Without calibration: 58 degrees across, as common depth cameras have.
    let calibrated = Self.lens(depth, (1, 1)) ?? Self.lens(color, scale)
    let fallback: Pair = calibrated?.focal ?? (0.9 * width, 0.9 * width)
    focal = (setting("focal-x") ?? fallback.x, setting("focal-y") ?? setting("focal-x") ?? fallback.y)
    let middle: Pair = calibrated?.center ?? (width / 2, height / 2)
    center = (setting("center-x") ?? middle.x, setting("center-y") ?? middle.y)
    millimetersPerCount = (setting(StreamDescription.depthUnit) ?? 1000) / 1000
  }

  private typealias Pair = (x: Double, y: Double)

  /// The lens by a stream's `intrinsics`, in depth pixels; nil without any, or with invalid ones.
  private static func lens(_ stream: StreamDescription, _ scale: Pair) -> (focal: Pair, center: Pair)? {
    guard let lens = (try? CameraIntrinsics(stream)) ?? nil else { return nil }
    return ((lens[.fx] * scale.x, lens[.fy] * scale.y), (lens[.cx] * scale.x, lens[.cy] * scale.y))
  }

  /// Whether depth is registered already; by default not, as cameras side by side see differently.
  private static func seesTheSame(_ depth: StreamDescription, _ color: StreamDescription) -> Bool {
    if let registered = depth.settings["registered"] { return registered == "1" }
    // A Kinect's own registration is for its smaller colour picture.
    let isKinects = depth.settings.contains { $0.name == "mode" && $0.value.hasPrefix("registered ") }
    return isKinects && depth.device == color.device && color.layout.width == depth.layout.width
      && color.layout.height == depth.layout.height
  }

  /// Sets the frame to read, and releases the previous one.
  package func show(_ picture: FramePicture?) {
    self.picture = picture.flatMap { isReadable($0) ? $0 : nil }
    isLaid = false
  }

  private func isReadable(_ picture: FramePicture) -> Bool {
    let isLayout = laying == nil ? picture.layout.packed == layout.packed : picture.layout == layout.packed
    return isLayout && picture.isWhole
  }

  var hasPicture: Bool { picture != nil }

  /// Measured points inside an ellipse, given in pixels of the colour picture.
  /// - Returns: the points, and the number of depth pixels examined.
  package func points(
    centerX: Double, centerY: Double, radiusX: Double, radiusY: Double
  ) -> (points: [Point], lookedAt: Int) {
    let middle = (x: centerX * scale.x, y: centerY * scale.y)
    let radius = (x: radiusX * scale.x, y: radiusY * scale.y)
    guard let picture, radius.x >= 1, radius.y >= 1, middle.x.isFinite, middle.y.isFinite else { return ([], 0) }
    lay(picture)
    let columns = Self.indices(middle.x, radius.x, layout.width)
    let rows = Self.indices(middle.y, radius.y, layout.height)
    // More than about 40 × 40 samples give no better result.
    let step = max(1, max(columns.count, rows.count) / 40)
    var points: [Point] = []
    var lookedAt = 0
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
      for x in stride(from: columns.lowerBound, to: columns.upperBound, by: step) {
        let (u, v) = ((Double(x) - middle.x) / radius.x, (Double(y) - middle.y) / radius.y)
        guard u * u + v * v <= 1 else { continue }
        lookedAt += 1
        guard let z = distance(picture, x, y) else { continue }
        points.append(
          Point(x: (Double(x) - center.x) / focal.x * z, y: (Double(y) - center.y) / focal.y * z, z: z))
      }
    }
    withExtendedLifetime(picture) {}
    return (points, lookedAt)
  }

  /// Registers depth on first use: it takes 2 ms, which frames without faces save.
  private func lay(_ picture: FramePicture) {
    guard let laying, !isLaid else { return }
    laying.converter.convert(picture.bytes, to: laying.plane.samples)
    isLaid = true
  }

  /// Colour pixels that a width in metres spans at distance `z`.
  func pixels(meters: Double, at z: Double) -> Double { meters * focal.x / (z * scale.x) }

  /// Metres at a place in pixels of the colour picture; nil for no measurement, or outside.
  func distance(atX x: Double, y: Double) -> Double? {
    let (column, row) = (Int((x * scale.x).rounded(.down)), Int((y * scale.y).rounded(.down)))
    guard let picture, (0..<layout.width).contains(column), (0..<layout.height).contains(row) else { return nil }
    lay(picture)
    return distance(picture, column, row)
  }

  private static func indices(_ middle: Double, _ radius: Double, _ length: Int) -> Range<Int> {
    let limit = Double(length)
    let low = Int(min(max((middle - radius).rounded(.down), 0), limit))
    let high = Int(min(max((middle + radius).rounded(.up) + 1, 0), limit))
    return low..<max(low, high)
  }

  /// Metres; nil for no measurement.
  private func distance(_ picture: FramePicture, _ x: Int, _ y: Int) -> Double? {
    if let laying {
      let millimeters = laying.plane.row(y)[x]
      return millimeters > 0 ? Double(millimeters) / 1000 : nil
    }
    let row = picture.buffer.bytes.baseAddress! + y * picture.layout.bytesPerRow
    if layout.format == .disparityFloat32 {
      let disparity = row.loadUnaligned(fromByteOffset: 4 * x, as: Float.self)
      return disparity > 0.05 && disparity.isFinite ? 1 / Double(disparity) : nil
    }
    let raw = UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self))
    let millimeters =
      switch layout.format {
      case .kinectRaw11: Double(DepthUnits.kinectMillimeters[Int(raw & 2047)])
      case .grey16: Double(raw) * millimetersPerCount
      default: Double(raw)
      }
    return millimeters > 0 ? millimeters / 1000 : nil
  }
}
