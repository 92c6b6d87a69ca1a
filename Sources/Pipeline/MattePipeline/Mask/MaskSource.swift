import Kernels
import Support

/// A way to find the person: by the face's distance, by disparity, by a network, …
package protocol MaskSource: AnyObject {
  /// How its masks lie over the video.
  var geometry: PlaneGeometry { get }
  var isSoft: Bool { get }
  /// Pixels at or nearer than this are the person; 0 if no single distance decides.
  var cutoffMillimeters: UInt16 { get }
  /// Whether no piece of its masks can be the room.
  var leavesOutRoom: Bool { get }
  /// Whether gaps in its masks were filled, and some opened again for a reason.
  var hasFilledGaps: Bool { get }
  /// Share of the pixels that changed while the empty scene was learned, 0 to 1.
  var changedWhileLearning: Double { get }

  /// - Parameter mask: of this geometry and softness; all of it is written for `.new`.
  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) throws(RetakeError) -> MaskUpdate

  /// After a change of parameters: takes over state that still fits.
  func carryOn(from old: any MaskSource)

  /// Forgets all frames.
  /// - Returns: false if the source cannot; it is then to be made again.
  func restart() -> Bool
}

extension MaskSource {
  package var cutoffMillimeters: UInt16 { 0 }
  package var leavesOutRoom: Bool { false }
  package var hasFilledGaps: Bool { false }
  package var changedWhileLearning: Double { 0 }
  package func carryOn(from old: any MaskSource) {}
  package func restart() -> Bool { false }
}

extension MaskInput {
  /// The depth to make a mask of now; nil if the last mask remains valid, or without depth.
  package func depthDue(hasMask: Bool) -> PreparedDepth? { newDepth != nil || mustRemake || !hasMask ? depth : nil }
}
