import FrameModel
import Kernels
import Parameters

/// Removes pieces of a hard mask and fills its gaps: `mask.pieces` and `mask.fill`.
final class MaskCleaning {
  private let pieces: MaskPieces
  private let geometry: PlaneGeometry

  /// - Parameters:
  ///   - removes, fills: whether it does what `mask.pieces` and `mask.fill` ask for.
  /// - Returns: nil if there is nothing to do.
  init?(_ geometry: PlaneGeometry, _ parameters: ParameterSet, removes: Bool = true, fills: Bool = true) {
    let kept = removes ? parameters[PipelineParameters.mask.pieces] : .all
    let fill = fills ? parameters[PipelineParameters.mask.fill] : 0
    guard kept != .all || fill > 0 else { return nil }
    self.geometry = geometry
    pieces = MaskPieces(
      kept, smallest: parameters[PipelineParameters.mask.smallestPiece], largestGap: fill, width: geometry.width,
      height: geometry.height)
  }

  /// - Parameters:
  ///   - mask: of this geometry, 0 and 255.
  ///   - moved: 255 where something has moved, else 0; nil if nothing is known to move.
  func apply(_ mask: PixelPlane<UInt8>, _ input: MaskInput, moved: PixelPlane<UInt8>? = nil) {
    pieces.removeFaces()
    pieces.add(input.depthFaces, geometry)
    pieces.apply(mask, depth: input.depth.flatMap { $0.geometry == geometry ? $0.millimeters : nil }, moved: moved)
  }
}

extension MaskPieces {
  /// Adds the faces of a depth map.
  func add(_ faces: [FaceObservation], _ geometry: PlaneGeometry) {
    for face in faces.prefix(Self.mostFaces) { add(face.box, geometry) }
  }

  /// Adds the middle half of a face box in both directions, since its border shows the room.
  private func add(_ box: FaceObservation.Box, _ geometry: PlaneGeometry) {
    let from = geometry.point(videoX: box.x + box.width * 0.25, videoY: box.y + box.height * 0.25)
    let to = geometry.point(videoX: box.x + box.width * 0.75, videoY: box.y + box.height * 0.75)
    func pixel(_ place: Double, _ length: Int) -> Int {
      place.isFinite ? Int(min(max(place, 0), Double(length)).rounded(.down)) : 0
    }
    addFace(
      left: pixel(from.x, geometry.width), top: pixel(from.y, geometry.height),
      right: pixel(to.x, geometry.width - 1) + 1, bottom: pixel(to.y, geometry.height - 1) + 1)
  }
}
