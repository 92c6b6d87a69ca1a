import RetakeKit

/// A camera that sees a bright disc, 1 m away, move before a dark wall, 3 m away.
final class DiscCamera: FrameSource {
  let (width, height) = (64, 48)
  let frameCount: Int
  init(frameCount: Int) { self.frameCount = frameCount }

  let name = "disc:1"
  let isLive = false
  var streams: [SourceStream] {
    [
      SourceStream("color", .color, .rgb24, width: width, height: height, rate: .init(30)),
      SourceStream(
        "depth", .depth, .depthMillimeters16, width: width, height: height, rate: .init(30),
        settings: [.init("registered", "1")]),
    ]
  }

  func run(_ output: FrameOutput) throws {
    for number in 0..<frameCount where !output.isStopping {
      var (color, depth): ([UInt8], [UInt8]) = ([], [])
      for y in 0..<height {
        for x in 0..<width {
          let (dx, dy) = (x - 16 - number, y - 24)
          let isDisc = dx * dx + dy * dy < 100
          color += isDisc ? [250, 200, 180] : [20, 40, 60]
          let millimeters: UInt16 = isDisc ? 1000 : 3000
          depth += [UInt8(millimeters & 255), UInt8(millimeters >> 8)]
        }
      }
      let time = Int64(number) * 1_000_000_000 / 30
      try output.deliver(stream: 0, color, nanoseconds: time)
      try output.deliver(stream: 1, depth, nanoseconds: time)
    }
  }
}

/// Records it.
func recordDisc(to path: String, frameCount: Int) throws -> Recording {
  let recorder = try Recorder(to: path, sources: [DiscCamera(frameCount: frameCount)])
  try recorder.mark("start")
  let result = try recorder.run()
  if let failure = result.failure { throw failure }
  return try Recording(path: result.path)
}
