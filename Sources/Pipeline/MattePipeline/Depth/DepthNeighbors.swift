import FrameModel
import Kernels

/// The current measured depth frame, the one before and, if look-ahead has it, the one after.
final class DepthNeighbors {
  private let deltaMillimeters: Int
  private let processor: Processor
  private(set) var current: PixelPlane<UInt16>
  private var before: PixelPlane<UInt16>
  private var after: PixelPlane<UInt16>
  private var hasBefore = false
  private var hasCurrent = false
  private var frameAfter: (number: Int, buffer: ObjectIdentifier)?

  init(_ geometry: PlaneGeometry, deltaMillimeters: Int, processor: Processor) {
    self.deltaMillimeters = deltaMillimeters
    self.processor = processor
    func plane() -> PixelPlane<UInt16> { PixelPlane(width: geometry.width, height: geometry.height) }
    (current, before, after) = (plane(), plane(), plane())
  }

  func take(_ frame: Frame, next: Frame?, _ measure: (Frame, PixelPlane<UInt16>) -> Void) {
    swap(&before, &current)
    hasBefore = hasCurrent
    if let frameAfter, frameAfter == Self.key(frame) { swap(&current, &after) } else { measure(frame, current) }
    hasCurrent = true
    frameAfter = next.map(Self.key)
    if let next { measure(next, after) }
  }

  private static func key(_ frame: Frame) -> (Int, ObjectIdentifier) { (frame.number, ObjectIdentifier(frame.buffer)) }

  func interpolate(to plane: PixelPlane<UInt16>, bands: BandRunner) {
    let (before, current) = (hasBefore ? before : current, current)
    let after = frameAfter == nil ? current : after
    bands.run(rowCount: plane.height) { rows in
      let first = rows.lowerBound
      DepthInterpolation.apply(
        before: before.row(first), current.row(first), after: after.row(first), deltaMillimeters: deltaMillimeters,
        to: plane.row(first), count: rows.count * plane.width, processor: processor)
    }
  }
}
