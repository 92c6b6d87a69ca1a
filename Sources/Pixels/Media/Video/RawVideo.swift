import FrameModel

/// ffmpeg's raw input: pictures of one size at a constant rate, packed rows from the top.
package struct RawVideo: Sendable {
  /// Raw values are ffmpeg's pixel formats.
  package enum Samples: String, Sendable {
    case rgb8 = "rgb24"
    case grey8 = "gray"
    case grey16 = "gray16le"
  }

  package let samples: Samples
  package let width: Int
  package let height: Int
  package let rate: FrameRate

  package init(_ samples: Samples, width: Int, height: Int, rate: FrameRate) {
    self.samples = samples
    self.width = width
    self.height = height
    self.rate = rate
  }

  var arguments: [String] {
    [
      "-f", "rawvideo", "-pixel_format", samples.rawValue, "-video_size", "\(width)x\(height)", "-framerate",
      rate.description, "-i", "pipe:0",
    ]
  }
}
