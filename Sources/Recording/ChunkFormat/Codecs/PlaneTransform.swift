import CKernels
import FrameModel
import Kernels

/// An 8-bit picture as the residuals of its planes' prediction, in the form that an entropy coder serves best, or
/// packed without one.
final class PlaneTransform {
  private let planes = ScratchMemory()
  private let residuals = ScratchMemory()
  private let tiles = ScratchMemory()
  private let nibbles = ScratchMemory()
  private let processor: RTKProcessor

  init(processor: RTKProcessor = .best) { self.processor = processor }

  /// What goes to the entropy coder: tile classes as differences, and as many residuals as the frame has bytes.
  struct TileParts {
    let classes: UnsafeMutableRawBufferPointer
    let residuals: UnsafeMutableRawBufferPointer
    /// Both, one behind the other.
    let both: UnsafeMutableRawBufferPointer
  }

  // MARK: Encoding

  /// - Parameter bytes: a whole frame's packed bytes.
  /// - Returns: valid until the next call.
  func encodeTiles(
    _ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout, as form: PlaneForm = .tiles
  ) -> TileParts {
    let planes = ColorPlanes(layout, as: form, in: planes)
    let residuals = predict(bytes, planes)
    let (parts, classes, target) = tileParts(planes, byteCount: bytes.count)
    var places = TileSorting.Places()
    planes.withEachPlane { plane, residual, tile in
      form.classify(residuals + residual, width: plane.width, height: plane.height, into: classes + tile)
      form.count(classes + tile, width: plane.width, height: plane.height, in: &places)
    }
    places.begin()
    planes.withEachPlane { plane, residual, tile in
      form.sort(
        residuals + residual, width: plane.width, height: plane.height, classes: classes + tile, &places, into: target)
    }
    TileSorting.encodeDifferences(classes, count: parts.classes.count)
    return parts
  }

  /// - Parameter bytes: a whole frame's packed bytes.
  /// - Returns: valid until the next call.
  func encodeNibbles(_ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout) -> UnsafeRawBufferPointer {
    let residuals = predict(bytes, ColorPlanes(layout, in: planes))
    let target = nibbles.samples(of: UInt8.self, NibblePacking.bound(count: bytes.count))
    let byteCount = NibblePacking.encode(residuals, count: bytes.count, into: target)
    return UnsafeRawBufferPointer(start: target, count: byteCount)
  }

  private func predict(_ bytes: UnsafeRawBufferPointer, _ planes: ColorPlanes) -> UnsafeMutablePointer<UInt8> {
    let residuals = residuals.samples(of: UInt8.self, bytes.count)
    planes.split(bytes)
    planes.withEachPlane { plane, residual, _ in
      plane.clearSurroundings()
      MedianPrediction8.encode(plane, into: residuals + residual)
    }
    return residuals
  }

  // MARK: Decoding

  /// Where `decodeTiles` finds the parts of a frame.
  func tileParts(_ layout: FrameLayout, as form: PlaneForm) -> TileParts {
    tileParts(ColorPlanes(layout, as: form, in: planes), byteCount: layout.byteCount).parts
  }

  /// Brings a frame back from what was written to `tileParts(_:as:)`, whatever it is.
  /// - Parameter output: the whole frame's packed bytes.
  func decodeTiles(_ layout: FrameLayout, as form: PlaneForm, into output: UnsafeMutableRawBufferPointer) {
    let planes = ColorPlanes(layout, as: form, in: planes)
    let (parts, classes, source) = tileParts(planes, byteCount: output.count)
    let residuals = residuals.samples(of: UInt8.self, output.count)
    TileSorting.decodeDifferences(classes, count: parts.classes.count)
    var places = TileSorting.Places()
    planes.withEachPlane { plane, _, tile in
      form.count(classes + tile, width: plane.width, height: plane.height, in: &places)
    }
    places.begin()
    planes.withEachPlane { plane, residual, tile in
      form.restore(
        source, width: plane.width, height: plane.height, classes: classes + tile, &places,
        into: residuals + residual)
    }
    restore(planes, residuals, into: output)
  }

  /// - Parameter output: the whole frame's packed bytes.
  /// - Returns: false for bytes that `encodeNibbles` does not write.
  func decodeNibbles(
    _ payload: UnsafeRawBufferPointer, _ layout: FrameLayout, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let residuals = residuals.samples(of: UInt8.self, output.count)
    guard NibblePacking.decode(payload, count: output.count, into: residuals) else { return false }
    restore(ColorPlanes(layout, in: planes), residuals, into: output)
    return true
  }

  private func restore(
    _ planes: ColorPlanes, _ residuals: UnsafeMutablePointer<UInt8>, into output: UnsafeMutableRawBufferPointer
  ) {
    planes.withEachPlane { plane, residual, _ in
      plane.clearSurroundings()
      MedianPrediction8.decode(residuals + residual, into: plane, processor: processor)
    }
    planes.join(into: output, processor: processor)
  }

  private func tileParts(_ planes: ColorPlanes, byteCount: Int) -> (
    parts: TileParts, classes: UnsafeMutablePointer<UInt8>, residuals: UnsafeMutablePointer<UInt8>
  ) {
    let classCount = planes.tileCount
    let classes = tiles.samples(of: UInt8.self, classCount + byteCount)
    let residuals = classes + classCount
    let parts = TileParts(
      classes: UnsafeMutableRawBufferPointer(start: classes, count: classCount),
      residuals: UnsafeMutableRawBufferPointer(start: residuals, count: byteCount),
      both: UnsafeMutableRawBufferPointer(start: classes, count: classCount + byteCount))
    return (parts, classes, residuals)
  }
}
