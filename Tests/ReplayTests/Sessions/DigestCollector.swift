import Kernels
import MattePipeline
import Replay

/// Remembers the digest of everything that each output holds.
final class DigestCollector: RenderSink {
  private(set) var lines: [String] = []
  private(set) var numbers: [Int] = []

  func take(_ output: PipelineOutput) {
    let planes = [
      output.sourceColor.bytes, output.sourceDepth?.bytes, output.original.bytes, output.depth?.bytes,
      output.mask?.bytes, output.matte?.bytes, output.composite.bytes,
    ]
    numbers.append(output.index)
    lines.append("\(output.index) " + planes.map { $0.map(Checksum.xxh3Hex128) ?? "none" }.joined(separator: " "))
  }

  func finish() {}
}
