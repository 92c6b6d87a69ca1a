import Support

/// The bytes of a frame and how they are to be read, without its place in a recording.
package struct FramePicture: Sendable {
  package let layout: FrameLayout
  package let buffer: FrameBuffer
  /// In use: `layout.byteCount`, or a JPEG's length.
  package let byteCount: Int

  package init(layout: FrameLayout, buffer: FrameBuffer, byteCount: Int) {
    self.layout = layout
    self.buffer = buffer
    self.byteCount = byteCount
  }

  package init(_ frame: CapturedFrame) {
    self.init(layout: frame.layout, buffer: frame.buffer, byteCount: frame.byteCount)
  }

  package init(_ frame: Frame) {
    self.init(layout: frame.layout, buffer: frame.buffer, byteCount: frame.byteCount)
  }

  /// Whether no row of it is missing.
  package var isWhole: Bool { layout.format == .jpeg ? byteCount > 0 : byteCount == layout.byteCount }

  /// The bytes in use; valid while somebody holds the picture.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount]) }
}

/// Looks for faces in one colour stream, frame after frame. Serves one thread at a time.
package protocol FaceObserver: AnyObject, Sendable {
  /// Name, version and parameters of what looks: every observation's `detector`.
  var detector: String { get }

  /// So many frames of the stream pass that nobody looks at, since there is no time or they cannot be read.
  func skip(_ frameCount: Int)
  /// What is seen in the next frame; empty for nothing.
  /// - Parameter depth: what the depth camera saw at about the same time; nil for nothing, then there is no yaw or pitch.
  /// - Throws: `.corrupt` for a frame that cannot be read. The next one can be tried; after any
  ///   other error it will fail too.
  func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation]
}

extension FaceObserver {
  package func skip(_ frameCount: Int) {}
}
