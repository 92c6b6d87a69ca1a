import ChunkFormat
import Foundation
import FrameModel
import TestSupport
import Testing

/// The format's description is good enough for another language if its decoder gives the same frames.
@Suite(.long) struct CodecPythonTests {
  private static let script = """
    import sys
    sys.path.insert(0, sys.argv[1])
    import retake
    wrong = 0
    for line in open(sys.argv[2] + "/list"):
        name, codec, pixel_format, width, height, byte_count = line.split()
        payload = open(f"{sys.argv[2]}/{name}.payload", "rb").read()
        frame = open(f"{sys.argv[2]}/{name}.frame", "rb").read()
        decoded = retake.decode(codec, payload, pixel_format, int(width), int(height), int(byte_count))
        if bytes(decoded) != frame:
            print("differs:", line.strip())
            wrong += 1
    print("done")
    sys.exit(wrong > 0)
    """

  @Test func `Python decodes every codec`() throws {
    var frames = try CodecFrame.all([(1, 1), (2, 2), (7, 1), (1, 7), (17, 9), (33, 18)])
    frames += try CodecFrame.formats.map { CodecFrame(try FrameLayout($0, width: 161, height: 97), .scene) }
    frames += try [PixelFormat.depthMillimeters16, .disparityFloat32].map(CodecFrame.ramp)
    frames += try [2, 300, 5000].map { try CodecFrame(depthWith: $0, width: 97, height: 61) }
    frames.append(CodecFrame.coloredNoise(try FrameLayout(.rgb24, width: 97, height: 61)))
    var short = CodecFrame(try FrameLayout(.rgb24, width: 33, height: 18), .gradient)
    short.bytes.removeLast(100)
    frames.append(short)
    let encoder = try FrameEncoder()
    let folder = try TemporaryFolder()
    var list = ""
    var codecs: Set<FrameCodec> = []
    for (number, frame) in frames.enumerated() {
      for effort in [EncodingEffort.best, .fast] {
        let payload = try CodecPayload(frame, effort, by: encoder)
        codecs.insert(payload.codec)
        let name = "\(number)-\(effort)"
        try Data(payload.bytes).write(to: URL(fileURLWithPath: folder.path("\(name).payload")))
        try Data(frame.bytes).write(to: URL(fileURLWithPath: folder.path("\(name).frame")))
        let layout = frame.layout
        list += "\(name) \(payload.codec.rawValue) \(layout.format.rawValue) \(layout.width) \(layout.height)"
        list += " \(frame.bytes.count)\n"
      }
    }
    #expect(codecs == Set(FrameCodec.allCases))
    try Data(list.utf8).write(to: URL(fileURLWithPath: folder.path("list")))
    let result = try ChildProcess.run(
      try Checkout.python, ["-c", Self.script, Checkout.root + "/Tools", folder.path])
    #expect(result.status == 0, "\(result.text)\(result.errors)")
    #expect(result.text.hasSuffix("done\n"))
  }
}
