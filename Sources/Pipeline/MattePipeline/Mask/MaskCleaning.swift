import FrameModel
import Kernels
import Parameters

/// Removes pieces of a hard mask and fills its gaps: `mask.pieces` and `mask.fill`.
final class MaskCleaning {
  private let pieces: MaskPieces
  private let geometry: PlaneGeometry

  /// - Parameter removes: whether it does what `mask.pieces` asks for.
  /// - Returns: nil if there is nothing to do.
  init?(_ geometry: PlaneGeometry, _ parameters: ParameterSet, removes: Bool = true) {
    let kept = removes ? parameters[PipelineParameters.mask.pieces] : .all
    let fill = parameters[PipelineParameters.mask.fill]
    guard kept != .all || fill > 0 else { return nil }
    self.geometry = geometry
    pieces = MaskPieces(
      kept, smallest: parameters[PipelineParameters.mask.smallestPiece], largestGap: fill, width: geometry.width,
      height: geometry.height)
  }

  /// - Parameters:
  ///   - mask: of this geometry, 0 and 255.
  ///   - moved: 255 where something has moved, else 0; nil if nothing is known to move.
  ///   - hasRoom: whether pieces may be the room, so that `mask.pieces=face` asks for a face or movement in each.
  ///   - fills: whether it does what `mask.fill` asks for.
  func apply(
    _ mask: PixelPlane<UInt8>, _ input: MaskInput, moved: PixelPlane<UInt8>? = nil, hasRoom: Bool = true,
    fills: Bool = true
  ) {
    pieces.removeFaces()
    if hasRoom { pieces.add(input.depthFaces, geometry) }
    let depth = input.depth.flatMap { $0.geometry == geometry ? $0.millimeters : nil }
    pieces.apply(mask, depth: depth, moved: hasRoom ? moved : nil, fills: fills)
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
