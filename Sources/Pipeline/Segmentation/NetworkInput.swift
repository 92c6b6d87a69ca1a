import FrameModel
import Kernels

/// Converts pictures to a network's input: stretched to its size (B.9), then as floats.
final class NetworkInput {
  let size: PictureSize
  private let layout: NetworkSettings.Layout
  /// For each channel, the index of its colour in RGB.
  private let order: [Int]
  /// For each channel, the input value of each sample.
  private let tables: [[Float]]
  private var stretch: PreparedPictureScaler?
  private let picture: PixelPlane<UInt8>
  private let bands = BandRunner(threadCount: 1)

  init(_ input: NetworkSettings.Input, _ settings: NetworkSettings) {
    size = input.size
    layout = input.layout
    order = settings.colors == .rgb ? [0, 1, 2] : [2, 1, 0]
    tables = (0..<3).map { channel in
      (0...255).map { Float((Double($0) - settings.mean[channel]) * settings.scale[channel]) }
    }
    picture = PixelPlane(width: size.width, height: size.height, channels: 3)
  }

  /// Outermost side first.
  var shape: [Int] { layout == .nchw ? [1, 3, size.height, size.width] : [1, size.height, size.width, 3] }

  func write(_ source: PixelPlane<UInt8>, to target: UnsafeMutablePointer<Float>) {
    if stretch?.sourceWidth != source.width || stretch?.sourceHeight != source.height {
      stretch = PreparedPictureScaler(
        from: (source.width, source.height), to: (size.width, size.height), .stretch, threadCount: 1)
    }
    stretch?.apply(source.samples, to: picture.samples, bands: bands)
    let count = size.width * size.height
    for channel in 0..<3 {
      let output = layout == .nchw ? target + channel * count : target + channel
      let step = layout == .nchw ? 1 : 3
      let input = picture.samples + order[channel]
      tables[channel].withUnsafeBufferPointer { table in
        for i in 0..<count { output[i * step] = table[Int(input[3 * i])] }
      }
    }
  }
}
