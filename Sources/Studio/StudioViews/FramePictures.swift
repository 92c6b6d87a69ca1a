import Dispatch
import FrameModel
import Kernels
import MattePipeline
import Media
import Parameters
import RecordingStore
import Replay
import Support

/// Small pictures of a recording's colour frames.
package final class FramePictures: Sendable {
  package static let widths = 16...640
  private static let quality = 80

  private let queue = DispatchQueue(label: "retake.thumbnails", qos: .utility)
  private let maker: Maker

  package init(_ recording: Recording, firstNumber: Int) { maker = Maker(recording, firstNumber) }

  /// - Parameters:
  ///   - number: of a frame set.
  ///   - width: in pixels, in `widths`.
  ///   - reply: called with a JPEG.
  package func picture(
    _ number: Int, width: Int, reply: @escaping @Sendable (Result<[UInt8], RetakeError>) -> Void
  ) {
    queue.async { [maker] in
      reply(Result { () throws(RetakeError) in try maker.picture(number, width: width) })
    }
  }

  /// Unchecked, because it is used on the queue only.
  private final class Maker: @unchecked Sendable {
    private let recording: Recording
    private let firstNumber: Int
    private var made: (pipeline: MattePipeline, decoded: DecodedFrames)?

    init(_ recording: Recording, _ firstNumber: Int) { (self.recording, self.firstNumber) = (recording, firstNumber) }

    func picture(_ number: Int, width: Int) throws(RetakeError) -> [UInt8] {
      let (pipeline, decoded) = try tools()
      let order = PlayOrder(frames: number - firstNumber..<number - firstNumber + 1)
      let plan = ReplayPlan(ParameterSet(ReplaySession.declarations), order: order, firstNumber: firstNumber)
      let cursor = try ReplayCursor(recording, plan, readsDepth: false, decoded: decoded)
      guard let frames = try cursor.next(), let output = try pipeline.process(frames).output else {
        throw RetakeError(.notFound, "Frame \(number) has no picture.")
      }
      let picture = RGBImage(
        width: output.original.width, height: output.original.height, pixels: Array(output.original.bytes))
      let height = max(1, (picture.height * width + picture.width / 2) / picture.width)
      return try JPEGEncoder.encode(
        PictureScaler.fill(picture, width: width, height: height), quality: FramePictures.quality)
    }

    private func tools() throws(RetakeError) -> (pipeline: MattePipeline, decoded: DecodedFrames) {
      if let made { return made }
      let parameters = ParameterSet(ReplaySession.declarations)
      let request = ReplayRequest(preset: Preset.standard.name, parameters: parameters)
      let color = try ReplaySession.streams(of: recording, request, wanted: .original).color
      let setup = try PipelineSetup(
        recording, request, color: color, depth: nil, wanted: .original, background: nil, threadCount: 1, note: { _ in }
      )
      let new = (setup.pipeline, try DecodedFrames(recording, threadCount: 1, idleByteLimit: 0))
      made = new
      return new
    }
  }
}
