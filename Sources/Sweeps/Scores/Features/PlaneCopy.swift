/// A copy of a picture's or depth map's samples, kept for scores that compare it with the next frame.
// Unchecked: the memory is written by the initializer only.
package final class PlaneCopy<Sample: BitwiseCopyable>: @unchecked Sendable {
  let samples: UnsafeMutablePointer<Sample>
  let count: Int

  package init(_ samples: UnsafePointer<Sample>, count: Int) {
    self.samples = .allocate(capacity: count)
    self.samples.initialize(from: samples, count: count)
    self.count = count
  }

  deinit { samples.deallocate() }
}
