import FrameModel

/// Samples of one kind in rows, packed, aligned to 64 bytes: a kernel's input or output. Allocated once, used for every
/// frame.
package final class PixelPlane<Sample: FixedWidthInteger & Sendable>: @unchecked Sendable {
  // Unchecked because of the pointers: kernels write disjoint rows of it, one stage after the other, and another buffer is
  // shown between frames.
  package let width: Int
  package let height: Int
  /// Interleaved samples of a pixel: 3 for RGB.
  package let channels: Int
  package private(set) var samples: UnsafeMutablePointer<Sample>
  /// Nil in a plane that only shows.
  private let own: UnsafeMutablePointer<Sample>?
  private var shown: FrameBuffer?

  /// All zero.
  package convenience init(width: Int, height: Int, channels: Int = 1) {
    self.init(width: width, height: height, channels: channels, ownsSamples: true)
  }

  /// Has no samples until it shows a buffer: an access before that ends the process.
  package static func forShowing(width: Int, height: Int, channels: Int = 1) -> PixelPlane {
    PixelPlane(width: width, height: height, channels: channels, ownsSamples: false)
  }

  private init(width: Int, height: Int, channels: Int, ownsSamples: Bool) {
    precondition(width > 0 && height > 0 && channels > 0)
    self.width = width
    self.height = height
    self.channels = channels
    own = ownsSamples ? ZeroedMemory.allocate(width * height * channels, alignment: Self.alignment) : nil
    // The first page of a process is never mapped.
    samples = own ?? UnsafeMutablePointer(bitPattern: Self.alignment)!
  }

  deinit { if let own { UnsafeMutableRawPointer(own).deallocate() } }

  private static var alignment: Int { 64 }

  /// Has the samples of a frame that looks like this plane, in place of its own: they are not copied, and may only be read. The
  /// buffer is held until another is shown.
  package func show(_ buffer: FrameBuffer) {
    precondition(buffer.byteCount >= count * MemoryLayout<Sample>.stride)
    let bytes = UnsafeMutableRawPointer(mutating: buffer.bytes.baseAddress!)
    samples = bytes.bindMemory(to: Sample.self, capacity: count)
    shown = buffer
  }

  /// Samples in a row.
  package var rowLength: Int { width * channels }
  package var count: Int { rowLength * height }
  package func row(_ y: Int) -> UnsafeMutablePointer<Sample> { samples + y * rowLength }

  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: samples, count: count * MemoryLayout<Sample>.stride)
  }

  package func fill(_ value: Sample) { samples.update(repeating: value, count: count) }
}
