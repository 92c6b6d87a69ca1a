import FrameModel

/// Packed rows of samples, aligned to 64 bytes: a kernel's input or output, reused for every frame.
package final class PixelPlane<Sample: FixedWidthInteger & Sendable>: @unchecked Sendable {
  // Unchecked because of the pointers: kernels write disjoint rows, one stage after another, and
  // `show` is called only between frames.
  package let width: Int
  package let height: Int
  /// Interleaved samples per pixel: 3 for RGB.
  package let channels: Int
  package private(set) var samples: UnsafeMutablePointer<Sample>
  /// Nil in a plane made by `forShowing`.
  private let own: ZeroedMemory<Sample>?
  private var shown: FrameBuffer?

  /// Zero-filled.
  package convenience init(width: Int, height: Int, channels: Int = 1) {
    self.init(width: width, height: height, channels: channels, ownsSamples: true)
  }

  /// A plane without memory of its own. Accessing it before `show` crashes.
  package static func forShowing(width: Int, height: Int, channels: Int = 1) -> PixelPlane {
    PixelPlane(width: width, height: height, channels: channels, ownsSamples: false)
  }

  private init(width: Int, height: Int, channels: Int, ownsSamples: Bool) {
    precondition(width > 0 && height > 0 && channels > 0)
    self.width = width
    self.height = height
    self.channels = channels
    own = ownsSamples ? ZeroedMemory(count: width * height * channels) : nil
    // The first page of a process is never mapped.
    samples = own?.samples ?? UnsafeMutablePointer(bitPattern: MemoryLayout<Sample>.alignment)!
  }

  deinit { own?.deallocate() }

  /// Uses a frame's samples instead of its own, without copying; they may only be read. The frame
  /// must have this plane's layout. Its buffer is retained until the next call.
  package func show(_ buffer: FrameBuffer) {
    precondition(buffer.byteCount >= count * MemoryLayout<Sample>.stride)
    let bytes = UnsafeMutableRawPointer(mutating: buffer.bytes.baseAddress!)
    samples = bytes.bindMemory(to: Sample.self, capacity: count)
    shown = buffer
  }

  package var rowLength: Int { width * channels }
  package var count: Int { rowLength * height }
  package func row(_ y: Int) -> UnsafeMutablePointer<Sample> { samples + y * rowLength }

  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: samples, count: count * MemoryLayout<Sample>.stride)
  }

  package func fill(_ value: Sample) { samples.update(repeating: value, count: count) }
}
