import FrameModel
import Kernels
import MattePipeline
import Media
import Parameters
import Replay
import Support

/// A setting's result for one frame, as PNG files small enough to show many at once.
package struct SettingPictures: Hashable, Sendable {
  package static let widthLimit = 480

  package let frame: Int
  /// PNG files of equal size, at most `widthLimit` wide. For a frame without a matte, `matte` is
  /// black.
  package let composite: [UInt8]
  package let matte: [UInt8]

  /// Plays a setting from the start of the part to the last requested frame.
  /// - Parameters:
  ///   - frames: numbers of frame sets, in any order.
  ///   - note: called with messages for the user, one sentence each.
  /// - Returns: pictures by frame number, without frames that the setting drops.
  /// - Throws: the errors of `ReplaySession`.
  package static func make(
    _ source: SweepSource, preset: String, _ setting: ParameterSet, frames: Set<Int>, threadCount: Int,
    note: @escaping (String) -> Void = { _ in }
  ) throws(RetakeError) -> [SettingPictures] {
    guard let last = frames.max() else { return [] }
    let request = ReplayRequest(
      preset: preset, parameters: setting, order: try source.playedOrder(),
      firstNumber: try source.recording.firstNumber())
    let session = try ReplaySession(
      source.recording, request,
      wanted: [.original, .matte, .composite], threadCount: threadCount, note: note)
    let sink = PictureSink(frames)
    // Look-ahead delays outputs by this many deliveries, whatever their frame numbers.
    var laterCount = setting[PipelineParameters.depth.lookAhead]
    _ = try session.run(
      RenderOutputs([("pictures", sink)]),
      isDue: { frames in
        guard frames.index > last else { return true }
        laterCount -= 1
        return laterCount >= 0
      })
    return sink.pictures
  }
}

private final class PictureSink: RenderSink {
  private let frames: Set<Int>
  private(set) var pictures: [SettingPictures] = []

  init(_ frames: Set<Int>) { self.frames = frames }

  func take(_ output: PipelineOutput) throws(RetakeError) {
    guard frames.contains(output.index) else { return }
    let video = output.composite
    let matte = output.matte ?? PixelPlane(width: video.width, height: video.height)
    pictures.append(
      SettingPictures(
        frame: output.index, composite: try Self.png(Self.image(video, sampleCount: 1), as: .rgb8),
        matte: try Self.png(Self.image(matte, sampleCount: 3), as: .grey8)))
  }

  func finish() {}

  /// - Parameter sampleCount: repetitions of each sample: 3 for grey, 1 for RGB.
  private static func image(_ plane: PixelPlane<UInt8>, sampleCount: Int) -> RGBImage {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(plane.count * sampleCount)
    for i in 0..<plane.count { for _ in 0..<sampleCount { pixels.append(plane.samples[i]) } }
    return RGBImage(width: plane.width, height: plane.height, pixels: pixels)
  }

  private static func png(_ image: RGBImage, as samples: SampleFormat) throws(RetakeError) -> [UInt8] {
    var small = image
    if image.width > SettingPictures.widthLimit {
      let height = max(1, image.height * SettingPictures.widthLimit / image.width)
      small = PictureScaler.fill(image, width: SettingPictures.widthLimit, height: height)
    }
    let (width, height) = (small.width, small.height)
    let bytes =
      samples == .rgb8 ? small.pixels : stride(from: 0, to: small.pixels.count, by: 3).map { small.pixels[$0] }
    return try bytes.withRawBytes { bytes throws(RetakeError) in
      try PNGEncoder.encode(bytes, width: width, height: height, as: samples)
    }
  }
}
