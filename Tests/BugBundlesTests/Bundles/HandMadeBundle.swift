import BugBundles
import ChunkFormat
import FrameModel
import Kernels
import MattePipeline
import Replay
import Support
import TestSupport

/// Bundles of any parts, right and wrong ones. Their chunk files hold nothing: who opens a bundle does not look into them.
struct HandMadeBundle {
  var profile = "retake-bundle"
  var metadata = [MCAPMetadata(name: "retake.bundle", entries: [.init("format_version", "1")])]
  var parts: [(name: String, bytes: [UInt8])]
  /// A message between the parts.
  var hasMessage = false

  static let maskKey = String(repeating: "5a", count: 16)
  static let note = "the left hand flickers"

  static var header: DigestHeader {
    var order = PlayOrder(frames: 0..<2)
    order.passCount = 1
    return DigestHeader(
      version: RetakeVersion.current, pipelineRevision: PipelineRevision.current,
      recording: String(repeating: "0", count: 32), preset: "video-depth-maps",
      parameterDigest: String(repeating: "1", count: 32), depthRate: "1/1", depthPhase: 0,
      parameters: [("matte.blur", "5")], changes: [], frameCount: 2, firstNumber: 30, order: order, background: "none",
      network: "none", masks: "none")
  }

  /// A right one.
  init(header: DigestHeader = HandMadeBundle.header, background: BundleDescription.Background = .none) {
    let expectation = Array((header.json.text + "\n").utf8)
    let description = BundleDescription(
      replay: header, source: String(repeating: "2", count: 32), background: background,
      expectationDigest: expectation.withRawBytes { Checksum.xxh3Hex128($0) }, removed: ["colour"], note: Self.note,
      environment: BundleEnvironment(system: "a", kernel: "b", processor: "c", compiler: "d"))
    parts = [
      ("bundle.json", Array(description.json.text.utf8)), ("note.txt", Array(Self.note.utf8)),
      ("parameters.yaml", Array("matte:\n  blur: 5\n".utf8)), ("expected.jsonl", expectation),
      ("chunks/000000.mcap", [UInt8](repeating: 7, count: 1000)), ("chunks/000001.mcap", [8]),
    ]
  }

  subscript(name: String) -> [UInt8] {
    get { parts.first { $0.name == name }?.bytes ?? [] }
    set {
      if let place = parts.firstIndex(where: { $0.name == name }) {
        parts[place].bytes = newValue
      } else {
        parts.append((name, newValue))
      }
    }
  }

  /// With some text of a part replaced by another.
  func replacing(_ text: String, by other: String, in name: String) -> HandMadeBundle {
    var bundle = self
    let whole = String(decoding: self[name], as: UTF8.self)
    precondition(whole.contains(text), "\(name) has no \(text)")
    bundle[name] = Array(whole.replacing(text, with: other).utf8)
    return bundle
  }

  func without(_ name: String) -> HandMadeBundle {
    var bundle = self
    bundle.parts.removeAll { $0.name == name }
    return bundle
  }

  func bytes() throws(RetakeError) -> [UInt8] {
    let sink = MemorySink()
    var options = MCAPWriterOptions()
    options.chunkByteCountTarget = nil
    var writer = try MCAPWriter(to: sink, header: MCAPHeader(profile: profile, library: "test"), options: options)
    for entry in metadata { try writer.add(entry) }
    for (name, bytes) in parts {
      try bytes.withRawBytes { data throws(RetakeError) in
        try writer.add(MCAPAttachment(logTime: 0, createTime: 0, name: name, mediaType: "", data: data))
      }
    }
    if hasMessage {
      try writer.add(MCAPChannel(id: 1, schema: 0, topic: "t", messageEncoding: "", metadata: []))
    }
    try writer.finish()
    return sink.bytes
  }
}
