import Support

/// A frame's bytes and layout, without its place in a recording.
package struct FramePicture: Sendable {
  package let layout: FrameLayout
  package let buffer: FrameBuffer
  /// Bytes in use: `layout.byteCount`, or a JPEG's length.
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

  /// Whether no byte is missing. Of a JPEG this only checks that it is not empty.
  package var isWhole: Bool { layout.format == .jpeg ? byteCount > 0 : byteCount == layout.byteCount }

  /// The bytes in use; valid while the caller holds the picture.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount]) }
}

/// Detects faces in the successive frames of one colour stream. For one thread at a time.
package protocol FaceObserver: AnyObject, Sendable {
  /// The detector's name, version and parameters, as in every observation.
  var detector: String { get }

  /// Reports frames that pass unexamined, for lack of time or because they are unreadable.
  func skip(_ frameCount: Int)
  /// - Parameter depth: the depth frame of about the same time. Without it: no yaw or pitch.
  /// - Throws: `.corrupt` for an unreadable frame; the next can be tried. Other errors would recur.
  func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation]
}

extension FaceObserver {
  package func skip(_ frameCount: Int) {}
}
