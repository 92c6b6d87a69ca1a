import CommandTestSupport
import Foundation
import FrameModel
import RecordingStore
import TestSupport
import Testing

/// 4:2:0 video of odd width: the recording has its exact size and samples.
@Suite(.long) struct OddSizeVideoTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (641, 479, "yuv420p"), (33, 24, "yuv420p"), (33, 25, "yuv420p"), (33, 25, "yuv420p10le"), (35, 18, "yuv420p10le"),
  ])
  func `every sample of a video of odd width is recorded`(width: Int, height: Int, format: String) throws {
    let (source, raw, recording) = (folder.path("a.mkv"), folder.path("a.raw"), folder.path("a.retake"))
    for arguments in [
      [
        "-f", "lavfi", "-i", "testsrc2=size=\(width + 7)x\(height + 5):rate=10", "-t", "0.4", "-vf",
        "format=rgb24,crop=\(width):\(height):3:2", "-c:v", "ffv1", "-pix_fmt", format, source,
      ], ["-i", source, "-f", "rawvideo", "-pix_fmt", format, raw],
    ] {
      let made = try ChildProcess.run("/usr/bin/env", ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments)
      try #require(made.status == 0, "\(made.errors)")
    }
    try ForeignFiles.importFile(source, to: recording)
    let layout = try Recording(path: recording).streams[0].layout
    #expect(layout == (try FrameLayout(.nv12, width: width, height: height)))
    // Planes of luma, Cb and Cr.
    var samples = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
    if format.contains("10") {
      samples = stride(from: 0, to: samples.count, by: 2).map { (place: Int) -> UInt8 in
        let low = Int(samples[place])
        let high = Int(samples[place + 1])
        return UInt8(min(255, (low + 256 * high + 2) / 4))
      }
    }
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    let pictureCount = width * height + 2 * halfWidth * halfHeight
    let frames = try RecordedFrames.bytes(of: "color", in: recording)
    try #require(frames.count == 4 && samples.count == 4 * pictureCount)
    for (number, frame) in frames.enumerated() {
      let picture = Array(samples[number * pictureCount..<(number + 1) * pictureCount])
      var isEqual = true
      let rowByteCount = 2 * halfWidth
      for y in 0..<height {
        for x in 0..<width where frame[y * rowByteCount + x] != picture[y * width + x] { isEqual = false }
      }
      let chromaCount = halfWidth * halfHeight
      for y in 0..<halfHeight {
        for x in 0..<halfWidth {
          let place = (height + y) * rowByteCount + 2 * x
          let cb = width * height + y * halfWidth + x
          if frame[place] != picture[cb] || frame[place + 1] != picture[cb + chromaCount] { isEqual = false }
        }
      }
      #expect(isEqual, "picture \(number)")
    }
  }
}
