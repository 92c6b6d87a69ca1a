import CommandTestSupport
import Foundation
import FrameModel
import RecordingStore
import TestSupport
import Testing

/// 4:2:0 video of odd width, and raw video that is laid out otherwise than a recording: its exact size and samples.
@Suite(.long) struct OddSizeVideoTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private enum Way: CaseIterable { case padded, bottomUp, bottomUpWithAlpha, matroska, cutByEditList, signedChroma }

  @Test(arguments: Way.allCases) private func `raw video has the pictures that ffmpeg shows`(way: Way) throws {
    let file =
      switch way {
      case .padded, .bottomUp, .bottomUpWithAlpha: "a.avi"
      case .matroska: "a.mkv"
      case .cutByEditList, .signedChroma: "a.mov"
      }
    var (source, raw, recording) = (folder.path(file), folder.path("a.raw"), folder.path("a.retake"))
    let coding = [.cutByEditList: "rgb24", .signedChroma: "yuyv422", .bottomUpWithAlpha: "bgra"][way] ?? "bgr24"
    try ForeignFiles.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=size=\(way == .padded ? 62 : 64)x48:rate=10:d=1", "-c:v", "rawvideo", "-pix_fmt",
      coding, "-allow_raw_vfw", "1", source,
    ])
    if way == .cutByEditList {
      (raw, source) = (source, folder.path("cut.mov"))
      try ForeignFiles.ffmpeg(["-ss", "0.35", "-i", raw, "-c", "copy", source])
      raw = folder.path("a.raw")
    }
    if way == .bottomUp || way == .bottomUpWithAlpha {
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
      // The height in the first track's BITMAPINFOHEADER: negative is from above to below.
      let place = try #require(bytes.firstRange(of: Array("strf".utf8))).lowerBound + 16
      #expect(bytes[place] == 256 - 48)
      bytes.replaceSubrange(place..<place + 4, with: [48, 0, 0, 0])
      try Data(bytes).write(to: URL(fileURLWithPath: source))
    }
    let format = way == .signedChroma ? "yuyv422" : "rgb24"
    try ForeignFiles.ffmpeg(["-i", source, "-f", "rawvideo", "-fps_mode", "passthrough", "-pix_fmt", format, raw])
    try ForeignFiles.importFile(source, to: recording)
    let frames = try RecordedFrames.bytes(of: "color", in: recording)
    #expect(frames.count == (way == .cutByEditList ? 6 : 10))
    #expect(areSame(frames.flatMap { $0 }, [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))))
  }

  @Test func `the last picture of AVI with B frames has no time, and follows at the pace of the others`() throws {
    let (source, recording) = (folder.path("a.avi"), folder.path("a.retake"))
    try ForeignFiles.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.6", "-c:v", "mpeg4", "-bf", "2", source])
    try ForeignFiles.importFile(source, to: recording)
    let rows = try Recording(path: recording).frameRows(stream: 0, from: 0, limit: 10)
    #expect(rows.map(\.timestamps.presentation.nanoseconds) == (0..<6).map { $0 * 100_000_000 })
    #expect(rows.map { $0.flags.rawValue } == [0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: [
    (641, 479, "yuv420p"), (33, 24, "yuv420p"), (33, 25, "yuv420p"), (33, 25, "yuv420p10le"), (35, 18, "yuv420p10le"),
  ])
  func `every sample of a video of odd width is recorded`(width: Int, height: Int, format: String) throws {
    let (source, raw, recording) = (folder.path("a.mkv"), folder.path("a.raw"), folder.path("a.retake"))
    try ForeignFiles.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=size=\(width + 7)x\(height + 5):rate=10", "-t", "0.4", "-vf",
      "format=rgb24,crop=\(width):\(height):3:2", "-c:v", "ffv1", "-pix_fmt", format, source,
    ])
    try ForeignFiles.ffmpeg(["-i", source, "-f", "rawvideo", "-pix_fmt", format, raw])
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
