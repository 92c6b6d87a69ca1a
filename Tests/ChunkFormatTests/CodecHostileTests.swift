import ChunkFormat
import FrameModel
import Support
import TestSupport
import Testing

/// Whatever a payload holds, a decoder gives the frame or says that it is corrupt.
@Suite struct CodecHostileTests {
  private let encoder: FrameEncoder
  private let decoder: FrameDecoder

  init() throws {
    encoder = try FrameEncoder()
    decoder = try FrameDecoder()
  }

  private func check(_ payload: CodecPayload, _ frame: CodecFrame) {
    do throws(RetakeError) {
      let isSame = try payload.decoded(as: frame, by: decoder) == frame.bytes
      #expect(isSame, "\(frame)")
    } catch {
      #expect(error.code == .corrupt, "\(frame)")
    }
  }

  private func smallFrames() throws -> [CodecFrame] {
    var frames = try [(5, 4), (17, 9)].flatMap { width, height in
      try CodecFrame.formats.map { CodecFrame(try FrameLayout($0, width: width, height: height), .scene) }
    }
    frames.append(CodecFrame(try FrameLayout(.disparityFloat32, width: 17, height: 9), .noise))
    return frames
  }

  /// What an encoder makes of the frame, and the frame in every codec for which an encoder's rules did not choose it.
  private func payloads(_ frame: CodecFrame) throws -> [CodecPayload] {
    let own = try EncodingEffort.allCases.map { try CodecPayload(frame, $0, by: encoder) }
    return own + FrameCodec.allCases.flatMap { codec in own.map { CodecPayload(codec: codec, bytes: $0.bytes) } }
  }

  @Test func `every truncation is found`() throws {
    for frame in try smallFrames() {
      for payload in try payloads(frame) {
        for byteCount in 0...payload.bytes.count {
          var cut = payload
          cut.bytes.removeLast(payload.bytes.count - byteCount)
          check(cut, frame)
        }
        check(CodecPayload(codec: payload.codec, bytes: payload.bytes + [0]), frame)
        check(CodecPayload(codec: payload.codec, bytes: payload.bytes + payload.bytes), frame)
      }
    }
  }

  @Test func `every changed byte is found`() throws {
    for frame in try smallFrames() {
      for effort in EncodingEffort.allCases {
        let payload = try CodecPayload(frame, effort, by: encoder)
        // Every value in the smallest frames, every bit in the others.
        let changes = frame.layout.width == 5 ? Array(1...255) : (0..<8).map { 1 << $0 } as [UInt8]
        for index in payload.bytes.indices {
          for change in changes {
            var changed = payload
            changed.bytes[index] ^= change
            check(changed, frame)
          }
        }
      }
    }
  }

  @Test func `random payloads are refused`() throws {
    for (turn, frame) in try smallFrames().enumerated() {
      for codec in FrameCodec.allCases {
        for byteCount in [0, 1, 3, 4, 11, 12, 13, 40, 80, 96, 200, 700] {
          let bytes = (0..<byteCount).map {
            UInt8(truncatingIfNeeded: SeededGenerator.hash(UInt64(turn * 1000 + byteCount), UInt64($0)))
          }
          check(CodecPayload(codec: codec, bytes: bytes), frame)
          // Past zstd, to the transforms behind it.
          check(CodecPayload(codec: codec, bytes: try Self.wrapped(bytes)), frame)
        }
      }
    }
  }

  /// Bytes of any kind as an intact zstd frame.
  private static func wrapped(_ bytes: [UInt8]) throws -> [UInt8] {
    var target = [UInt8](repeating: 0, count: ZstdCompressor.bound(bytes.count))
    let compressor = try ZstdCompressor()
    let size = bytes.withRawBytes { bytes in
      target.withMutableRawBytes { compressor.compress(bytes, effort: .matches, into: $0) }
    }
    return Array(target[..<(size ?? 0)])
  }

  @Test(arguments: [PixelFormat.depthMillimeters16, .disparityFloat32])
  func `every change to the bytes inside zstd is found`(_ format: PixelFormat) throws {
    for content in [CodecContent.scene, .gradient, .extremes] {
      let frame = CodecFrame(try FrameLayout(format, width: 17, height: 9), content)
      let sections = DepthReference.ranks(frame.bytes, frame.layout)
      check(CodecPayload(codec: .ranksMedianCrumbs, bytes: try Self.wrapped(sections)), frame)
      for index in sections.indices {
        for value in [0, 1, 3, 15, 127, 128, 255, sections[index] &+ 1, sections[index] &- 1] as [UInt8] {
          var changed = sections
          changed[index] = value
          check(CodecPayload(codec: .ranksMedianCrumbs, bytes: try Self.wrapped(changed)), frame)
        }
      }
    }
  }

  @Test func `a frame of ranks that claims too much is refused`() throws {
    let frame = CodecFrame(try FrameLayout(.depthMillimeters16, width: 17, height: 9), .scene)
    // A zstd frame header that promises 2^62 bytes.
    let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0x40, 1, 0, 0]
    for codec in FrameCodec.allCases { check(CodecPayload(codec: codec, bytes: header), frame) }
  }

  @Test func `a payload of another format is found`() throws {
    let frames = try smallFrames()
    for frame in frames {
      for other in frames { check(try CodecPayload(other, by: encoder), frame) }
    }
  }
}
