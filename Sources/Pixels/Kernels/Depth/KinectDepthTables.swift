/// Tables from a Kinect's calibration, bit-equal to those of libfreenect 0.5.3 on x86-64. The
/// formulas are those of its registration.c, which has them from PrimeSense's driver. Arithmetic is
/// IEEE 754 without contraction in the given order. Integers wrap. A Double is truncated to Int32,
/// or becomes Int32.min if it does not fit.
package enum KinectDepthTables {
  /// Of the depth camera and, for registration, of the colour camera.
  package static let (width, height) = (640, 480)
  /// libfreenect's largest distance, which stands for anything farther.
  package static let farthestMillimeters = 10_000
  /// Raw values count quarters of a pixel; this is the offset to the centre of one.
  private static let subpixelOffset = 0.375
  package static let stepsPerPixel: Int32 = 256

  /// Millimetres of each of the 2048 raw values; 0 for 2047. The caller limits them to 10 m. Raw
  /// values that no device sends can exceed 0 ... 65535 mm; as in libfreenect, the integer's low
  /// 16 bits remain.
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

  /// The shift to the right in the colour picture at each of 0 ..< 10000 mm, in 1/256 pixel.
  package static func shifts(_ calibration: KinectCalibration) -> [Int32] {
    let plane = calibration.zeroPlane
    // In single precision, as in libfreenect. 2: sensor pixels per picture pixel; 10: mm per cm.
    let pixelSize = 1 / Double(plane.referencePixelSizeMillimeters * 2 * 10)
    let baseline = Double(plane.colorDistanceCentimeters) * pixelSize * 10
    let reference = Double(plane.referenceDistanceMillimeters) * pixelSize * 10
    return (0..<farthestMillimeters).map { millimeters in
      let depth = Double(millimeters) * pixelSize
      return truncated((baseline * (depth - reference) / depth + subpixelOffset) * Double(stepsPerPixel))
    }
  }

  /// A depth pixel's position in the colour picture, without `shifts`.
  package struct Place: Hashable, Sendable {
    /// In 1/256 pixel; outside the picture if the colour camera does not see the pixel.
    package var x: Int32
    /// A row; arbitrary if x is outside the picture.
    package var y: Int32
  }

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

  /// Conversion to Int32 as x86-64 does it.
  static func truncated(_ value: Double) -> Int32 {
    value > -2_147_483_649 && value < 2_147_483_648 ? Int32(value) : .min
  }
}

/// The offset of each depth pixel in the colour picture, by finite differences, row by row.
private struct PlacePolynomial {
  /// A polynomial along one direction: `value` in 2⁻¹⁷ pixels, `first` in 2⁻²³, `second` in 2⁻³¹.
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

  private struct Coordinate {
    /// Along the first column.
    var column: Differences
    /// First difference along the row, with its own differences from row to row.
    var rowFirst: Int64
    var rowFirstStep: Int64
    var rowSecond: Int64
    let steps: (a: Int64, b: Int64, c: Int64, d: Int64)
    /// Along the current row.
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
    // Shifting up in 32 bits and down again sign-extends fields of 19 and 21 bits.
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
