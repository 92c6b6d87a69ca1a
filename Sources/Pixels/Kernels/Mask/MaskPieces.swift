import CKernels

/// Removes small pieces of a mask and fills gaps that it encloses.
///
/// Pieces are 8-connected components of the person. Gaps are 4-connected components of the background
/// that do not reach the edge of the picture. A gap stays open if more than a quarter of its pixels
/// have depth farther than the person beside it, since then the room is seen through it.
package final class MaskPieces {
  /// Which pieces stay. Raw values are those of `mask.pieces`.
  package enum Kept: String, CaseIterable, Sendable {
    case all
    /// All pieces that are large enough, and smaller ones beside them.
    case large
    /// Large pieces that contain a face or have moved, or all large pieces if there are none. Steps in
    /// depth divide pieces.
    case face
  }

  /// 3% of the distance, in 1/1024. Depths that differ by more than 40 mm plus this are two surfaces.
  private static let step: Int32 = 31

  private let kept: Kept
  private let settings: RTKPieces
  private let scratch: KernelScratch
  private var boxes: [Int32] = []

  /// - Parameters:
  ///   - smallest: size below which a piece is removed; share of all pixels, 0 to 1.
  ///   - largestGap: size up to which a gap is filled; share of all pixels, 0 to 1.
  package init(_ kept: Kept, smallest: Double, largestGap: Double, width: Int, height: Int) {
    self.kept = kept
    func pixels(_ share: Double) -> Int32 { Int32((share * Double(width * height)).rounded(.toNearestOrEven)) }
    settings = RTKPieces(
      width: Int32(width), height: Int32(height), step: Self.step, least: kept == .all ? 0 : pixels(smallest),
      largest: pixels(largestGap))
    scratch = KernelScratch(byteCount: rtk_pieces_scratch(settings.width, settings.height), threadCount: 1)
    boxes.reserveCapacity(4 * Self.mostFaces)
  }

  /// Further faces are ignored.
  package static let mostFaces = 64

  /// Forgets the faces of the last mask.
  package func removeFaces() { boxes.removeAll(keepingCapacity: true) }

  /// Adds a face for the next `apply`, in mask pixels; right and bottom are exclusive.
  package func addFace(left: Int, top: Int, right: Int, bottom: Int) {
    guard kept == .face, boxes.count < 4 * Self.mostFaces else { return }
    boxes.append(Int32(clamping: left))
    boxes.append(Int32(clamping: top))
    boxes.append(Int32(clamping: right))
    boxes.append(Int32(clamping: bottom))
  }

  /// Finds the pieces without a face of which at least seven eighths are still.
  /// - Parameters:
  ///   - mask, still: 0 and 255.
  ///   - settled: 255 in these pieces, else 0.
  package func findSettled(_ mask: PixelPlane<UInt8>, still: PixelPlane<UInt8>, into settled: PixelPlane<UInt8>) {
    var settings = settings
    boxes.withUnsafeBufferPointer { boxes in
      rtk_settled_pieces(
        &settings, mask.samples, still.samples, boxes.baseAddress, Int32(boxes.count / 4), settled.samples,
        scratch.piece(0))
    }
  }

  /// - Parameters:
  ///   - mask: 0 and 255.
  ///   - depth: of the mask's size; nil if there is none.
  ///   - moved: 255 where something has moved, else 0; nil if nothing is known to move.
  ///   - fills: whether gaps are filled.
  package func apply(
    _ mask: PixelPlane<UInt8>, depth: PixelPlane<UInt16>?, moved: PixelPlane<UInt8>? = nil, fills: Bool = true
  ) {
    var settings = settings
    if kept != .all {
      boxes.withUnsafeBufferPointer { boxes in
        rtk_keep_pieces(
          &settings, mask.samples, depth?.samples, kept == .face ? moved?.samples : nil, boxes.baseAddress,
          Int32(boxes.count / 4), scratch.piece(0))
      }
    }
    if fills, settings.largest > 0 { rtk_fill_gaps(&settings, mask.samples, depth?.samples, scratch.piece(0)) }
  }
}
