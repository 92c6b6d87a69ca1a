import FrameModel
import Glibc
import Media
import Support
import TestSupport
import Testing

/// Videos that are written by ffmpeg and read again.
@Suite struct VideoRoundTripTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [(9, 17), (33, 21), (1, 1)])
  func `lossless colour comes back to the bit, at odd sizes`(width: Int, height: Int) throws {
    let path = folder.path("a.mkv")
    let pictures = (0..<5).map { noiseImage(width, height, seed: $0) }
    let video = RawVideo(.rgb8, width: width, height: height, rate: try FrameRate(30_000, 1001))
    let process = try FFmpegProcess(video, .lossless, to: path, name: "a video")
    for picture in pictures {
      try picture.pixels.withRawBytes { bytes throws(RetakeError) in try process.write(bytes) }
    }
    try process.finish()

    let facts = try VideoFacts(path: path)
    #expect((facts.width, facts.height) == (width, height) && facts.rate.description == "30000/1001")
    let decoder = try VideoDecoder(path, facts)
    var found = [UInt8](repeating: 0, count: width * height * 3)
    for picture in pictures {
      #expect(try found.withMutableRawBytes { buffer throws(RetakeError) in try decoder.read(into: buffer) })
      #expect(found == picture.pixels)
    }
    #expect(try !found.withMutableRawBytes { buffer throws(RetakeError) in try decoder.read(into: buffer) })
    #expect(found == pictures[4].pixels, "the end leaves the picture unchanged")
  }

  @Test func `a video in a folder that is not there is an error with the name that was given`() throws {
    // As in the program: a write to a dead ffmpeg is then an error instead of a signal.
    signal(SIGPIPE, SIG_IGN)
    let video = RawVideo(.grey8, width: 16, height: 16, rate: try FrameRate(30))
    let process = try FFmpegProcess(video, .lossless, to: folder.path("none/a.mkv"), name: "the export")
    let error = #expect(throws: RetakeError.self) {
      // ffmpeg may end before or after it takes pictures.
      for _ in 0..<1000 {
        try [UInt8](repeating: 1, count: 256).withRawBytes { bytes throws(RetakeError) in try process.write(bytes) }
      }
      try process.finish()
    }
    #expect(error?.code == .childProcess && error?.message.contains("could not write the export") == true)
    #expect(error?.message.contains(folder.path) == false, "\(error?.message ?? "")")
  }

  @Test func `a file without pictures is refused, and a file of a kind that is no video output`() throws {
    let path = folder.path("text.mkv")
    try FileBytes.write(Array("hello".utf8), to: path)
    let noVideo = #expect(throws: RetakeError.self) { _ = try VideoFacts(path: path) }
    #expect(noVideo?.code == .unsupported && noVideo?.message.contains(path) == true)
    let noDevice = #expect(throws: RetakeError.self) { _ = try LinuxVideoOutput(path: "/dev/null") }
    #expect(noDevice?.code == .device && noDevice?.hint.contains("v4l2loopback") == true)
  }
}
