import BugBundles
import ChunkFormat
import FrameModel
import Kernels
import Support
import TestSupport

@testable import Replay

/// Reads arbitrary bytes as a bug bundle: an error, or unique parts, all with known names.
struct BundleTarget: FuzzTarget {
  func run(_ input: UnsafeRawBufferPointer) {
    let bytes = Array(input)
    var parts: Set<BundlePart> = []
    var byteCount = 0
    do throws(RetakeError) {
      let description = try BundleReader.read(MemorySource(bytes), name: "input") { part, data in
        require(BundlePart(name: part.name) == part, "a part has a name of the list")
        require(
          !part.name.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == ".." || $0.isEmpty },
          "no name leads out of its folder")
        require(parts.insert(part).inserted, "a part comes once")
        byteCount += data.count
      }
      require(byteCount <= bytes.count, "the parts of a bundle lie in its file")
      require(parts.contains(.expectation) && parts.contains(.chunkFile(0)), "a bundle has all that it needs")
      require((description.replay.frameCount ?? 0) > 0, "a bundle is of some frames")
    } catch {
      require(error.code == .corrupt || error.code == .unsupported, "a damaged bundle is called so, not \(error)")
      require(!error.message.isEmpty, "an error has a sentence")
    }
  }

  /// Small real bundles, with and without background, masks and changes.
  func seeds() throws -> [[UInt8]] {
    let key = String(repeating: "5a", count: 16)
    return try [
      Self.bundle(masks: "none", background: .none), Self.bundle(masks: key, background: .file),
      Self.bundle(masks: "none", background: .recording),
    ]
  }

  private static func bundle(
    masks: String, background: BundleDescription.Background
  ) throws(RetakeError) -> [UInt8] {
    let header = DigestHeader(
      version: "0.1.0", recording: "r", preset: "p", parameterDigest: String(repeating: "1", count: 32),
      depthRate: "1/2", depthPhase: 1, parameters: [("matte.blur", "5")],
      changes: [.init(frame: 1, name: "matte.blur", value: "6")], frameCount: 2, firstNumber: 3,
      order: PlayOrder(frames: 0..<2), background: "none", network: masks, masks: masks)
    let expectation = Array((header.json.text + "\n").utf8)
    let description = BundleDescription(
      version: "0.1.0", replay: header, source: "s", background: background,
      expectationDigest: expectation.withRawBytes { Checksum.xxh3Hex128($0) }, note: "n",
      environment: BundleEnvironment(system: "a", kernel: "b", processor: "c", compiler: "d"))
    let sink = BundleSeedSink()
    let writer = try BundleWriter(to: sink)
    try writer.add(.description, Array(description.json.text.utf8))
    try writer.add(.note, Array("n".utf8))
    try writer.add(.parameters, Array("matte.blur: 5\n".utf8))
    try writer.add(.expectation, expectation)
    try writer.add(.chunkFile(0), [1, 2, 3])
    if let key = description.maskKey { try writer.add(.mask(key: key, 0), [4]) }
    switch background {
    case .none: break
    case .file: try writer.add(.background, [5])
    case .recording: try writer.add(.backgroundChunkFile(0), [6])
    }
    _ = try writer.finish()
    return sink.bytes
  }
}

private final class BundleSeedSink: ByteSink {
  var bytes: [UInt8] = []
  func write(_ part: UnsafeRawBufferPointer) throws(RetakeError) { bytes += part }
  func truncate(to byteCount: Int) throws(RetakeError) { bytes.removeLast(bytes.count - byteCount) }
}
