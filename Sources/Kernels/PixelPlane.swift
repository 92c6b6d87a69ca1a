/// Samples of one kind in rows, packed, aligned to 64 bytes: a kernel's input or output. Allocated once, used for every
/// frame.
package final class PixelPlane<Sample: FixedWidthInteger & Sendable>: @unchecked Sendable {
  // Unchecked because of the pointer: kernels write disjoint rows of it, one stage after the other.
  package let width: Int
  package let height: Int
  /// Interleaved samples of a pixel: 3 for RGB.
  package let channels: Int
  package let samples: UnsafeMutablePointer<Sample>

  /// All zero.
  package init(width: Int, height: Int, channels: Int = 1) {
    precondition(width > 0 && height > 0 && channels > 0)
    self.width = width
    self.height = height
    self.channels = channels
    samples = ZeroedMemory.allocate(width * height * channels, alignment: 64)
  }

  deinit { UnsafeMutableRawPointer(samples).deallocate() }

  /// Samples in a row.
  package var rowLength: Int { width * channels }
  package var count: Int { rowLength * height }
  package func row(_ y: Int) -> UnsafeMutablePointer<Sample> { samples + y * rowLength }

  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: samples, count: count * MemoryLayout<Sample>.stride)
  }

  package func fill(_ value: Sample) { samples.update(repeating: value, count: count) }
}
