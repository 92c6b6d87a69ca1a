import FrameModel

/// ffmpeg's raw input: pictures of one size at a constant rate, packed rows from the top.
package struct RawVideo: Sendable {
  package let samples: SampleFormat
  package let width: Int
  package let height: Int
  package let rate: FrameRate

  package init(_ samples: SampleFormat, width: Int, height: Int, rate: FrameRate) {
    self.samples = samples
    self.width = width
    self.height = height
    self.rate = rate
  }

  /// ffmpeg's name of the samples.
  var pixelFormat: String {
    switch samples {
    case .rgb8: "rgb24"
    case .grey8: "gray"
    case .grey16: "gray16le"
    }
  }

  var arguments: [String] {
    [
      "-f", "rawvideo", "-pixel_format", pixelFormat, "-video_size", "\(width)x\(height)", "-framerate",
      rate.description, "-i", "pipe:0",
    ]
  }
}
