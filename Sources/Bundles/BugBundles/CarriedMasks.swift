import FrameModel
import Glibc
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// Copies a network's kept masks along with a part of a recording, under the key and frame numbers
/// that they have in the part. So a bundle can be made without the network.
struct CarriedMasks {
  private let part: BundlePartOfRecording
  private let recording: Recording
  /// Nil if the request needs no network.
  private let model: String?

  init(_ part: BundlePartOfRecording, of recording: Recording, _ request: ReplayRequest) {
    self.part = part
    self.recording = recording
    let parameters = request.changes.segmenting(request.parameters, .all)
    model = parameters.map { $0[PipelineParameters.mask.model] }
  }

  /// For a redacted copy, whose pictures need masks of their own.
  /// - Returns: always nil: the request's own model stays valid.
  /// - Throws: `.unsupported` if the network's file is missing.
  func checkCanBeMadeAnew() throws(RetakeError) -> String? {
    guard let model, !model.isEmpty, access(model, R_OK) != 0 else { return nil }
    throw RetakeError(
      .unsupported,
      "The network must compute masks for the redacted pictures, but its file \(model) does not exist.",
      hint: "give its file with --set mask.model=FILE.onnx, or make the bundle without changing pictures")
  }

  /// - Returns: the masks' key in the copy if the request names them by key; otherwise nil.
  /// - Throws: file system errors.
  func carry(into copy: Recording) throws(RetakeError) -> String? {
    guard let model, !model.isEmpty, let color = copy.firstStream(.color) else { return nil }
    var renamed: String?
    let name = model.split(separator: "/").last.map(String.init) ?? model
    for summary in recording.keptMasks() where summary.stream.key == model || summary.stream.model == name {
      let old = summary.stream
      guard let reader = try KeptMaskReader(recording, key: old.key) else { continue }
      let description = copy.streams[color]
      let identity = MaskIdentity(network: old.network, recordingID: copy.identity.id, stream: description.name)
      let stream = KeptMaskStream(
        key: identity.key, width: old.width, height: old.height, model: old.model, network: old.network,
        answer: old.answer, settings: old.settings, quality: old.quality)
      // Files are split by their number of masks only, so that equal masks give equal files.
      let writer = try KeptMaskWriter(copy, stream, of: description, longestFileDuration: .max)
      try carry(reader, writer, copy)
      try writer.finish()
      if old.key == model { renamed = identity.key }
    }
    return renamed
  }

  private func carry(_ reader: KeptMaskReader, _ writer: KeptMaskWriter, _ copy: Recording) throws(RetakeError) {
    var mask = [UInt8](repeating: 0, count: reader.stream.width * reader.stream.height)
    for set in 0..<part.frameSets.count {
      let old = part.frameSets.lowerBound + set
      guard let before = try recording.frameSets(old..<old + 1).first?.master,
        let after = try copy.frameSets(set..<set + 1).first?.master
      else { continue }
      let isKept = try mask.withUnsafeMutableBufferPointer { mask throws(RetakeError) in
        try reader.read(before.number, into: mask.baseAddress!)
      }
      guard isKept else { continue }
      // A mask is stored under its frame's number and times. The pixels are not needed.
      let frame = Frame(
        stream: after.stream, number: after.number, layout: copy.streams[after.stream].layout,
        buffer: FrameBuffer(byteCount: FrameBuffer.alignment), byteCount: 0, deviceSequence: nil,
        timestamps: after.timestamps, flags: [])
      try mask.withRawBytes { mask throws(RetakeError) in try writer.append(frame, mask) }
    }
  }
}
