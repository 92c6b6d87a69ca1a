import CaptureDevices
import FrameModel
import Glibc
import Support
import Testing

@Suite struct TUMDataSetTests {
  private func writeTwoStreams(_ folder: TUMFolder) throws {
    // Out of order, with a comment, an empty line and a Windows line end.
    try folder.write(
      "# color images\n# timestamp filename\n100.066667 rgb/c.png\n100.000000 rgb/a.png\r\n\n"
        + "100.033333 rgb/b 2.png", "rgb.txt")
    try folder.write("100.034 depth/2.png\n100.001 depth/1.png\n", "depth.txt")
    try folder.color("rgb/a.png", first: 1)
    try folder.color("rgb/b 2.png", first: 2)
    try folder.color("rgb/c.png", first: 3)
    try folder.depth("depth/1.png", [0, 1, 2, 3, 5000, 65535, 2500, 7502], width: 4)
    try folder.depth("depth/2.png", [10, 10, 10, 10, 10, 10, 10, 10], width: 4)
  }

  @Test func `frames of both streams come merged, in the order of their time stamps`() throws {
    try TUMFolder.with { folder in
      try writeTwoStreams(folder)
      let device = try folder.open()
      #expect(!device.isLive)
      #expect(device.streams.map(\.name) == ["color", "depth"])
      #expect(device.streams.map(\.kind) == [.color, .depth])
      #expect(device.streams.map(\.layout.format) == [.rgb24, .depthMillimeters16])
      #expect(device.streams.allSatisfy { $0.clock == .microseconds } && device.wallClockNanoseconds == 0)
      let (frames, error) = try TUMFolder.deliver(device)
      #expect(error == nil)
      #expect(frames.map(\.streamIndex) == [0, 1, 0, 1, 0])
      #expect(
        frames.map(\.deviceTick) == [100_000_000, 100_001_000, 100_033_333, 100_034_000, 100_066_667])
      #expect(frames.map(\.deviceSequence) == [0, 0, 1, 1, 2])
      #expect(
        frames.map(\.arrival.nanoseconds) == [0, 1_000_000, 33_333_000, 34_000_000, 66_667_000])
      for (frame, first) in zip(frames.filter { $0.streamIndex == 0 }, [1, 2, 3]) {
        #expect(frame.usedBytes == TUMFolder.counting(24, first))
      }
    }
  }

  @Test func `depth is converted to millimetres, rounded half up`() throws {
    try TUMFolder.with { folder in
      try writeTwoStreams(folder)
      let samples = try TUMFolder.deliver(folder.open()).frames.first { $0.streamIndex == 1 }?.samples16
      #expect(samples == [0, 0, 0, 1, 1000, 13107, 500, 1500])
      // A scale of 1 unit a metre makes everything too far for 16 bits but zero.
      let far = try TUMFolder.deliver(folder.open("?scale=1")).frames.first { $0.streamIndex == 1 }
      #expect(far?.samples16 == [0, 1000, 2000, 3000, 65535, 65535, 65535, 65535])
      // 2000 units a metre: half a millimetre is rounded up.
      let half = try TUMFolder.deliver(folder.open("?scale=2000")).frames.first { $0.streamIndex == 1 }
      #expect(half?.samples16 == [0, 1, 1, 2, 2500, 32768, 1250, 3751])
    }
  }

  @Test func `the rate is the median of the distances unless it is given`() throws {
    try TUMFolder.with { folder in
      try writeTwoStreams(folder)
      #expect(try folder.open().streams.map(\.rate.description) == ["30", "30303/1000"])
      #expect(try folder.open("?fps=29.97").streams.map(\.rate.description) == ["29970/1000", "29970/1000"])
    }
  }

  @Test func `folders without lists are read by their file names`() throws {
    try TUMFolder.with { folder in
      try folder.color("rgb/1341846313.592026.png", first: 9)
      try folder.color("rgb/99.5.PNG", first: 8)
      try folder.write("not a picture", "rgb/Thumbs.db")
      try folder.write("not a picture", "rgb/.hidden.png")
      let device = try folder.open()
      #expect(device.streams.map(\.name) == ["color"])
      let frames = try TUMFolder.deliver(device).frames
      #expect(frames.map(\.deviceTick) == [99_500_000, 1_341_846_313_592_026])
      #expect(frames.map { $0.usedBytes.first } == [8, 9])
    }
  }

  @Test func `a mask folder is delivered as alpha`() throws {
    try TUMFolder.with { folder in
      try folder.color("rgb/1.0.png")
      try folder.grey("mask/1.0.png", [0, 255, 128, 1, 2, 3, 4, 5], width: 4)
      let device = try folder.open()
      #expect(device.streams.map(\.kind) == [.color, .alpha])
      let frames = try TUMFolder.deliver(device).frames
      #expect(frames.last?.layout.format == .grey8)
      #expect(frames.last?.usedBytes == [0, 255, 128, 1, 2, 3, 4, 5])
    }
  }

  @Test func `depth alone is enough`() throws {
    try TUMFolder.with { folder in
      try folder.depth("depth/1.png", [5000], width: 1)
      #expect(try TUMFolder.deliver(folder.open("/")).frames.map(\.samples16) == [[1000]])
    }
  }

  @Test func `two deliveries are the same`() throws {
    try TUMFolder.with { folder in
      try writeTwoStreams(folder)
      let first = try TUMFolder.deliver(folder.open()).frames
      let second = try TUMFolder.deliver(folder.open()).frames
      #expect(first.map(\.usedBytes) == second.map(\.usedBytes))
      #expect(first.map(\.arrival) == second.map(\.arrival))
    }
  }

  @Test func `it waits for a recorder that keeps every buffer, and stops all the same`() throws {
    try TUMFolder.with { folder in
      for i in 0..<100 { try folder.depth("depth/\(i).png", [UInt16(i)], width: 1) }
      let device = try folder.open()
      let sink = TUMSink()
      try device.start(delivering: sink)
      while sink.frames.count < 64 {
        try #require(sink.ends == 0)
        usleep(1000)
      }
      device.stop()
      device.stop()
      #expect(sink.frames.count == 64)
      #expect(sink.ends == 0)
    }
  }

  @Test func `stopping on the device's own thread does not wait for itself`() throws {
    try TUMFolder.with { folder in
      for i in 0..<10 { try folder.depth("depth/\(i).png", [UInt16(i)], width: 1) }
      let device = try folder.open()
      let sink = TUMSink { count in if count == 3 { device.stop() } }
      try device.start(delivering: sink)
      while sink.frames.count < 3 { usleep(1000) }
      device.stop()
      #expect(sink.frames.count == 3)
    }
  }

  @Test func `it can be stopped before it starts, and not started twice`() throws {
    try TUMFolder.with { folder in
      try folder.depth("depth/1.png", [1], width: 1)
      let device = try folder.open()
      device.stop()
      #expect(throws: RetakeError.self) { try device.start(delivering: TUMSink()) }
    }
  }

  @Test(arguments: [
    ("0", 0), ("1.5", 1_500_000), ("1305031102.175304", 1_305_031_102_175_304),
    ("1.0000005", 1_000_001), ("1.0000004999", 1_000_000), ("9000000000", 9_000_000_000_000_000),
    ("1.999999999999999999", 2_000_000),
  ])
  func `time stamps are read to the microsecond`(_ text: String, _ microseconds: Int64) {
    #expect(TUMTimestamp.microseconds(text) == microseconds)
  }

  @Test(arguments: [
    "", ".", "1.", ".5", "-1", "+1", "1e9", "1.5.2", "9000000001", "99999999999", "1,5", "１", "nan",
    "1.0000000000000000000",
  ])
  func `what is no time stamp is none`(_ text: String) {
    #expect(TUMTimestamp.microseconds(text) == nil)
  }
}
