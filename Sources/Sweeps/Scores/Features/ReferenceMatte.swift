/// A matte that settings are compared with where there is no truth, and how well the pictures support it.
///
/// The memory is reused from frame to frame. One thread takes a frame; then many threads may compare with it.
package final class ReferenceMatte {
  let features: MatteFeatures
  private var contrast = EdgeContrast()
  private var personCount = 0
  private var pixelCount = 0

  /// - Parameters:
  ///   - width, height: pixels.
  ///   - tolerance: of boundaries, pixels; nil for the default.
  package init(width: Int, height: Int, tolerance: Int? = nil) {
    features = MatteFeatures(width: width, height: height, tolerance: tolerance)
  }

  /// - Parameter matte: nil for a missing one, which counts as empty.
  package func take(_ matte: UnsafePointer<UInt8>?, _ scene: Scene) {
    if let matte {
      features.take(BytePlane(matte, width: features.width, height: features.height))
    } else {
      features.takeNothing()
    }
    // Computes the lazy features now: later, several threads read them.
    _ = features.nearContour
    if let colors = scene.picture.colors { contrast = contrast + EdgeContrast(features, colors.samples) }
    personCount += Int(features.found.personCount)
    pixelCount += features.width * features.height
  }

  /// The contrast of all outlines so far; nil if the person is less than a two-hundredth of the pictures,
  /// so that a few specks on edges of the picture do not win.
  var support: Double? { 200 * personCount < pixelCount ? nil : contrast.mean }

  /// The index of the best supported reference, the first of equals; nil if none shows a person.
  package static func best(_ references: [ReferenceMatte]) -> Int? {
    var best: (index: Int, support: Double)?
    for (index, reference) in references.enumerated() {
      guard let support = reference.support, best.map({ support > $0.support }) ?? true else { continue }
      best = (index, support)
    }
    return best?.index
  }
}
