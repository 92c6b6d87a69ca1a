import CKernels

/// Registers depth to the colour of another camera, by their lenses and relative pose.
///
/// The result has the depth map's size and lies over the video as depth does (A.5). It is as wide
/// as the video and centred, with holes above and below. Distances are from the colour camera. The
/// nearest of overlapping points wins; pixels without a point are holes. Each depth pixel extends
/// by 0.6 of its size to each side, and at least 0.6 of a result pixel, so slightly stretched
/// surfaces stay whole.
///
/// A pixel's position is a curve over its inverse distance w = 200 mm / z. It is computed in double
/// precision at three points of each of 1, 2 or 4 pieces of 0 ... 1. Integer parabolas interpolate
/// it, with the fewest pieces that stay within 1/8 pixel. Distances below 200 mm are left out.
package struct CameraPairRegistration: Sendable {
  package static let nearestMillimeters = 200
  private static let pieceCounts = [1, 2, 4]
  private static let largestError = 0.125

  package let width: Int
  package let height: Int
  package let pieceCount: Int
  private let steps: KernelTable<UInt32>
  private let places: KernelTable<RTKSplatPlace>
  private let rows: ClosedRange<Int>
  /// Rows of the depth map that can land in `rows`.
  private let depthRows: Range<Int>
  private let reach: Int32
  private let shift: Int64

  /// The sizes are those of the pictures that the intrinsics are for.
  package init(
    depth: CameraIntrinsics, depthSize: (width: Int, height: Int), color: CameraIntrinsics,
    colorSize: (width: Int, height: Int), _ extrinsics: CameraExtrinsics
  ) {
    (width, height) = depthSize
    let projection = PairProjection(
      depth: depth, depthSize: depthSize, color: color, colorSize: colorSize, extrinsics)
    let pieceCount =
      Self.pieceCounts.first { projection.error(pieceCount: $0) <= Self.largestError } ?? Self.pieceCounts.last!
    self.pieceCount = pieceCount
    let places = projection.places(pieceCount: pieceCount)
    self.places = KernelTable(places)
    steps = KernelTable(Self.steps(pieceCount: pieceCount))
    let halfCovered = Double(colorSize.height) * projection.scale / 2
    let top = max(0, Int((Double(height) / 2 - halfCovered).rounded(.down)))
    let bottom = min(height, Int((Double(height) / 2 + halfCovered).rounded(.up)))
    rows = top...max(top, bottom - 1)
    depthRows = Self.depthRows(places, depthSize, landingIn: rows)
    reach = Int32((256 * 0.6 * min(max(1, projection.magnification), 8)).rounded(.toNearestOrAwayFromZero))
    shift = Int64((extrinsics.translationMillimeters[2] * 65_536).rounded(.toNearestOrAwayFromZero))
  }

  /// The range of depth rows with a pixel whose curve starts, ends, has its middle or crosses
  /// within eight pixels of `rows`.
  private static func depthRows(
    _ places: [RTKSplatPlace], _ size: (width: Int, height: Int), landingIn rows: ClosedRange<Int>
  ) -> Range<Int> {
    let (low, high) = (256 * (rows.lowerBound - 8), 256 * (rows.upperBound + 9))
    var used = [Bool](repeating: false, count: size.height)
    for (i, place) in places.enumerated() where place.scale != 0 {
      let (start, slope, bend) = (Int(place.y), Int(place.slopeY), Int(place.bendY))
      let (middle, end) = (start + slope / 2 + bend / 4, start + slope + bend)
      if max(start, middle, end) >= low, min(start, middle, end) <= high {
        used[i % (size.width * size.height) / size.width] = true
      }
    }
    guard let first = used.firstIndex(of: true), let last = used.lastIndex(of: true) else { return 0..<0 }
    return first..<last + 1
  }

  /// Per millimetre, the piece << 17 | the position in it in 1/65536.
  private static func steps(pieceCount: Int) -> [UInt32] {
    (0..<65_536).map { millimeters in
      guard millimeters >= nearestMillimeters else { return UInt32(bitPattern: -1) }
      let inverse = Double(nearestMillimeters) / Double(millimeters) * Double(pieceCount)
      let piece = min(pieceCount - 1, Int(inverse))
      return UInt32(piece) << 17 | UInt32(((inverse - Double(piece)) * 65_536).rounded(.toNearestOrAwayFromZero))
    }
  }

  /// - Parameter rowMillimeters: writes a row of the depth camera's view, 0 = hole.
  package func register(
    to target: UnsafeMutablePointer<UInt16>, _ rowMillimeters: (Int, UnsafeMutablePointer<UInt16>) -> Void
  ) {
    target.update(repeating: 0, count: width * height)
    withExtendedLifetime((steps, places)) {
      var splat = RTKSplat(
        width: Int32(width), firstRow: Int32(rows.lowerBound), lastRow: Int32(rows.upperBound), reach: reach,
        shift: shift, steps: steps.address, places: places.address, placeCount: width * height)
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { row in
        guard let row = row.baseAddress else { return }
        for y in depthRows {
          rowMillimeters(y, row)
          rtk_depth_splat(&splat, row, y * width, Int32(width), target)
        }
      }
    }
  }
}

/// Projects depth pixels into the plane that lies over colour, in double precision.
struct PairProjection {
  private let depth: CameraIntrinsics
  private let color: CameraIntrinsics
  private let extrinsics: CameraExtrinsics
  private let (width, height): (Int, Int)
  private let (colorWidth, colorHeight): (Double, Double)
  /// Pixels of the plane per pixel of the video.
  let scale: Double
  /// Pixels of the plane per pixel of the depth map.
  let magnification: Double

  init(
    depth: CameraIntrinsics, depthSize: (width: Int, height: Int), color: CameraIntrinsics,
    colorSize: (width: Int, height: Int), _ extrinsics: CameraExtrinsics
  ) {
    (self.depth, self.color, self.extrinsics) = (depth, color, extrinsics)
    (width, height) = depthSize
    (colorWidth, colorHeight) = (Double(colorSize.width), Double(colorSize.height))
    scale = Double(depthSize.width) / Double(colorSize.width)
    magnification = max(color[.fx] / depth[.fx], color[.fy] / depth[.fy]) * scale
  }

  private func direction(_ x: Int, _ y: Int) -> CameraIntrinsics.Point? {
    depth.direction(CameraIntrinsics.Point(x: Double(x), y: Double(y)))
  }

  /// Depth at the colour camera per depth at the depth camera, without the translation.
  private func depthScale(_ direction: CameraIntrinsics.Point) -> Double {
    let r = extrinsics.rotation
    return r[6] * direction.x + r[7] * direction.y + r[8]
  }

  /// The position in pixels of the plane; nil outside the colour lens's valid range.
  /// - Parameter inverse: 1 / mm; 0 for infinitely far.
  func position(_ direction: CameraIntrinsics.Point, inverse: Double) -> CameraIntrinsics.Point? {
    let (r, t) = (extrinsics.rotation, extrinsics.translationMillimeters)
    let x = r[0] * direction.x + r[1] * direction.y + r[2] + t[0] * inverse
    let y = r[3] * direction.x + r[4] * direction.y + r[5] + t[1] * inverse
    let z = depthScale(direction) + t[2] * inverse
    guard z > 0.05, let pixel = color.pixel(CameraIntrinsics.Point(x: x / z, y: y / z)) else { return nil }
    return CameraIntrinsics.Point(
      x: (pixel.x + 0.5) * scale, y: (pixel.y + 0.5 - colorHeight / 2) * scale + Double(height) / 2)
  }

  /// The parabola through the positions at the start, middle and end of a piece.
  private typealias Curve = (start: Double, slope: Double, bend: Double)
  private func curves(_ direction: CameraIntrinsics.Point, piece: Int, of count: Int) -> (x: Curve, y: Curve)? {
    let unit = 1 / Double(CameraPairRegistration.nearestMillimeters) / Double(count)
    guard let a = position(direction, inverse: Double(piece) * unit),
      let b = position(direction, inverse: (Double(piece) + 0.5) * unit),
      let c = position(direction, inverse: (Double(piece) + 1) * unit)
    else { return nil }
    func curve(_ a: Double, _ b: Double, _ c: Double) -> Curve { (a, 4 * b - 3 * a - c, 2 * a - 4 * b + 2 * c) }
    return (curve(a.x, b.x, c.x), curve(a.y, b.y, c.y))
  }

  func places(pieceCount: Int) -> [RTKSplatPlace] {
    let nowhere = RTKSplatPlace(x: 0, slopeX: 0, bendX: 0, y: 0, slopeY: 0, bendY: 0, scale: 0)
    var places = [RTKSplatPlace](repeating: nowhere, count: pieceCount * width * height)
    func fixed(_ value: Double, _ one: Double) -> Int32? {
      abs(value) * one < 0x1p28 ? Int32((value * one).rounded(.toNearestOrAwayFromZero)) : nil
    }
    for i in 0..<width * height {
      guard let direction = direction(i % width, i / width), let scale = fixed(depthScale(direction), 65_536) else {
        continue
      }
      for piece in 0..<pieceCount {
        guard let (x, y) = curves(direction, piece: piece, of: pieceCount),
          let startX = fixed(x.start, 256), let slopeX = fixed(x.slope, 256), let bendX = fixed(x.bend, 256),
          let startY = fixed(y.start, 256), let slopeY = fixed(y.slope, 256), let bendY = fixed(y.bend, 256)
        else { continue }
        places[piece * width * height + i] = RTKSplatPlace(
          x: startX, slopeX: slopeX, bendX: bendX, y: startY, slopeY: slopeY, bendY: bendY, scale: scale)
      }
    }
    return places
  }

  /// The largest distance in pixels between parabola and curve, sampled at 17 × 17 depth pixels.
  func error(pieceCount: Int) -> Double {
    var largest = 0.0
    let unit = 1 / Double(CameraPairRegistration.nearestMillimeters) / Double(pieceCount)
    for i in 0..<17 * 17 {
      guard let direction = direction(i % 17 * (width - 1) / 16, i / 17 * (height - 1) / 16) else { continue }
      for piece in 0..<pieceCount {
        guard let (x, y) = curves(direction, piece: piece, of: pieceCount) else { continue }
        for step in [0.2, 0.3, 0.7, 0.8] {
          guard let exact = position(direction, inverse: (Double(piece) + step) * unit), exact.x > -1, exact.y > -1,
            exact.x < Double(width) + 1, exact.y < Double(height) + 1
          else { continue }
          largest = max(
            largest, abs(x.start + step * (x.slope + step * x.bend) - exact.x),
            abs(y.start + step * (y.slope + step * y.bend) - exact.y))
        }
      }
    }
    return largest
  }
}
