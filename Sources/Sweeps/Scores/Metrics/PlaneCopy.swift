/// Samples of a picture or a depth map, copied for scores that look at the next frame too.
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
