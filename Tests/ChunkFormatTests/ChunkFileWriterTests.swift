import ChunkFormat
import FrameModel
import Kernels
import Support
import TestSupport
import Testing

@Suite struct ChunkFileWriterTests {
  private let identity = RecordingIdentity(
    id: String(repeating: "ab", count: 16), wallClockNanoseconds: 1_700_000_000_000_000_000,
    monotonicOrigin: MonotonicTime(nanoseconds: 42))

  private func streams() throws -> [StreamDescription] {
    [
      try TestFrames.stream("color", .color, FrameLayout(.rgb24, width: 16, height: 8)),
      try TestFrames.stream("depth", .depth, FrameLayout(.depthMillimeters16, width: 16, height: 8)),
    ]
  }

  private func message(_ layout: FrameLayout, _ number: Int, _ bytes: UnsafeRawBufferPointer) -> FrameMessage {
    FrameMessage(
      number: number, layout: layout, byteCount: bytes.count, deviceSequence: UInt64(number),
      timestamps: FrameTimestamps(
        deviceTick: .max, unwrappedTick: -5, arrival: MonotonicTime(nanoseconds: 9),
        presentation: PresentationTime(nanoseconds: Int64(number) * 1000 - 500)),
      flags: .damaged, codec: .raw, checksum: Checksum.xxh3(bytes))
  }

  /// Writes `count` frames and returns the file with the places of its messages.
  private func write(_ sink: MemorySink, count: Int) throws -> [MessagePlace] {
    let streams = try streams()
    var writer = try ChunkFileWriter(to: sink, identity: identity, streams: streams, fileNumber: 7)
    let places = try (0..<count).map { number in
      let layout = streams[number % 2].layout
      let buffer = TestFrames.buffer(layout, seed: UInt64(number))
      return try withExtendedLifetime(buffer) {
        try writer.append(message(layout, number, buffer.bytes), payload: buffer.bytes, stream: number % 2)
      }
    }
    try writer.append(FacesMessage(stream: 0, frameNumber: 1, presentation: .init(nanoseconds: 5), faces: []))
    try writer.finish()
    return places
  }

  @Test func `every message lies where the writer said, and reads back field by field`() throws {
    let sink = MemorySink()
    let places = try write(sink, count: 2000)
    let file = TestBytes(sink.bytes)
    defer { withExtendedLifetime(file) {} }
    for (number, place) in places.enumerated() {
      let record = UnsafeRawBufferPointer(rebasing: file.pointer[place.offset..<place.offset + place.length])
      let (message, payload) = try MessageRecord.frame(record, stream: number % 2)
      let layout = try streams()[number % 2].layout
      #expect(message.number == number)
      #expect(message.layout == layout)
      #expect(message.timestamps.deviceTick == .max)
      #expect(message.timestamps.unwrappedTick == -5)
      #expect(message.timestamps.presentation.nanoseconds == Int64(number) * 1000 - 500)
      #expect(message.flags == .damaged)
      #expect(areSame(Array(payload), TestFrames.buffer(layout, seed: UInt64(number)).copiedBytes))
      #expect(throws: RetakeError.self) { try MessageRecord.frame(record, stream: 1 - number % 2) }
    }
  }

  @Test func `equal input gives equal files`() throws {
    let (a, b) = (MemorySink(), MemorySink())
    _ = try write(a, count: 300)
    _ = try write(b, count: 300)
    #expect(areSame(a.bytes, b.bytes))
  }

  @Test func `after a failed write the file can be finished without the last chunk`() throws {
    let streams = try streams()
    let sink = MemorySink()
    var writer = try ChunkFileWriter(to: sink, identity: identity, streams: streams, fileNumber: 0)
    let layout = streams[0].layout
    let buffer = TestFrames.buffer(layout, seed: 1)
    var places: [MessagePlace] = []
    sink.room = 600_000
    #expect(throws: RetakeError.self) {
      defer { withExtendedLifetime(buffer) {} }
      for number in 0..<5000 {
        places.append(
          try writer.append(message(layout, number, buffer.bytes), payload: buffer.bytes, stream: 0))
      }
    }
    sink.room = .max
    let kept = places.filter { $0.offset < writer.byteCount }
    #expect(kept.count > 500)
    #expect(kept.count < places.count)
    try writer.finish()
    #expect(sink.bytes.suffix(8).elementsEqual(MCAP.magic))
    let file = TestBytes(sink.bytes)
    defer { withExtendedLifetime(file) {} }
    for (number, place) in kept.enumerated() {
      let record = UnsafeRawBufferPointer(rebasing: file.pointer[place.offset..<place.offset + place.length])
      #expect(try MessageRecord.frame(record, stream: 0).message.number == number)
    }
  }

  @Test func `a message cut short or changed anywhere never traps`() throws {
    let sink = MemorySink()
    let place = try write(sink, count: 1)[0]
    let record = Array(sink.bytes[place.offset..<place.offset + place.length])
    for length in 0..<record.count {
      let bytes = TestBytes(Array(record[..<length]))
      #expect(throws: RetakeError.self) { try bytes.read { try MessageRecord.frame($0, stream: 0) } }
    }
    let original = try TestBytes(record).read { try MessageRecord.frame($0, stream: 0).message }
    let decoder = try FrameDecoder()
    for position in record.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var changed = record
        changed[position] ^= change
        let bytes = TestBytes(changed)
        defer { withExtendedLifetime(bytes) {} }
        guard let (message, payload) = try? MessageRecord.frame(bytes.pointer, stream: 0) else { continue }
        #expect(message.describesSame(as: original), "byte \(position)")
        let output = FrameBuffer(byteCount: message.byteCount + 1)
        defer { withExtendedLifetime(output) {} }
        let target = UnsafeMutableRawBufferPointer(rebasing: output.mutableBytes[..<message.byteCount])
        // Either an error, or bytes that match their checksum.
        guard (try? decoder.decode(payload, of: message, into: target)) != nil else { continue }
        #expect(Checksum.xxh3(UnsafeRawBufferPointer(target)) == message.checksum)
      }
    }
  }
}

extension FrameMessage {
  fileprivate func describesSame(as other: FrameMessage) -> Bool {
    (number, deviceSequence, timestamps, flags) == (other.number, other.deviceSequence, other.timestamps, other.flags)
  }
}

/// Bytes that stay where they are for as long as the test needs them.
final class TestBytes {
  let pointer: UnsafeRawBufferPointer
  init(_ bytes: [UInt8]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    memory.copyBytes(from: bytes)
    pointer = UnsafeRawBufferPointer(memory)
  }
  deinit { pointer.deallocate() }

  func read<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(pointer) }
  }
}

@Suite struct MessageTests {
  @Test func `faces and events read back as they were`() throws {
    let face = FaceObservation(
      box: .init(x: -3.5, y: 10, width: 80.25, height: 90), confidence: 0.75, roll: -0.1, pitch: nil, yaw: 0.5,
      detector: "simulated")
    let faces = FacesMessage(
      stream: 2, frameNumber: 77, presentation: .init(nanoseconds: -12), faces: [face, face])
    var writer = ByteWriter()
    faces.encode(to: &writer)
    let bytes = TestBytes(writer.bytes)
    #expect(try bytes.read { try FacesMessage.decode($0) } == faces)

    for stage in FrameEvent.Stage.allCases {
      for reason in FrameEvent.Reason.allCases {
        let event = FrameEvent(
          stream: 1, stage: stage, reason: reason, frameNumber: 3, count: 1 << 40,
          presentation: .init(nanoseconds: -1))
        var writer = ByteWriter()
        event.encode(to: &writer)
        let bytes = TestBytes(writer.bytes)
        #expect(try bytes.read { try FrameEvent.decode($0) } == event)
      }
    }
  }

  @Test func `fields in any order are read, unknown ones are skipped, and the last of two counts`() throws {
    let time: [UInt8] = [0x10, 10]
    let unknown: [UInt8] = [0xA0, 0x01, 7]
    let labels: [UInt8] = [0x0A, 1, UInt8(ascii: "a"), 0x0A, 1, UInt8(ascii: "b")]
    let expected = try Mark(label: "b", presentation: PresentationTime(nanoseconds: 5))
    for bytes in [time + unknown + labels, unknown + labels + time, labels + unknown + unknown + time + unknown] {
      #expect(try TestBytes(bytes).read { try Mark.decode($0) } == expected)
    }
  }

  /// Found by Tools/develop/fuzz: sums with such a time overflow.
  @Test func `faces at a time that is not possible are refused`() throws {
    let lastByteOfLargest: UInt8 = 1
    let bytes = TestBytes([0x18] + [UInt8](repeating: 0xFF, count: 9) + [lastByteOfLargest])
    let error = #expect(throws: RetakeError.self) { try bytes.read { try FacesMessage.decode($0) } }
    #expect(error?.code == .corrupt)
  }

  @Test(arguments: [(FacesMessage.largestFaceCount, true), (FacesMessage.largestFaceCount + 1, false)])
  func `a message of a great many empty faces is refused before it fills memory`(count: Int, isAccepted: Bool) {
    let bytes = TestBytes((0..<count).flatMap { _ in [0x22, 0] as [UInt8] })
    let faces = bytes.read { try? FacesMessage.decode($0) }
    #expect((faces?.faces.count == count) == isAccepted)
  }

  @Test func `a stream's description reads back from its channel`() throws {
    var stream = try TestFrames.stream("depth", .depth, FrameLayout(.kinectRaw11, width: 640, height: 480))
    stream.settings = [.init("b", "2"), .init("a", "ü=\n")]
    stream.clock = .kinect
    let channel = MCAPChannel(
      id: 0, schema: 1, topic: stream.name, messageEncoding: "protobuf",
      metadata: StreamChannel.metadata(of: stream))
    #expect(try StreamChannel.stream(of: channel) == stream)
  }
}
