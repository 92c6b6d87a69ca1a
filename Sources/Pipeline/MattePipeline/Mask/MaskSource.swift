import FrameModel
import Kernels
import Support

/// One way to tell the person from the rest: by the face's distance, by disparity, by a network, …
protocol MaskSource: AnyObject {
  /// How its masks lie over the video.
  var geometry: PlaneGeometry { get }
  /// Whether it fills `Mask.soft` too.
  var isSoft: Bool { get }
  /// What is nearer or as near is the person; 0 where no one distance decides.
  var cutoffMillimeters: UInt16 { get }

  /// - Parameter mask: of this geometry and softness; where the answer is `.new`, all of it is written.
  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) throws(RetakeError) -> MaskUpdate

  /// Takes over what a source that was made with other parameters has seen, where it fits.
  func carryOn(from old: any MaskSource)
}

extension MaskSource {
  var cutoffMillimeters: UInt16 { 0 }
  func carryOn(from old: any MaskSource) {}
}

extension MaskInput {
  /// The depth that a mask is to be made of now: what is new or was prepared anew, or, for the first mask, what is in force.
  /// Nil where the last mask holds, or where there is none.
  func depthDue(hasMask: Bool) -> PreparedDepth? { newDepth != nil || mustRemake || !hasMask ? depth : nil }
}
