import CV4L2

/// A camera's node of metadata, which delivers a buffer for each of the camera's frames. Not thread-safe.
package protocol VideoMetadataNode: AnyObject {
  /// Call before the camera starts, so that no frame lacks its metadata.
  func start() throws(KernelError)
  /// Takes every filled buffer without waiting; the bytes are valid during the call.
  func drain(_ body: (_ sequence: UInt32, _ bytes: UnsafeRawBufferPointer) -> Void)
  func close()
}

/// A metadata node under /dev. libv4l2 is not used, since it opens only nodes that capture video.
final class LinuxMetadataNode: VideoMetadataNode {
  private let node: LinuxVideoNode
  private var memory: [UnsafeRawBufferPointer] = []
  private static let bufferCount = 16
  private static let d4xx = FourCC("D4XX")

  /// - Returns: nil if the node does not deliver RealSense's metadata, or another program uses it.
  init?(path: String) {
    guard let node = try? LinuxVideoNode(path: path, type: LinuxVideoNode.metadataType) else { return nil }
    self.node = node
    do throws(KernelError) {
      guard try node.capability().flags & UInt32(V4L2_CAP_META_CAPTURE) != 0,
        try node.setMetadataFormat(Self.d4xx) == Self.d4xx
      else {
        node.close()
        return nil
      }
      for index in 0..<(try node.requestBuffers(Self.bufferCount)) { memory.append(try node.map(index)) }
    } catch {
      node.close()
      return nil
    }
  }

  func start() throws(KernelError) {
    for index in memory.indices { try node.queue(index) }
    try node.startStreaming()
  }

  func drain(_ body: (UInt32, UnsafeRawBufferPointer) -> Void) {
    // A driver that never runs out of buffers must not hold up the frames.
    for _ in 0..<2 * Self.bufferCount {
      guard let state = try? node.dequeue(), memory.indices.contains(state.index) else { return }
      let bytes = memory[state.index]
      body(state.sequence, UnsafeRawBufferPointer(rebasing: bytes[..<min(state.byteCount, bytes.count)]))
      guard (try? node.queue(state.index)) != nil else { return }
    }
  }

  func close() {
    node.stopStreaming()
    memory = []
    node.close()
  }
}
