import FrameModel
import Kernels
import Support

@testable import ChunkFormat

/// Decodes a record as identity, stream, frame, faces or event. What decodes must encode and decode
/// again to the same value.
final class MessageCheck {
  /// Larger frames are not decoded: a message may claim any frame size.
  private static let frameByteCountLimit = 1 << 16
  private let decoder: FrameDecoder

  init() throws(RetakeError) { decoder = try FrameDecoder() }

  func run(_ item: MCAPItem, in file: [UInt8]) {
    switch item.record {
    case .metadata(let metadata): _ = try? RecordingIdentity(metadata)
    case .channel(let channel): check(channel)
    case .message(let message):
      checkFrame(message, item, in: file)
      checkFaces(message.data)
      checkEvent(message.data)
    default: break
    }
  }

  private func check(_ channel: MCAPChannel) {
    guard let stream = try? StreamChannel.stream(of: channel) else { return }
    var again = channel
    again.metadata = StreamChannel.metadata(of: stream)
    require((try? StreamChannel.stream(of: again)) == stream, "a stream's description reads back")
    require(stream.layout.byteCount <= FrameLayout.largestByteCount, "a stream's frames have a bounded size")
    require(stream.rate.periodNanoseconds >= 0, "a frame rate has a period")
  }

  private func checkFrame(_ record: MCAPMessage, _ item: MCAPItem, in file: [UInt8]) {
    let decoded = try? FrameMessage.decode(record.data)
    checkIndexed(decoded?.message, record, item, in: file)
    guard let (message, payload) = decoded else { return }
    require(message.byteCount <= message.layout.byteCount, "a frame has at most its format's bytes")
    var writer = ByteWriter()
    message.encode(payload: payload, to: &writer)
    let again = writer.withRawBytes { bytes in (try? FrameMessage.decode(bytes)).map { ($0.message, Array($0.payload)) }
    }
    require(again.map { same($0.0, message) && $0.1.elementsEqual(payload) } ?? false, "a frame message reads back")
    guard message.byteCount <= Self.frameByteCountLimit, message.layout.byteCount <= 4 * Self.frameByteCountLimit else {
      return
    }
    let output = GuardedMemory(message.byteCount, filling: 0xA5)
    defer { output.free() }
    do throws(RetakeError) {
      try decoder.decode(payload, of: message, into: output.bytes)
      require(
        Checksum.xxh3(UnsafeRawBufferPointer(output.bytes)) == message.checksum, "a frame that decodes is the right one"
      )
    } catch {
      require(error.code == .corrupt, "a frame that does not decode is called corrupt, not \(error)")
    }
  }

  /// Reading through the index must give the same message as reading from the front.
  private func checkIndexed(_ message: FrameMessage?, _ record: MCAPMessage, _ item: MCAPItem, in file: [UInt8]) {
    guard let offset = item.offset else { return }
    let found = file.withRawBytes { bytes in
      try? MessageRecord.frame(
        UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + item.length]), stream: Int(record.channel))
    }
    switch (found?.message, message) {
    case (nil, nil): break
    case (let a?, let b?): require(same(a, b), "a frame found by the index is the one found by reading")
    default: require(false, "a frame is found by the index if it is found by reading")
    }
  }

  private func same(_ a: FrameMessage, _ b: FrameMessage) -> Bool {
    a.number == b.number && a.layout == b.layout && a.byteCount == b.byteCount && a.deviceSequence == b.deviceSequence
      && a.timestamps == b.timestamps && a.flags == b.flags && a.codec == b.codec && a.checksum == b.checksum
  }

  private func checkFaces(_ data: UnsafeRawBufferPointer) {
    guard let faces = try? FacesMessage.decode(data) else { return }
    require(faces.faces.count <= FacesMessage.largestFaceCount, "a message has a bounded number of faces")
    require(faces.presentation.nanoseconds.isPlausibleTime, "faces have a time that arithmetic can be done with")
    var writer = ByteWriter()
    faces.encode(to: &writer)
    require(writer.withRawBytes { try? FacesMessage.decode($0) } == faces, "a faces message reads back")
  }

  private func checkEvent(_ data: UnsafeRawBufferPointer) {
    guard let event = try? FrameEvent.decode(data) else { return }
    var writer = ByteWriter()
    event.encode(to: &writer)
    require(writer.withRawBytes { try? FrameEvent.decode($0) } == event, "an event reads back")
  }
}
