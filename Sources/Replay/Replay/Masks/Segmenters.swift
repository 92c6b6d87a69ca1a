import FrameModel
import MattePipeline
import Networks
import Parameters
import RecordingStore
import Segmentation
import Support

package enum Segmenters {
  /// - Throws: `.usage` if the parameters need a network and name none.
  package static func checkNamed(_ parameters: ParameterSet, _ recording: Recording?) throws(RetakeError) {
    guard PipelineNeeds(parameters).needsSegmentation, parameters[PipelineParameters.mask.model].isEmpty else { return }
    let kept = recording?.keptMasks().first.map {
      "; the recording has kept masks of \($0.stream.model), which mask.model=\($0.stream.model) uses"
    }
    throw RetakeError(
      .usage, "No segmentation network is given.",
      hint: "give an ONNX file with --set mask.model=FILE.onnx; Retake does not include one\(kept ?? "")")
  }

  /// - Parameters:
  ///   - recording: nil for a camera, whose masks are not kept.
  ///   - keeps: whether new masks are kept. Existing ones are used in any case.
  /// - Returns: nil when the parameters need no segmenter.
  /// - Throws: `.usage` without a model name or with invalid settings; `.notFound` without the
  ///   model and kept masks of it; `.corrupt` and `.unsupported` for a file that is not a
  ///   segmentation network.
  package static func make(
    _ parameters: ParameterSet, recording: Recording?, keeps: Bool = true, note: @escaping (String) -> Void
  ) throws(RetakeError) -> KeptSegmenter? {
    guard PipelineNeeds(parameters).needsSegmentation else { return nil }
    try checkNamed(parameters, recording)
    let path = parameters[PipelineParameters.mask.model]
    let quality = parameters[PipelineParameters.mask.quality]
    let file: ONNXFile
    do throws(RetakeError) {
      file = try ONNXFile(
        path: path, hint: "give a segmentation network exported to ONNX with mask.model=FILE.onnx")
    } catch {
      guard error.code == .notFound, let recording else { throw error }
      return try kept(path, quality, in: recording, note: note)
    }
    let settings = try NetworkSettings.besides(model: path)
    let input = try settings.input(of: file, quality)
    let text = settings.canonicalText(input)
    let network = file.bytes.withRawBytes { MaskIdentity.network($0, settings: text) }
    let color = recording.flatMap { recording in recording.firstStream(.color).map { recording.streams[$0] } }
    let identity = MaskIdentity(
      network: network, recordingID: recording?.identity.id ?? "", stream: color?.name ?? "")
    let reader = try recording.flatMap { recording throws(RetakeError) in
      try KeptMaskReader(recording, key: identity.key)
    }
    if let recording, reader == nil, KeptMaskReader.hasFiles(recording, key: identity.key) {
      note("The masks in \(recording.folder.masksPath(key: identity.key)) cannot be read and are computed again.")
    }
    return try KeptSegmenter(
      identity, model: file.name, reader: reader,
      writer: { size, answer throws(RetakeError) in
        guard keeps, let recording, let color else { return nil }
        let stream = KeptMaskStream(
          key: identity.key, width: size.width, height: size.height, model: file.name, network: network,
          answer: answer.rawValue, settings: text, quality: quality.rawValue)
        return try KeptMaskWriter(recording, stream, of: color)
      },
      note: note, network: { () throws(RetakeError) in try ONNXSegmenter(file, settings, input) })
  }

  /// Uses kept masks without the model's file: by the model's file name, or by key.
  private static func kept(
    _ path: String, _ quality: MaskQuality, in recording: Recording, note: @escaping (String) -> Void
  ) throws(RetakeError) -> KeptSegmenter {
    let name = ONNXFile.name(ofPath: path)
    let all = recording.keptMasks()
    let named = all.filter { $0.stream.key == path }
    let ofModel = all.filter { $0.stream.model == name }
    // A key selects the masks regardless of their quality.
    let fitting = named.isEmpty ? ofModel.filter { ["", quality.rawValue].contains($0.stream.quality) } : named
    if fitting.isEmpty, let other = ofModel.first {
      throw RetakeError(
        .notFound,
        "There is no model \(path), and its masks kept with \(recording.folder.path) have "
          + "mask.quality=\(other.stream.quality), not \(quality.rawValue).",
        hint: "use them with mask.quality=\(other.stream.quality), or by their key with mask.model=\(other.stream.key)"
      )
    }
    guard let found = fitting.first else {
      throw RetakeError(
        .notFound, "There is no model \(path), and no masks of it are kept with \(recording.folder.path).",
        hint: all.isEmpty
          ? "give an ONNX file with mask.model=FILE.onnx"
          : "masks are kept for \(all.map(\.stream.model).joined(separator: ", "))")
    }
    guard fitting.count == 1 else {
      throw RetakeError(
        .usage,
        "There is no model \(path), and \(recording.folder.path) has kept masks of \(fitting.count) models of "
          + "that name.",
        hint: "choose one by its key with mask.model=KEY: \(fitting.map(\.stream.key).joined(separator: ", "))")
    }
    let missing = RetakeError(.notFound, "There is no model \(path).")
    guard let reader = try KeptMaskReader(recording, key: found.stream.key) else { throw missing }
    let color = recording.firstStream(.color).map { recording.streams[$0].name } ?? ""
    let identity = MaskIdentity(
      network: reader.stream.network, recordingID: recording.identity.id, stream: color)
    guard identity.key == found.stream.key else {
      throw RetakeError(
        .corrupt,
        "The masks in \(recording.folder.masksPath(key: found.stream.key)) do not belong to this recording's "
          + "stream \(color).",
        hint: "give the model's file to compute them again")
    }
    return try KeptSegmenter(
      identity, model: found.stream.model, reader: reader, writer: { _, _ in nil }, note: note,
      network: { () throws(RetakeError) in throw missing })
  }
}
