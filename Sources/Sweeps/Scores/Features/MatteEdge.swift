import CKernels

/// The person's contour and the pixels near it, each computed on first use. Later reads write
/// nothing, so threads may read computed values at once.
///
/// A contour pixel differs from its right, lower, or lower right neighbour. Pixels outside the
/// picture equal the adjacent pixel (the boundary map of DAVIS, Perazzi et al. 2016).
final class MatteEdge {
  private let width: Int
  private let height: Int
  private let processor: RTKProcessor
  private let contour: BitPlane
  private var contourCount: Int?
  private let near: BitPlane
  private var isNearKnown = false
  private var leftOut: LeftOutPixels?
  /// Pixels, centre to centre.
  let tolerance: Int
  private let scratch: UnsafeMutableRawPointer

  init(width: Int, height: Int, tolerance: Int, _ processor: RTKProcessor) {
    self.width = width
    self.height = height
    self.tolerance = tolerance
    self.processor = processor
    contour = BitPlane(width: width, height: height)
    near = BitPlane(width: width, height: height)
    scratch = .allocate(byteCount: rtk_spread_scratch(Int32(width)), alignment: 64)
  }

  deinit { scratch.deallocate() }

  /// - Parameter leftOut: of the next matte.
  func forget(leavingOut leftOut: LeftOutPixels?) {
    contourCount = nil
    isNearKnown = false
    self.leftOut = leftOut
  }

  func contour(of person: BitPlane) -> (pixels: BitPlane, count: Int) {
    if let contourCount { return (contour, contourCount) }
    var count: Int64 = 0
    rtk_contour(processor, person.words, contour.words, Int32(width), Int32(height), &count)
    if let leftOut {
      rtk_clear_bits(processor, contour.words, leftOut.contourPlaces.words, contour.wordCount, &count)
    }
    contourCount = Int(count)
    return (contour, Int(count))
  }

  func near(_ person: BitPlane) -> BitPlane {
    guard !isNearKnown else { return near }
    spread(person, radius: tolerance, near)
    isNearKnown = true
    return near
  }

  func countNear(_ person: BitPlane, _ pixels: (pixels: BitPlane, count: Int)) -> Int {
    // For few pixels, searching around each is faster than marking all near pixels.
    guard tolerance <= Int(RTKNearLimit), pixels.count <= max(Self.few, width * height / 128) else {
      return near(person).countShared(with: pixels.pixels, processor)
    }
    var count: Int64 = 0
    rtk_count_near(
      processor, pixels.pixels.words, contour(of: person).pixels.words, Int32(width), Int32(height), Int32(tolerance),
      &count)
    return Int(count)
  }

  /// A pixel count that is always few enough to search around each.
  private static let few = 1000

  /// Marks every pixel whose centre is at most `radius` from that of a contour pixel.
  private func spread(_ person: BitPlane, radius: Int, _ spread: BitPlane) {
    precondition(radius <= Int(RTKSpreadLimit))
    let contour = contour(of: person).pixels
    rtk_spread(processor, contour.words, spread.words, Int32(width), Int32(height), Int32(radius), scratch)
  }
}
