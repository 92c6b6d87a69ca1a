import ChunkFormat
import FrameModel
import Support
import Testing

@Suite struct CodecRoundTripTests {
  private let encoder: FrameEncoder
  private let decoder: FrameDecoder

  init() throws {
    encoder = try FrameEncoder()
    decoder = try FrameDecoder()
  }

  private func check(_ frame: CodecFrame) throws {
    for effort in EncodingEffort.allCases {
      let payload = try CodecPayload(frame, effort, by: encoder)
      let isSame = try payload.decoded(as: frame, by: decoder) == frame.bytes
      #expect(isSame, "\(frame), \(effort)")
      #expect(payload.bytes.count <= frame.bytes.count, "\(frame), \(effort)")
      #expect(effort != .raw || payload.codec == .raw)
    }
  }

  @Test(arguments: CodecFrame.formats)
  func `every format decodes to the same bytes, in every size`(_ format: PixelFormat) throws {
    for (width, height) in CodecFrame.smallSizes + [(161, 97), (640, 480)] {
      for content in CodecContent.allCases {
        try check(CodecFrame(FrameLayout(format, width: width, height: height), content))
      }
    }
  }

  @Test(arguments: [1, 2, 300, 5000, 65_536])
  func `depth decodes to the same bytes, however many values it has`(_ distinctCount: Int) throws {
    for (width, height) in [(320, 240), (641, 3), (3, 641)] {
      try check(CodecFrame(depthWith: distinctCount, width: width, height: height))
    }
  }

  @Test func `a camera's frame gets the codec of its format`() throws {
    for format in CodecFrame.formats {
      let frame = CodecFrame(try FrameLayout(format, width: 161, height: 97), .scene)
      let expected: (best: FrameCodec, fast: FrameCodec) =
        switch format {
        case .motion: (.raw, .raw)
        case .grey16, .depthMillimeters16, .kinectRaw11, .disparityFloat32: (.ranksMedianCrumbs, .ranksMedianCrumbs)
        case .rgb24: (.liftedMedianColumns, .planesMedianNibbles)
        default: (.planesMedianTiles, .planesMedianNibbles)
        }
      #expect(try CodecPayload(frame, .best, by: encoder).codec == expected.best, "\(format)")
      #expect(try CodecPayload(frame, .fast, by: encoder).codec == expected.fast, "\(format)")
    }
    let noise = CodecFrame(try FrameLayout(.depthMillimeters16, width: 640, height: 480), .noise)
    #expect(try CodecPayload(noise, by: encoder).codec == .raw)
    for format in [PixelFormat.grey16, .depthMillimeters16, .kinectRaw11, .disparityFloat32] {
      let ramp = try CodecFrame.ramp(format)
      #expect(try CodecPayload(ramp, by: encoder).codec == .deltaBytes)
      try check(ramp)
    }
  }

  /// Every column and every colour on its own, as after demosaicing by means.
  @Test func `channels that have nothing in common are coded apart`() throws {
    let frame = CodecFrame.coloredNoise(try FrameLayout(.rgb24, width: 161, height: 97))
    #expect(try CodecPayload(frame, by: encoder).codec == .rgbMedianColumns)
    try check(frame)
  }

  @Test func `JPEG is kept as it is`() throws {
    var frame = CodecFrame(try FrameLayout(.grey8, width: 64, height: 64), .zeros)
    frame.layout = try FrameLayout(.jpeg, width: 64, height: 64)
    for effort in EncodingEffort.allCases {
      let payload = try CodecPayload(frame, effort, by: encoder)
      let isSame = payload == CodecPayload(codec: .raw, bytes: frame.bytes)
      #expect(isSame, "\(effort)")
    }
    try check(frame)
  }

  @Test func `damaged frames that end early decode to the same bytes`() throws {
    for format in CodecFrame.formats {
      let whole = CodecFrame(try FrameLayout(format, width: 33, height: 18), .scene)
      for byteCount in [0, 1, 15, 16, 17, 63, 64, whole.bytes.count / 2, whole.bytes.count - 1]
      where byteCount < whole.bytes.count {
        var short = whole
        short.bytes.removeLast(whole.bytes.count - byteCount)
        try check(short)
        let codec = try CodecPayload(short, by: encoder).codec
        #expect(codec == .raw || codec == .zstd)
      }
    }
  }

  @Test func `a layout with padding describes the same packed bytes`() throws {
    let frame = CodecFrame(try FrameLayout(.rgb24, width: 33, height: 18), .scene)
    var padded = frame
    padded.layout = try FrameLayout(.rgb24, width: 33, height: 18, bytesPerRow: 128)
    let isSame = try CodecPayload(padded, by: encoder) == CodecPayload(frame, by: encoder)
    #expect(isSame)
  }

  @Test func `equal frames give equal payloads, whatever came before`() async throws {
    var frames = try CodecFrame.all([(1, 1), (17, 9), (161, 97)])
    frames += try [2, 300, 5000].map { try CodecFrame(depthWith: $0, width: 320, height: 240) }
    for effort in EncodingEffort.allCases {
      let alone = try frames.map { try CodecPayload($0, effort, by: FrameEncoder()) }
      let backwards = try frames.reversed().map { try CodecPayload($0, effort, by: encoder) }
      let isSame = alone == Array(backwards.reversed())
      #expect(isSame, "\(effort)")
      let frames = frames
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for thread in 0..<4 {
          group.addTask {
            let encoder = try FrameEncoder()
            return try (0..<frames.count).allSatisfy { turn in
              let index = (turn * 7 + thread * 13) % frames.count
              return try CodecPayload(frames[index], effort, by: encoder) == alone[index]
            }
          }
        }
        for try await isSame in group { #expect(isSame) }
      }
    }
  }

  @Test func `masks and flat frames become small`() throws {
    let flat = CodecFrame(try FrameLayout(.grey8, width: 640, height: 480), .ones)
    #expect(try CodecPayload(flat, by: encoder).bytes.count < 500)
    let empty = CodecFrame(try FrameLayout(.depthMillimeters16, width: 640, height: 480), .zeros)
    #expect(try CodecPayload(empty, by: encoder).bytes.count < 500)
  }
}
