import FrameModel
import Kernels

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
}
