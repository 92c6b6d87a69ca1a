import CKernels

/// Features of one matte, computed once for all scores. The memory is reused for the next matte.
///
/// Used by one thread at a time.
package final class MatteFeatures {
  package let width: Int
  package let height: Int
  let processor: RTKProcessor
  private(set) var found: RTKMatteFeatures
  private let own: UnsafeMutablePointer<UInt8>
  private let person: BitPlane
  private let notZero: BitPlane
  private let notOne: BitPlane
  private let edge: MatteEdge
  private let aligning: BitPlane
  private var isAligningKnown = false
  private let sloping: BitPlane
  private var isSlopingKnown = false

  /// - Parameters:
  ///   - width: at least 1, as is the height.
  ///   - tolerance: of boundaries, pixels; nil for the default.
  ///   - processor: affects speed only.
  package init(
    width: Int, height: Int, tolerance: Int? = nil, _ processor: RTKProcessor = rtk_processor()
  ) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    self.processor = processor
    let quads = Int(rtk_quad_count(Int32(width)))
    own = .allocate(capacity: width * height)
    own.initialize(repeating: 0, count: width * height)
    person = BitPlane(width: width, height: height)
    notZero = BitPlane(width: quads, height: height)
    notOne = BitPlane(width: quads, height: height)
    aligning = BitPlane(width: quads, height: height)
    sloping = BitPlane(width: quads, height: height)
    edge = MatteEdge(
      width: width, height: height, tolerance: tolerance ?? BoundaryMatch.tolerance(width: width), processor)
    found = RTKMatteFeatures(
      samples: own, person: person.words, notZero: notZero.words, notOne: notOne.words, areaSteps: 0, softCount: 0,
      personCount: 0)
    takeNothing()
  }

  deinit { own.deallocate() }

  /// - Parameter matte: of this size; its samples stay as they are until the next one comes.
  func look(at matte: BytePlane, leavingOut leftOut: LeftOutPixels? = nil) {
    precondition(matte.width == width && matte.height == height)
    found.samples = matte.samples
    rtk_matte_features(processor, Int32(width), Int32(height), &found)
    edge.forget(leavingOut: leftOut)
    isAligningKnown = false
    isSlopingKnown = false
  }

  private var ownPlane: BytePlane { BytePlane(own, width: width, height: height) }

  /// Copies a matte of this size.
  package func take(_ matte: BytePlane) {
    precondition(matte.width == width && matte.height == height)
    own.update(from: matte.samples, count: matte.count)
    look(at: ownPlane)
  }

  /// As `take`, but pixels that the truth leaves out become background, and decide no contour.
  package func take(_ matte: BytePlane, judgedBy truth: TruthFeatures) { take(matte, leavingOut: truth.leftOut) }

  func take(_ matte: BytePlane, leavingOut leftOut: LeftOutPixels?) {
    guard let leftOut else { return take(matte) }
    precondition(matte.width == width && matte.height == height)
    rtk_keep_within(processor, matte.samples, leftOut.judged.samples, matte.count, own)
    look(at: ownPlane, leavingOut: leftOut)
  }

  /// A missing matte is scored as an empty one.
  package func takeNothing() {
    own.update(repeating: 0, count: width * height)
    look(at: ownPlane)
  }

  /// The matte, valid until the next one is taken, and of `look` as long as its samples.
  package var plane: BytePlane { BytePlane(found.samples, width: width, height: height) }

  func isSameSize(as other: MatteFeatures) -> Bool { width == other.width && height == other.height }

  /// Pixels that are at least half opaque.
  var personPixels: BitPlane { person }
  var contour: (pixels: BitPlane, count: Int) { edge.contour(of: person) }
  /// Of boundaries, pixels.
  var tolerance: Int { edge.tolerance }
  /// Pixels within the tolerance of the contour.
  var nearContour: BitPlane { edge.near(person) }
  func countNearContour(_ pixels: (pixels: BitPlane, count: Int)) -> Int { edge.countNear(person, pixels) }

  /// Quads (four pixels of a row) with any difference to neighbouring pixels; elsewhere the matte
  /// is flat.
  var alignmentQuads: BitPlane {
    guard !isAligningKnown else { return aligning }
    findQuads(radius: 1, aligning)
    isAligningKnown = true
    return aligning
  }

  /// Quads with a nonzero Gaussian derivative.
  var slopeQuads: BitPlane {
    guard !isSlopingKnown else { return sloping }
    findQuads(radius: 4, sloping)
    isSlopingKnown = true
    return sloping
  }

  private func findQuads(radius: Int32, _ quads: BitPlane) {
    rtk_busy_quads(processor, notZero.words, notOne.words, quads.words, Int32(width), Int32(height), radius)
  }
}
