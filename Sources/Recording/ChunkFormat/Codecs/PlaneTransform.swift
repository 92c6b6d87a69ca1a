import FrameModel
import Kernels

/// Transforms an 8-bit picture into prediction residuals, sorted by tiles for an entropy coder or
/// packed as nibbles without one.
package final class PlaneTransform {
  private let planes = ScratchMemory()
  private let residuals = ScratchMemory()
  private let tiles = ScratchMemory()
  private let nibbles = ScratchMemory()
  private let processor: Processor

  package init(processor: Processor = .best) { self.processor = processor }

  /// Entropy coder input: tile classes as differences, and one residual per byte of the frame.
  package struct TileParts {
    package let classes: UnsafeMutableRawBufferPointer
    package let residuals: UnsafeMutableRawBufferPointer
    /// `classes` followed by `residuals`.
    let both: UnsafeMutableRawBufferPointer
  }

  // MARK: Encoding

  /// The result is valid until the next call. `bytes` is a whole packed frame.
  package func encodeTiles(
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

  /// The result is valid until the next call. `bytes` is a whole packed frame.
  package func encodeNibbles(_ bytes: UnsafeRawBufferPointer, _ layout: FrameLayout) -> UnsafeRawBufferPointer {
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

  /// Buffers that the caller fills before `decodeTiles`.
  func tileParts(_ layout: FrameLayout, as form: PlaneForm) -> TileParts {
    tileParts(ColorPlanes(layout, as: form, in: planes), byteCount: layout.byteCount).parts
  }

  /// Decodes a whole packed frame from the bytes in `tileParts(_:as:)`, which may be damaged.
  package func decodeTiles(_ layout: FrameLayout, as form: PlaneForm, into output: UnsafeMutableRawBufferPointer) {
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

  /// - Returns: false for a malformed payload.
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
