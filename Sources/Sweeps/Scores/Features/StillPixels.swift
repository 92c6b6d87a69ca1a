/// The pixels of a frame where nothing moved since the previous one, as `MovementFinder` finds them.
package final class StillPixels: Sendable {
  let mask: ByteMask
  package let count: Int
  let width: Int
  let height: Int

  init(_ mask: ByteMask, count: Int, width: Int, height: Int) {
    (self.mask, self.count, self.width, self.height) = (mask, count, width, height)
  }

  package func isStill(x: Int, y: Int) -> Bool { mask.samples[y * width + x] != 0 }
}
