import ChunkFormat
import FrameModel
import Support
import Testing

struct MessageDamageTests {
  /// Each byte of a message is changed in three ways; what is still read has to be what was written.
  private func checkAllChanges<Message: Equatable>(
    _ message: Message, _ encode: (Message, inout ByteWriter) -> Void,
    _ decode: (UnsafeRawBufferPointer) throws(RetakeError) -> Message
  ) throws {
    var writer = ByteWriter()
    encode(message, &writer)
    #expect(try writer.withRawBytes { try decode($0) } == message)
    var refusedCount = 0
    for position in writer.bytes.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var bytes = writer.bytes
        bytes[position] ^= change
        guard let read = try? bytes.withRawBytes(decode) else {
          refusedCount += 1
          continue
        }
        #expect(read == message, "byte \(position)")
      }
    }
    // The last five bytes are the CRC itself; without its key the fields before it are still right.
    #expect(refusedCount > 3 * (writer.count - 5))
  }

  @Test func `a changed byte of a faces message is refused`() throws {
    let face = FaceObservation(
      box: FaceObservation.Box(x: 10, y: 20, width: 30, height: 40), confidence: 0.9, roll: 0.1, pitch: nil, yaw: nil,
      detector: "test")
    let message = FacesMessage(
      stream: 0, frameNumber: 7, presentation: PresentationTime(nanoseconds: 123_456_789), faces: [face, face])
    try checkAllChanges(message, { $0.encode(to: &$1) }, FacesMessage.decode)
  }

  @Test func `a changed byte of an event is refused`() throws {
    let event = FrameEvent(
      stream: 1, stage: .queue, reason: .dropped, frameNumber: 300, count: 12,
      presentation: PresentationTime(nanoseconds: -5))
    try checkAllChanges(event, { $0.encode(to: &$1) }, FrameEvent.decode)
  }

  @Test func `a changed byte of a mark is refused`() throws {
    let mark = try Mark(label: "halo", presentation: PresentationTime(nanoseconds: 1 << 40))
    try checkAllChanges(mark, { $0.encode(to: &$1) }, Mark.decode)
  }
}
