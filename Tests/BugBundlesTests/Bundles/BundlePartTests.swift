import BugBundles
import Testing

/// The closed list of names that a bundle's parts have.
@Suite struct BundlePartTests {
  private let parts: [BundlePart] = [
    .description, .note, .parameters, .expectation, .chunkFile(0), .chunkFile(9_999), .background,
    .backgroundChunkFile(7), .mask(key: "0123456789abcdef0123456789abcdef", 3),
  ]

  @Test func `every part is found by its name`() {
    for part in parts { #expect(BundlePart(name: part.name) == part, "\(part.name)") }
    #expect(Set(parts.map(\.name)).count == parts.count)
  }

  @Test(arguments: [
    "", "/", ".", "..", "../bundle.json", "/etc/passwd", "./bundle.json", "bundle.json/", "bundle.json\0",
    "BUNDLE.JSON",
    "note.txt.mcap", "chunks", "chunks/", "chunks/0.mcap", "chunks/00000.mcap", "chunks/0000000.mcap",
    "chunks/-00001.mcap",
    "chunks/+00001.mcap", "chunks/010000.mcap", "chunks/000000.mcap/", "chunks//000000.mcap", "/chunks/000000.mcap",
    "chunks/../000000.mcap", "../chunks/000000.mcap", "chunks/000000.mcap.partial", "chunks\\000000.mcap",
    "masks/000000.mcap", "masks/../000000.mcap", "masks/0123456789abcdef0123456789abcde/000000.mcap",
    "masks/0123456789ABCDEF0123456789ABCDEF/000000.mcap", "masks/0123456789abcdef0123456789abcdef/../000000.mcap",
    "masks/..3456789abcdef0123456789abcdef0/000000.mcap", "background", "background/", "background/other",
    "background/../file", "background/chunks/0.mcap", "index.sqlite", "recording.retake/index.sqlite", "model.onnx",
    "masks/model.onnx", "chunks/٠٠٠٠٠٠.mcap",
  ])
  func `a name that no part has is none, wherever it leads`(name: String) {
    #expect(BundlePart(name: name) == nil)
  }
}
