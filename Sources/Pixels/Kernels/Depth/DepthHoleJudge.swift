/// Classifies each hole by its surroundings in the row and by earlier measurements.
///
/// The first rule that applies:
/// 1. *Shadow*: the hole lies between a near and a far surface (more than 100 mm and a tenth of the
///    nearer apart), on the camera's shadow side. It is at most
///    1.5 · f · b · (1/near − 1/far) + 2 pixels long, with a focal length f of 0.9 widths and a
///    baseline b of 75 mm.
/// 2. *Too near*: both sides are within 600 mm; or the last measurement here was, and was at least
///    10 mm nearer than its recent mean.
/// 3. *Too far*: the measured sides are at 4 m or more; or the last measurement here was.
/// 4. *Never measured*: there was no measurement here yet.
/// 5. *Unknown*.
package final class DepthHoleJudge {
  /// The side of a near surface on which its shadow on a far one falls.
  package enum ShadowSide: Sendable {
    case left, right, either
  }

  private static let nearLimit = 600
  private static let farLimit = 4000
  private static let approachMillimeters = 10
  private static let baselineMillimeters = 75

  private let shadowSide: ShadowSide
  /// f · b, in pixels times millimetres.
  private let focalBaseline: Int
  /// The last measurement, and a mean to which each frame contributes a quarter; 0: none yet.
  private let last: PixelPlane<UInt16>
  private let mean: PixelPlane<UInt16>

  package init(width: Int, height: Int, shadowSide: ShadowSide) {
    self.shadowSide = shadowSide
    focalBaseline = width * 9 / 10 * Self.baselineMillimeters
    last = PixelPlane(width: width, height: height)
    mean = PixelPlane(width: width, height: height)
  }

  /// Classifies rows of the next frame's whole plane. Pass each row once per frame.
  /// - Parameter kinds: gets a `DepthHole` for each pixel.
  package func judge(
    _ depth: UnsafePointer<UInt16>, to kinds: UnsafeMutablePointer<UInt8>, rows: Range<Int>
  ) {
    let width = last.width
    for y in rows {
      let row = depth + y * width
      judgeRow(row, to: kinds + y * width, last: last.row(y), mean: mean.row(y))
      remember(row, last: last.row(y), mean: mean.row(y))
    }
  }

  private func judgeRow(
    _ row: UnsafePointer<UInt16>, to kinds: UnsafeMutablePointer<UInt8>, last: UnsafePointer<UInt16>,
    mean: UnsafePointer<UInt16>
  ) {
    let width = self.last.width
    var x = 0
    while x < width {
      guard row[x] == 0 else {
        kinds[x] = DepthHole.measured.rawValue
        x += 1
        continue
      }
      var end = x + 1
      while end < width, row[end] == 0 { end += 1 }
      let around = surroundings(
        left: x > 0 ? Int(row[x - 1]) : 0, right: end < width ? Int(row[end]) : 0, length: end - x)
      for i in x..<end {
        let past = history(last: Int(last[i]), mean: Int(mean[i]))
        // A surface that approached here is too near, even in front of a far wall.
        kinds[i] = (around == .tooFar && past == .tooNear ? past : around ?? past).rawValue
      }
      x = end
    }
  }

  /// What the measurements at a hole's ends imply; millimetres, 0 at the picture's edge.
  private func surroundings(left: Int, right: Int, length: Int) -> DepthHole? {
    let (near, far) = (min(left, right), max(left, right))
    if near > 0 {
      let isAllowed =
        switch shadowSide {
        case .left: right < left
        case .right: left < right
        case .either: true
        }
      let longest = 3 * focalBaseline * (far - near) / (2 * near * far) + 2
      if isAllowed, far - near > max(100, near / 10), length <= longest { return .shadow }
      if far <= Self.nearLimit { return .tooNear }
    }
    let nearestMeasured = near > 0 ? near : far
    return nearestMeasured >= Self.farLimit ? .tooFar : nil
  }

  private func history(last: Int, mean: Int) -> DepthHole {
    if last == 0 { return .neverMeasured }
    if last <= Self.nearLimit, mean - last >= Self.approachMillimeters { return .tooNear }
    return last >= Self.farLimit ? .tooFar : .unknown
  }

  private func remember(
    _ row: UnsafePointer<UInt16>, last: UnsafeMutablePointer<UInt16>, mean: UnsafeMutablePointer<UInt16>
  ) {
    for x in 0..<self.last.width where row[x] != 0 {
      let before = Int(mean[x])
      mean[x] = before == 0 ? row[x] : UInt16(before + ((Int(row[x]) - before) >> 2))
      last[x] = row[x]
    }
  }
}
