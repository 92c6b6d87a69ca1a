import CKernels

/// Removes small pieces of a mask and fills gaps that it encloses.
///
/// A piece is what touches by edges or corners. A gap is enclosed if it touches neither the mask's
/// edge nor, by an edge of a pixel, anything outside. It is filled unless more than a quarter of
/// its pixels are measured and farther than what lies beside it: then it is what is seen through.
package final class MaskPieces {
  /// Which pieces stay. Raw values are those of `mask.pieces`.
  package enum Kept: String, CaseIterable, Sendable {
    case all
    /// All that are large enough.
    case large
    /// Of those only the ones that hold a face, if any does. Steps of depth divide pieces.
    case face
  }

  /// Depth that differs by 40 mm and 3% of the distance is another surface.
  private static let step: Int32 = 31

  private let kept: Kept
  private let settings: RTKPieces
  private let scratch: KernelScratch
  private var boxes: [Int32] = []

  /// - Parameters:
  ///   - smallest: share of the mask's pixels that a piece has at least, 0 to 1.
  ///   - largestGap: share of the mask's pixels that a filled gap has at most, 0 to 1.
  package init(_ kept: Kept, smallest: Double, largestGap: Double, width: Int, height: Int) {
    precondition(width <= Int16.max && height <= Int16.max)
    self.kept = kept
    func pixels(_ share: Double) -> Int32 { Int32((share * Double(width * height)).rounded(.toNearestOrEven)) }
    settings = RTKPieces(
      width: Int32(width), height: Int32(height), step: Self.step, least: kept == .all ? 0 : pixels(smallest),
      largest: pixels(largestGap))
    scratch = KernelScratch(byteCount: rtk_pieces_scratch(settings.width, settings.height), threadCount: 1)
    boxes.reserveCapacity(4 * Self.mostFaces)
  }

  /// Faces beyond these are not looked at.
  package static let mostFaces = 64

  /// Forgets the faces of the last mask.
  package func removeFaces() { boxes.removeAll(keepingCapacity: true) }

  /// Notes a face for the next `apply`, in mask pixels; right and bottom excluded.
  package func addFace(left: Int, top: Int, right: Int, bottom: Int) {
    guard kept == .face, boxes.count < 4 * Self.mostFaces else { return }
    boxes.append(Int32(clamping: left))
    boxes.append(Int32(clamping: top))
    boxes.append(Int32(clamping: right))
    boxes.append(Int32(clamping: bottom))
  }

  /// - Parameters:
  ///   - mask: 0 and 255.
  ///   - depth: of the mask's size; nil if there is none.
  package func apply(_ mask: PixelPlane<UInt8>, depth: PixelPlane<UInt16>?) {
    var settings = settings
    if kept != .all {
      boxes.withUnsafeBufferPointer { boxes in
        _ = rtk_keep_pieces(
          &settings, mask.samples, depth?.samples, boxes.baseAddress, Int32(boxes.count / 4), scratch.piece(0))
      }
    }
    if settings.largest > 0 { _ = rtk_fill_gaps(&settings, mask.samples, depth?.samples, scratch.piece(0)) }
  }
}
