import ChunkFormat
import FrameModel
import Glibc
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// A bundle's parts as files in a folder, for commands such as `retake replay`.
package struct UnpackedBundle: Sendable {
  package let description: BundleDescription
  /// The bundle's path, which errors name in place of a part's temporary file.
  package let name: String
  private let folder: String
  private let stages: [OutsideStage]

  package var recordingPath: String { folder + "/" + Self.recordingName }
  package var expectationPath: String { folder + "/" + BundlePart.expectation.name }
  package var parametersPath: String { folder + "/" + BundlePart.parameters.name }
  /// Digests of a replay with different output; see `Reproduction.run`.
  package var foundPath: String { folder + "/found.jsonl" }

  /// - Parameters:
  ///   - folder: empty or not there yet.
  ///   - isShared: as for `BundleMaker`.
  ///   - stages: those of another program that are at hand.
  ///   - progress: called after each part; false stops it.
  /// - Throws: `.corrupt` or `.unsupported` for an invalid bundle, `.diskFull` for lack of space.
  ///   Unpacked files, and a new folder, are removed then.
  package init(
    path: String, into folder: String, isShared: Bool = false, stages: [OutsideStage] = [],
    progress: () -> Bool = { true }
  ) throws(RetakeError) {
    name = path
    self.folder = folder
    self.stages = stages
    let source = try BundleReader.open(path)
    var status = stat()
    let isNew = lstat(folder, &status) != 0
    let files = UnpackingFolder(path: folder, isNew: isNew, isShared: isShared)
    try Folder.makeEmpty(folder, permissions: isShared ? 0o777 : 0o700)
    do throws(RetakeError) {
      description = try Self.unpack(source, path, into: files, stages, progress)
    } catch {
      files.clear()
      throw error
    }
  }

  private static func unpack(
    _ source: FileSource, _ path: String, into files: UnpackingFolder, _ stages: [OutsideStage],
    _ progress: () -> Bool
  ) throws(RetakeError) -> BundleDescription {
    try files.checkRoom(for: source.byteCount ?? 0, path)
    let description = try BundleReader.read(source, name: path) { part, bytes throws(RetakeError) in
      // The parameters are written below, from the validated description.
      if part != .parameters { try files.write(bytes, to: place(of: part)) }
      guard progress() else { throw RetakeError(.inputOutput, "Stopped before \(path) was unpacked.") }
    }
    let numbers = RecordingPart(description.replay).json.text + "\n"
    try files.write(numbers, to: "\(recordingName)/\(RecordingPart.fileName)")
    if !description.tags.isEmpty {
      try files.write(TagFile.text(description.tags), to: "\(recordingName)/\(TagFile.name)")
    }
    let text = try request(of: description, stages, name: path).parameters.yamlText(preset: description.replay.preset)
    try files.write(text, to: BundlePart.parameters.name)
    return description
  }

  /// The bundle's replay. It uses the bundle's background, plate and masks and no other files.
  package func request() throws(RetakeError) -> ReplayRequest {
    var request = try Self.request(of: description, stages, name: name)
    guard description.replay.plate != nil else { return request }
    let plate = folder + "/" + BundlePart.plate.name
    try request.parameters.set(PipelineParameters.mask.plate.declaration.name, to: plate)
    return request
  }

  private static func request(
    of description: BundleDescription, _ stages: [OutsideStage], name: String
  ) throws(RetakeError) -> ReplayRequest {
    let header = description.replay
    let paths = ReplayRequest.namesOfFiles
    let named = header.parameters.filter { paths.contains($0.name) && !$0.value.isEmpty }.map(\.name)
    if let parameter = named.first ?? header.changes.first(where: { paths.contains($0.name) })?.name {
      throw RetakeError(.corrupt, "\(name) refers to a local file, in \(parameter).", hint: BundleFormat.hint)
    }
    return try BundleFormat.naming(name) { () throws(RetakeError) -> ReplayRequest in
      var request = try ReplayRequest(header, stages: stages)
      try nameFiles(description, in: &request.parameters)
      return request
    }
  }

  /// Sets the parameters that name files, relative to `parametersPath`; masks by their key.
  static func nameFiles(_ description: BundleDescription, in parameters: inout ParameterSet) throws(RetakeError) {
    let (mask, background) = (PipelineParameters.mask, PipelineParameters.composite.background)
    let plate = description.replay.plate == nil ? "" : BundlePart.plate.name
    try parameters.set(background.declaration.name, to: backgroundName(description))
    try parameters.set(mask.model.declaration.name, to: description.maskKey ?? "")
    try parameters.set(mask.plate.declaration.name, to: plate)
  }

  package func expectation() throws(RetakeError) -> DigestFileReader {
    try DigestFileReader(path: expectationPath, name: "\(name): \(BundlePart.expectation.name)")
  }

  /// Runs code that reads the parts. Its errors name the bundle.
  func naming<Result>(_ body: () throws(RetakeError) -> Result) throws(RetakeError) -> Result {
    try BundleFormat.naming(name, folder: folder, body)
  }

  /// Relative to `parametersPath`; empty without a background.
  static func backgroundName(_ description: BundleDescription) -> String {
    switch description.background {
    case .none: ""
    case .file: BundlePart.background.name
    case .recording: backgroundRecording
    }
  }

  func background() throws(RetakeError) -> BackgroundFile? {
    guard description.background != .none else { return nil }
    let path = folder + "/" + Self.backgroundName(description)
    // Opening it makes its index.
    if description.background == .recording { _ = try Self.openedRecording(path) }
    return try BackgroundFile(path: path)
  }

  /// The recording, with an index made from its chunk files.
  package func recording() throws(RetakeError) -> Recording {
    let recording = try Self.openedRecording(recordingPath)
    guard recording.identity.id == description.replay.recording else {
      throw RetakeError(
        .corrupt,
        "The bundle contains recording \(recording.identity.id), but describes \(description.replay.recording).",
        hint: BundleFormat.hint)
    }
    return recording
  }

  private static func openedRecording(_ path: String) throws(RetakeError) -> Recording {
    var damage: [String] = []
    let recording = try Recording.opening(path) { damage += $0.damage }
    guard damage.isEmpty else {
      throw RetakeError(.corrupt, "The recording is damaged: \(damage[0])", hint: BundleFormat.hint)
    }
    return recording
  }

  private static let recordingName = "recording.retake"
  private static let backgroundRecording = "background.retake"

  /// Path of a part in the folder.
  private static func place(of part: BundlePart) -> String {
    switch part {
    case .chunkFile, .mask: "\(recordingName)/" + part.name
    case .backgroundChunkFile(let number): "\(backgroundRecording)/" + BundlePart.chunkFile(number).name
    case .description, .note, .parameters, .expectation, .background, .plate: part.name
    }
  }
}

extension RecordingPart {
  fileprivate init(_ header: DigestHeader) {
    let played = header.order.frames
    self.init(
      firstNumber: header.firstNumber,
      played: header.firstNumber + played.lowerBound..<header.firstNumber + played.upperBound)
  }
}
