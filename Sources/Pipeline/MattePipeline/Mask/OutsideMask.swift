import FrameModel
import Kernels
import Parameters
import Support

/// Makes masks of a kind that another program provides: see `OutsideStage`.
package protocol OutsideMaskMaker: Sendable {
  /// Called for each setting that uses the kind, since masks may keep state between frames.
  /// - Parameters:
  ///   - video: size of colour pictures.
  ///   - depth: size of prepared depth; nil if there is none.
  func make(video: PictureSize, depth: PictureSize?, _ parameters: ParameterSet) throws(RetakeError) -> any OutsideMask
}

/// One mask of another program. Used by one thread at a time.
package protocol OutsideMask: AnyObject {
  /// Size of its masks. If it is that of prepared depth, they lie as depth does; otherwise they are
  /// stretched over the video.
  var size: PictureSize { get }
  /// Writes 0 to 255 for each pixel, in packed rows, for `.new`.
  func update(_ input: MaskInput, into mask: UnsafeMutableBufferPointer<UInt8>) throws(RetakeError) -> MaskUpdate
}

/// The person is what another program's stage finds.
final class OutsideMaskSource: MaskSource {
  let geometry: PlaneGeometry
  /// False even for soft masks: 8 bits are all their precision.
  let isSoft = false
  private let stage: OutsideStage
  private let mask: any OutsideMask

  /// - Throws: `.unsupported` for an impossible size.
  init(
    _ stage: OutsideStage, _ mask: any OutsideMask, _ video: PlaneGeometry, depth: PlaneGeometry?
  ) throws(RetakeError) {
    (self.stage, self.mask) = (stage, mask)
    let size = mask.size
    guard (1...FrameLayout.largestSide).contains(size.width), (1...FrameLayout.largestSide).contains(size.height) else {
      throw RetakeError(
        .unsupported, "Stage '\(stage.name)' makes masks of \(size).",
        hint: "a mask has 1x1 to \(FrameLayout.largestSide)x\(FrameLayout.largestSide) pixels")
    }
    try WorkLimit.picture.check(width: size.width, height: size.height, "The mask of stage '\(stage.name)'")
    geometry =
      if let depth, depth.size == size {
        depth
      } else {
        PlaneGeometry(
          stretchedWidth: size.width, stretchedHeight: size.height, videoWidth: video.videoWidth,
          videoHeight: video.videoHeight)
      }
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) throws(RetakeError) -> MaskUpdate {
    do throws(RetakeError) {
      return try self.mask.update(
        input, into: UnsafeMutableBufferPointer(start: mask.plane.samples, count: mask.plane.count))
    } catch {
      throw RetakeError(
        error.code, "Stage '\(stage.name)' failed on frame \(input.frames.index): \(error.message)", hint: error.hint)
    }
  }
}
