import MattePipeline
import Support

/// Writes digests as JSON lines: a header, XXH3-128 of all stages for each frame, and a footer.
package final class DigestSink: RenderSink {
  private let output: OutputFile
  private let networkDigest: () -> String?
  private var digests = FrameDigests()
  private var roll = DigestRoll()

  /// - Parameter maskDigest: called at the end; returns nil without network masks.
  package init(
    path: String, header: DigestHeader, patience: WritePatience = WritePatience(),
    maskDigest: @escaping () -> String? = { nil }
  ) throws(RetakeError) {
    networkDigest = maskDigest
    output = try OutputFile(path: path, patience: patience)
    try write(header.json)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    let line = DigestLine(frame: output.index, digests: digests.of(output))
    roll.add(line)
    try write(line.json)
  }

  package func finish() throws(RetakeError) {
    try write(DigestFooter(frames: roll.frames, all: roll.hex, masks: networkDigest()).json)
    try output.finish()
  }

  private func write(_ object: JSONObject) throws(RetakeError) { try output.write(object.text + "\n") }
}
