import ChunkFormat
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// The contents of a bundle, from files on disk, written in the bundle's order.
struct BundleFiles {
  /// The bundled part as a recording of its own.
  let recording: Recording
  let background: BundledBackground
  let header: DigestHeader
  let expectationPath: String
  let parameters: ParameterSet
  let tags: RecordingTags

  func write(
    to output: some ByteSink, source: String, note: String, removed: [String], _ environment: BundleEnvironment
  ) throws(RetakeError) -> Int {
    let expectation = try FileBytes.read(expectationPath, limit: BundlePart.largestByteCount)
    let description = BundleDescription(
      replay: header, source: source, background: background.kind,
      expectationDigest: expectation.withRawBytes { Checksum.xxh3Hex128($0) }, removed: removed, note: note,
      environment: environment, tags: tags)
    let writer = try BundleWriter(to: output)
    try writer.add(.description, Array(description.json.text.utf8))
    try writer.add(.note, Array(note.utf8))
    try writer.add(.parameters, Array(yaml(description).utf8))
    try writer.add(.expectation, expectation)
    try addChunkFiles(of: recording, to: writer) { .chunkFile($0) }
    if let key = description.maskKey { try addMasks(key, to: writer) }
    switch background.kind {
    case .none: break
    case .file: try writer.add(.background, try background.file())
    case .recording:
      try addChunkFiles(of: try Recording(path: background.path), to: writer) { .backgroundChunkFile($0) }
    }
    if header.plate != nil {
      let path = parameters[PipelineParameters.mask.plate]
      try writer.add(.plate, try FileBytes.read(path, limit: BundlePart.largestByteCount))
    }
    return try writer.finish()
  }

  /// Parameters that name files only name files of the unpacked bundle.
  private func yaml(_ description: BundleDescription) throws(RetakeError) -> String {
    var values = parameters
    try UnpackedBundle.nameFiles(description, in: &values)
    return values.yamlText(preset: description.replay.preset)
  }

  private func addChunkFiles(
    of recording: Recording, to writer: BundleWriter<some ByteSink>, _ part: (Int) -> BundlePart
  ) throws(RetakeError) {
    let numbers = try recording.chunkFiles().map(\.number)
    guard numbers == Array(0..<numbers.count), numbers.count <= BundlePart.fileNumberLimit else {
      throw RetakeError(
        .unsupported,
        "\(recording.folder.path) has \(numbers.count) chunk files, too many for a bundle, or some are missing.",
        hint: "'retake trim' copies a part of it into a complete recording")
    }
    for number in numbers {
      let path = recording.folder.chunkFilePath(number)
      try writer.add(part(number), try FileBytes.read(path, limit: BundlePart.largestByteCount))
    }
  }

  private func addMasks(_ key: String, to writer: BundleWriter<some ByteSink>) throws(RetakeError) {
    let folder = recording.folder.masksPath(key: key)
    for (number, name) in try Folder.names(in: folder).filter({ $0.hasSuffix(".mcap") }).enumerated() {
      let part = BundlePart.mask(key: key, number)
      guard part.name.hasSuffix("/" + name) else {
        throw RetakeError(
          .corrupt, "\(folder): a file of masks before \(name) is missing.", hint: "make the bundle again")
      }
      try writer.add(part, try FileBytes.read(folder + "/" + name, limit: BundlePart.largestByteCount))
    }
  }
}
