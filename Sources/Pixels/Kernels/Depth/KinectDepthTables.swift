import FrameModel

/// Tables from a Kinect's calibration, bit-equal to those of libfreenect 0.5.3 on x86-64 (registration.c, whose formulas
/// these are; its own come from PrimeSense's driver). Arithmetic is IEEE 754 without contraction in the order given here,
/// integers wrap, and a Double becomes an Int32 by truncation, or the least one where it does not fit.
package enum KinectDepthTables {
  /// Of the depth camera and, for registration, of the colour camera.
  package static let (width, height) = (640, 480)
  /// libfreenect's farthest distance and beyond.
  package static let farthestMillimeters = 10_000
  /// Raw values count quarters of a pixel, whose middle lies here.
  private static let subpixelOffset = 0.375
  /// Positions in the colour picture are in such fractions of a pixel.
  package static let stepsPerPixel: Int32 = 256

  /// Millimetres of each of the 2048 raw values; 0 for 2047.
  ///
  /// Where the formula leaves 0 ... 65535 mm, which happens for raw values that no device sends, the low 16 bits of the
  /// whole number stay, as in libfreenect. Values of 10 m and more are left to the caller.
  package static func millimeters(_ calibration: KinectCalibration) -> [UInt16] {
    let plane = calibration.zeroPlane
    let pixelSize = Double(plane.referencePixelSizeMillimeters)
    let distance = Double(plane.referenceDistanceMillimeters)
    let emitter = Double(plane.emitterDistanceCentimeters)
    return (0..<2048).map { raw in
      guard raw < 2047 else { return 0 }
      let pixels = (Double(raw) - 4 * calibration.constantShift) / 4 - subpixelOffset
      let shift = pixels * pixelSize
      let millimeters = 10 * (shift * distance / (emitter - shift) + distance)
      return UInt16(truncatingIfNeeded: truncated(millimeters))
    }
  }

  /// How far a point at each of 0 ..< 10000 mm moves to the right in the colour picture, in 256ths of a pixel.
  package static func shifts(_ calibration: KinectCalibration) -> [Int32] {
    let plane = calibration.zeroPlane
    // Single precision up to here, as libfreenect multiplies: two sensor pixels for one of the picture, ten millimetres
    // in a centimetre.
    let pixelSize = 1 / Double(plane.referencePixelSizeMillimeters * 2 * 10)
    let baseline = Double(plane.colorDistanceCentimeters) * pixelSize * 10
    let reference = Double(plane.referenceDistanceMillimeters) * pixelSize * 10
    return (0..<farthestMillimeters).map { millimeters in
      let depth = Double(millimeters) * pixelSize
      return truncated((baseline * (depth - reference) / depth + subpixelOffset) * Double(stepsPerPixel))
    }
  }

  /// Where a depth pixel lies in the colour picture, but for what `shifts` adds.
  package struct Place: Hashable, Sendable {
    /// In 256ths of a pixel; beyond the picture for what the colour camera does not see.
    package var x: Int32
    /// A row; any number where x lies beyond the picture.
    package var y: Int32
  }

  /// One for each depth pixel.
  package static func places(_ calibration: KinectCalibration) -> [Place] {
    var polynomial = PlacePolynomial(calibration)
    var places: [Place] = []
    places.reserveCapacity(width * height)
    for y in 0..<height {
      polynomial.beginRow()
      for x in 0..<width {
        let offset = polynomial.next()
        var placeX = Double(x) + offset.x + 1
        let placeY = Double(y) + offset.y + 1
        if placeX < 0 || placeY < 0 || placeX >= Double(width) || placeY >= Double(height) {
          placeX = Double(2 * width)
        }
        places.append(Place(x: truncated(placeX * Double(stepsPerPixel)), y: truncated(placeY)))
      }
    }
    return places
  }

  /// What x86-64's conversion gives.
  static func truncated(_ value: Double) -> Int32 {
    value > -2_147_483_649 && value < 2_147_483_648 ? Int32(value) : .min
  }
}

/// How far the colour camera sees each depth pixel from where the depth camera does, evaluated by differences, row by row.
private struct PlacePolynomial {
  /// A polynomial's value and differences along one direction, in 2⁻¹⁷ pixels and finer.
  private struct Differences {
    var value: Int64
    var first: Int64
    var second: Int64

    mutating func advance(by step: Int64) {
      value &+= first >> 6
      first &+= second >> 8
      second &+= step
    }
  }

  /// One coordinate's polynomial.
  private struct Coordinate {
    /// Down the first column.
    var column: Differences
    /// The first differences along the row, as they change from row to row.
    var rowFirst: Int64
    var rowFirstStep: Int64
    var rowSecond: Int64
    let steps: (a: Int64, b: Int64, c: Int64, d: Int64)
    /// Along the row that has begun.
    var row = Differences(value: 0, first: 0, second: 0)

    mutating func beginRow() {
      rowSecond &+= steps.c
      rowFirst &+= rowFirstStep >> 8
      rowFirstStep &+= steps.d
      column.advance(by: steps.b)
      row = Differences(value: column.value, first: rowFirst, second: rowSecond)
    }

    mutating func next() -> Double {
      defer { row.advance(by: steps.a) }
      return Double(row.value) * (1 / 131_072)
    }
  }

  private var x: Coordinate
  private var y: Coordinate

  init(_ calibration: KinectCalibration) {
    // Shifted up in 32 bits and down again, fields of 19 and 21 bits get their sign.
    func start(_ term: KinectCalibration.Term) -> Int64 { Int64((calibration[term] << 13) >> 4) }
    func first(_ term: KinectCalibration.Term) -> Int64 { Int64((calibration[term] << 11) >> 3) }
    func second(_ term: KinectCalibration.Term) -> Int64 { Int64((calibration[term] << 5) << 3) }
    func step(_ term: KinectCalibration.Term) -> Int64 { Int64(calibration[term]) }
    x = Coordinate(
      column: Differences(value: start(.startX), first: first(.dydx), second: second(.dydydx)),
      rowFirst: first(.dxdx), rowFirstStep: second(.dydxdx), rowSecond: second(.dxdxdx),
      steps: (step(.ax), step(.bx), step(.cx), step(.dx)))
    y = Coordinate(
      column: Differences(value: start(.startY), first: first(.dydy), second: second(.dydydy)),
      rowFirst: first(.dxdy), rowFirstStep: second(.dydxdy), rowSecond: second(.dxdxdy),
      steps: (step(.ay), step(.by), step(.cy), step(.dy)))
  }

  mutating func beginRow() {
    x.beginRow()
    y.beginRow()
  }

  mutating func next() -> (x: Double, y: Double) { (x.next(), y.next()) }
}
