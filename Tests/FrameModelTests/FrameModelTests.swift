import FrameModel
import Support
import Testing

@Suite struct FrameLayoutTests {
  @Test(arguments: [
    (PixelFormat.rgb24, 5, 3, 45), (.yuyv, 5, 3, 36), (.nv12, 5, 3, 30), (.grey8, 5, 3, 15),
    (.bayerGRBG8, 5, 3, 15), (.depthMillimeters16, 5, 3, 30), (.kinectRaw11, 1, 1, 2),
    (.disparityFloat32, 5, 3, 60), (.motion, 6, 1, 12),
  ])
  func `a packed frame has as many bytes as its format says, odd sizes too`(
    format: PixelFormat, width: Int, height: Int, bytes: Int
  ) throws {
    let layout = try FrameLayout(format, width: width, height: height)
    #expect(layout.byteCount == bytes)
    #expect(layout.isPacked)
  }

  @Test func `padding at the end of rows is part of the frame and not of its packed form`() throws {
    let layout = try FrameLayout(.rgb24, width: 5, height: 3, bytesPerRow: 64)
    #expect(layout.byteCount == 192)
    #expect(!layout.isPacked)
    #expect(layout.packed.byteCount == 45)
  }

  @Test(arguments: [(0, 1), (1, 0), (-4, 4), (16_385, 1), (1, 1 << 40)])
  func `sizes that no frame has are refused`(width: Int, height: Int) {
    #expect(throws: RetakeError.self) { try FrameLayout(.grey8, width: width, height: height) }
  }

  @Test func `no format claims more bytes than a frame may have`() throws {
    for format in PixelFormat.allCases {
      // Where the largest side is refused, that is as good.
      guard let layout = try? FrameLayout(format, width: 16_384, height: 16_384) else { continue }
      #expect(layout.byteCount <= FrameLayout.largestByteCount, "\(format)")
    }
    #expect(try FrameLayout(.jpeg, width: 640, height: 480).byteCount == 640 * 480 * 6)
  }

  @Test(arguments: [14, -1, 1 << 40])
  func `a row length that does not fit is refused`(stride: Int) {
    #expect(throws: RetakeError.self) { try FrameLayout(.rgb24, width: 5, height: 3, bytesPerRow: stride) }
  }
}

@Suite struct FrameRateTests {
  @Test(arguments: [
    ("3000010", 3_000_010, 1), ("999999.999", 999_999_999, 1000), ("30", 30, 1), ("30000/1001", 30000, 1001),
    ("14.5", 14500, 1000), ("0.125", 125, 1000), ("15.0", 15, 1),
  ])
  func `a rate is read as a fraction`(text: String, numerator: Int, denominator: Int) throws {
    let rate = try #require(FrameRate(text))
    #expect((rate.numerator, rate.denominator) == (numerator, denominator))
  }

  @Test(arguments: ["0", "-1", "30/0", "a", "", "1/2/3", "3.1415", "30.", "1e3", "٣"])
  func `what is no rate is refused`(text: String) { #expect(FrameRate(text) == nil) }

  @Test(arguments: [(1, 1), (30_000, 1001), (1_000_001, 1), (1_000_000_000, 1), (1_000_000_000, 999_999_999)])
  func `every rate reads back from its description`(numerator: Int, denominator: Int) throws {
    let rate = try FrameRate(numerator, denominator)
    #expect(FrameRate(rate.description) == rate)
  }

  @Test func `a period is rounded to the nearest nanosecond`() throws {
    #expect(try FrameRate(30).periodNanoseconds == 33_333_333)
    #expect(try FrameRate(60).periodNanoseconds == 16_666_667)
  }
}

@Suite struct FrameBufferPoolTests {
  @Test func `a buffer is given back when its last holder lets go, and used again`() {
    let pool = FrameBufferPool(bufferByteCount: 100, limit: 2)
    var first = pool.take()
    let address = first?.bytes.baseAddress
    let second = pool.take()
    #expect(second != nil)
    #expect(pool.take() == nil)
    #expect(pool.lentCount == 2)
    first = nil
    #expect(pool.lentCount == 1)
    #expect(pool.take()?.bytes.baseAddress == address)
  }

  @Test func `memory is aligned to 64 bytes`() {
    let pool = FrameBufferPool(bufferByteCount: 7, limit: 9)
    let buffers = (0..<9).compactMap { _ in pool.take() }
    #expect(buffers.count == 9)
    for buffer in buffers { #expect(UInt(bitPattern: buffer.bytes.baseAddress) % 64 == 0) }
  }

  @Test func `a buffer outlives its pool`() {
    var pool: FrameBufferPool? = FrameBufferPool(bufferByteCount: 16, limit: 1)
    let buffer = pool?.take()
    pool = nil
    buffer?.mutableBytes[15] = 9
    #expect(buffer?.bytes[15] == 9)
  }
}

@Suite struct JSONObjectTests {
  @Test func `keys keep their order and text is escaped`() {
    var inner = JSONObject()
    inner.add("b", 1)
    inner.add("a", true)
    var object = JSONObject()
    object.add("text", "say \"hi\"\\\n\u{1}é")
    object.add("inner", inner)
    object.add("list", ["x", "y"])
    object.add("half", 0.5)
    object.add("none", Double.nan)
    #expect(
      object.text
        == #"{"text":"say \"hi\"\\\n\u0001é","inner":{"b":1,"a":true},"list":["x","y"],"half":0.5,"none":null}"#)
  }

  @Test func `a member that is nil is left out`() {
    let absent: Int? = nil
    #expect(JSONObject(["a": 1, "b": absent, "c": [true]]).text == #"{"a":1,"c":[true]}"#)
  }
}

@Suite struct MarkTests {
  @Test func `a mark is at a time that a recording can hold`() {
    for time in [Int64.max, .min, 1 << 62] {
      #expect(throws: RetakeError.self) { try Mark(label: "a", presentation: PresentationTime(nanoseconds: time)) }
    }
    #expect(throws: Never.self) { try Mark(label: "a", presentation: PresentationTime(nanoseconds: 1 << 60)) }
  }
}
