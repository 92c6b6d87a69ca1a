import FrameModel
import Support

/// A camera's lens model: Brown-Conrady with a rational radial part, in OpenCV's convention
/// (calib3d, "Camera Calibration and 3D Reconstruction"; the Azure Kinect's is the same).
///
/// With x = X / Z and y = Y / Z to the right and down, r² = x² + y² and
/// d = (1 + k1·r² + k2·r⁴ + k3·r⁶) / (1 + k4·r² + k5·r⁴ + k6·r⁶):
/// u = fx · (x·d + 2·p1·x·y + p2·(r² + 2·x²)) + cx,
/// v = fy · (y·d + p1·(r² + 2·y²) + 2·p2·x·y) + cy.
/// The centre of the first pixel is (0, 0).
///
/// Stored as a stream's setting `intrinsics`, for pictures of that stream's size. Arithmetic is
/// IEEE 754 in the order given here, so derived tables are bit-identical everywhere.
package struct CameraIntrinsics: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// In the order of the setting's text.
  package enum Term: String, CaseIterable, Sendable {
    case fx, fy, cx, cy, k1, k2, k3, k4, k5, k6, p1, p2
    var isNeeded: Bool { self == .fx || self == .fy || self == .cx || self == .cy }
  }

  package static let settingName = "intrinsics"
  /// The tangent of 60 degrees: the widest angle from the axis that the model is used for.
  private static let largestRadius = 1.75

  private let terms: [Double]
  /// Beyond this radius, the distorted radius no longer grows.
  private let largestSquaredRadius: Double

  /// - Parameter terms: in the order of `Term.allCases`; missing ones are 0.
  /// - Returns: nil if a term is not finite or a focal length is not positive.
  package init?(_ terms: [Double]) {
    let all = Term.allCases.indices.map { $0 < terms.count ? terms[$0] : 0 }
    guard all.allSatisfy(\.isFinite), all[0] > 0, all[1] > 0 else { return nil }
    self.terms = all
    var (radius, reached, step) = (0.0, 0.0, 0)
    while step < 175 {
      step += 1
      let next = Self.largestRadius * Double(step) / 175
      let distorted = next * Self.radial(all, next * next)
      guard distorted > reached else { break }
      (radius, reached) = (next, distorted)
    }
    largestSquaredRadius = radius * radius
  }

  package subscript(_ term: Term) -> Double { Term.allCases.firstIndex(of: term).map { terms[$0] } ?? 0 }

  private static func radial(_ k: [Double], _ r2: Double) -> Double {
    let above = 1 + r2 * (k[4] + r2 * (k[5] + r2 * k[6]))
    let below = 1 + r2 * (k[7] + r2 * (k[8] + r2 * k[9]))
    return below == 0 ? 0 : above / below
  }

  /// Without focal length and principal point.
  private func distorted(_ point: Point) -> Point {
    let (x, y, p1, p2) = (point.x, point.y, terms[10], terms[11])
    let r2 = x * x + y * y
    let d = Self.radial(terms, r2)
    return Point(
      x: x * d + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y: y * d + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y)
  }

  /// The pixel of a direction (X / Z, Y / Z); nil outside the model's valid range.
  package func pixel(_ direction: Point) -> Point? {
    guard direction.x * direction.x + direction.y * direction.y <= largestSquaredRadius else { return nil }
    let point = distorted(direction)
    return Point(x: terms[0] * point.x + terms[2], y: terms[1] * point.y + terms[3])
  }

  /// The direction of a pixel, by Newton's method; nil if none projects to within 1/20 pixel of it.
  package func direction(_ pixel: Point) -> Point? {
    let aim = Point(x: (pixel.x - terms[2]) / terms[0], y: (pixel.y - terms[3]) / terms[1])
    var guess = aim
    let h = 1e-6
    for _ in 0..<12 {
      let here = distorted(guess)
      let (right, down) = (
        distorted(Point(x: guess.x + h, y: guess.y)), distorted(Point(x: guess.x, y: guess.y + h))
      )
      let (a, b) = ((right.x - here.x) / h, (down.x - here.x) / h)
      let (c, d) = ((right.y - here.y) / h, (down.y - here.y) / h)
      let determinant = a * d - b * c
      guard determinant != 0 else { return nil }
      let (dx, dy) = (aim.x - here.x, aim.y - here.y)
      let step = Point(x: (d * dx - b * dy) / determinant, y: (a * dy - c * dx) / determinant)
      guess = Point(x: guess.x + step.x, y: guess.y + step.y)
      if step.x * step.x + step.y * step.y < 1e-18 { break }
    }
    guard let found = self.pixel(guess) else { return nil }
    let (dx, dy) = (found.x - pixel.x, found.y - pixel.y)
    return dx * dx + dy * dy < 0.0025 ? guess : nil
  }
}

extension CameraIntrinsics {
  /// Numbers are written so that they read back to the same bits.
  package var setting: StreamDescription.Setting {
    let words = zip(Term.allCases, terms).filter { $0.isNeeded || $1 != 0 }.map { "\($0.rawValue)=\($1)" }
    return StreamDescription.Setting(Self.settingName, words.joined(separator: " "))
  }

  /// Nil if the stream has no such setting. Throws `.corrupt` for an invalid one.
  package init?(_ stream: StreamDescription) throws(RetakeError) {
    guard let text = stream.settings[Self.settingName] else { return nil }
    let words = SettingWords(text)
    guard Term.allCases.allSatisfy({ !$0.isNeeded || words.number($0.rawValue) != nil }),
      let intrinsics = CameraIntrinsics(Term.allCases.map { words.number($0.rawValue) ?? 0 })
    else {
      throw RetakeError(
        .corrupt, "The intrinsics of stream '\(stream.name)' are invalid.",
        hint: "use depth.registration=none to keep depth in the depth camera's view")
    }
    self = intrinsics
  }
}
