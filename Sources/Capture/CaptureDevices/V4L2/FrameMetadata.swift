/// Pairs a camera's frames with their metadata by the driver's number, which both have.
final class FrameMetadata {
  private let node: any VideoMetadataNode
  /// Metadata that no frame has claimed, oldest first.
  private var waiting: [(sequence: UInt32, facts: UVCMetadata)] = []
  /// A frame comes with its metadata or shortly after it.
  private static let largestCount = 32

  init(_ node: any VideoMetadataNode) { self.node = node }

  func start() throws(KernelError) { try node.start() }

  /// - Returns: nil for a frame whose metadata was lost.
  func facts(of sequence: UInt32) -> UVCMetadata? {
    node.drain { sequence, bytes in
      if waiting.count == Self.largestCount { waiting.removeFirst() }
      waiting.append((sequence, UVCMetadata(bytes)))
    }
    guard let place = waiting.firstIndex(where: { $0.sequence == sequence }) else { return nil }
    let facts = waiting[place].facts
    // What is older belongs to frames that the driver dropped.
    waiting.removeFirst(place + 1)
    return facts
  }

  func close() { node.close() }
}
