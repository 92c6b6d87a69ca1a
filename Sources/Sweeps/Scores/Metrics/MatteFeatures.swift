import CKernels

/// What several scores want to know of one matte, found once and in memory that is used again for the next matte.
///
/// A setting has two of them, this frame's and the last one's, and swaps them from frame to frame: so what is near the edge is
/// found once for both frames that flicker asks for it. It holds a copy of the matte. It serves one thread at a time.
package final class MatteFeatures {
  /// Pixels.
  package let width: Int
  package let height: Int
  let processor: RTKProcessor
  private(set) var found: RTKMatteFeatures
  private let samples: UnsafeMutablePointer<UInt8>
  private let person: BitPlane
  private let notZero: BitPlane
  private let notOne: BitPlane
  private let edge: MatteEdge
  private let aligning: BitPlane
  private var isAligningKnown = false
  private let sloping: BitPlane
  private let uneven: BitPlane
  private var isSlopingKnown = false

  /// - Parameters:
  ///   - width: at least 1, as is the height.
  ///   - processor: every choice gives the same values.
  package init(width: Int, height: Int, _ processor: RTKProcessor = rtk_processor()) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    self.processor = processor
    let quads = Int(rtk_quad_count(Int32(width)))
    samples = .allocate(capacity: width * height)
    samples.initialize(repeating: 0, count: width * height)
    person = BitPlane(width: width, height: height)
    notZero = BitPlane(width: quads, height: height)
    notOne = BitPlane(width: quads, height: height)
    aligning = BitPlane(width: quads, height: height)
    sloping = BitPlane(width: quads, height: height)
    uneven = BitPlane(width: quads, height: height)
    edge = MatteEdge(width: width, height: height, processor)
    found = RTKMatteFeatures(
      samples: samples, person: person.words, notZero: notZero.words, notOne: notOne.words, areaSteps: 0, softCount: 0,
      personCount: 0)
    takeNothing()
  }

  deinit { samples.deallocate() }

  /// What one of them holds, for plans of how many fit into memory.
  /// - Returns: bytes.
  package static func byteCount(width: Int, height: Int) -> Int {
    // The person, its contour and what is near that; quads that are not 0, not 1, and in three ways not flat.
    width * height + 4 * BitPlane.byteCount(width: width, height: height)
      + 5 * BitPlane.byteCount(width: Int(rtk_quad_count(Int32(width))), height: height)
  }

  /// - Parameter matte: of this size. It is copied.
  package func take(_ matte: BytePlane) {
    precondition(matte.width == width && matte.height == height)
    rtk_matte_features(processor, matte.samples, Int32(width), Int32(height), &found)
    forget()
  }

  /// An empty matte: what a frame without one is scored as.
  package func takeNothing() {
    samples.update(repeating: 0, count: width * height)
    rtk_matte_features(processor, samples, Int32(width), Int32(height), &found)
    forget()
  }

  /// The matte itself, until the next one is taken.
  package var plane: BytePlane { BytePlane(samples, width: width, height: height) }

  func isSameSize(as other: MatteFeatures) -> Bool { width == other.width && height == other.height }

  /// At least half opaque.
  var personPixels: BitPlane { person }
  /// Pixels of the person's contour, and how many.
  var contour: (pixels: BitPlane, count: Int) { edge.contour(of: person) }
  /// Pixels as near to the contour as boundary F tolerates.
  var nearContour: BitPlane { edge.near(person) }
  /// How many of some pixels are as near to it.
  func countNearContour(_ pixels: (pixels: BitPlane, count: Int)) -> Int { edge.countNear(person, pixels) }
  /// Pixels as near to the contour as flicker looks.
  var band: BitPlane { edge.band(person) }

  /// Quads that have a slope from pixel to pixel; outside of them the matte has none.
  var alignmentQuads: BitPlane {
    guard !isAligningKnown else { return aligning }
    findQuads(radius: 1, aligning)
    isAligningKnown = true
    return aligning
  }

  /// Quads that have a slope of derivatives of a Gaussian, and those that have one along their row.
  var slopeQuads: (busy: BitPlane, uneven: BitPlane) {
    guard !isSlopingKnown else { return (sloping, uneven) }
    findQuads(radius: 4, sloping)
    findQuads(radius: 0, uneven)
    isSlopingKnown = true
    return (sloping, uneven)
  }

  private func findQuads(radius: Int32, _ quads: BitPlane) {
    rtk_busy_quads(processor, notZero.words, notOne.words, quads.words, Int32(width), Int32(height), radius)
  }

  private func forget() {
    edge.forget()
    isAligningKnown = false
    isSlopingKnown = false
  }
}
