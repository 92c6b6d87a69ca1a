import FrameModel
import Parameters
import Segmentation
import Support
import Testing

@Suite struct NetworkSettingsTests {
  private func settings(_ yaml: String) throws -> NetworkSettings {
    try NetworkSettings(YAMLDocument(yaml, name: "a.yaml", hint: SettingsReader.hint))
  }

  @Test func `a file of somebody else's costs nothing: aliases of aliases as keys are refused`() throws {
    var yaml = "{ ? &a0 [x, x] : 0"
    for i in 1...40 { yaml += ", ? &a\(i) [*a\(i - 1), *a\(i - 1)] : \(i)" }
    let error = #expect(throws: RetakeError.self) { try settings(yaml + " }") }
    #expect(error?.code == .usage && error?.message.contains("aliases") == true)
  }

  @Test func `every key of the file is read`() throws {
    let settings = try settings(
      """
      # MODNet
      input:
        name: image
        size: 512x384
        fast: 256
        accurate: [1024, 768]
        layout: nhwc
        colors: bgr
        mean: [123.675, 116.28, 103.53]
        scale: [1/58.395, 1/57.12, 0.0174]
      output:
        name: matte
        kind: matte
        channel: 1
        activation: softmax
      """)
    var expected = NetworkSettings()
    expected.inputName = "image"
    expected.sizes = [
      .balanced: .init(512, 384), .fast: .init(256, 256),
      .accurate: .init(1024, 768),
    ]
    expected.layout = .nhwc
    expected.colors = .bgr
    expected.mean = [123.675, 116.28, 103.53]
    expected.scale = [1 / 58.395, 1 / 57.12, 0.0174]
    expected.outputName = "matte"
    expected.kind = .matte
    expected.channel = 1
    expected.activation = .softmax
    #expect(settings == expected)
  }

  @Test(arguments: ["", "# nothing\n", "input:\noutput:\n", "{}"])
  func `what the file does not say is as in most networks`(yaml: String) throws {
    #expect(try settings(yaml) == NetworkSettings())
    #expect(NetworkSettings().scale.allSatisfy { $0 == 1.0 / 255 })
  }

  @Test(arguments: [
    ("imput:\n  size: 9", "a.yaml:2: there is no section 'imput'", "input"),
    ("input:\n  sise: 9", "a.yaml:2", "input.size"),
    ("input:\n\n  size: 7", "a.yaml:3: input.size", "513x513"), ("input:\n  size: 1x2x3", "input.size", "513x513"),
    ("input:\n  size: 9x", "input.size", "513x513"), ("input:\n  size: {a: 1}", "input.size", ""),
    ("input:\n  layout: ncwh", "a.yaml:2: input.layout", "nchw"),
    ("input:\n  colors: red", "input.colors", "write one of these"),
    ("input:\n  mean: [1, 2]", "input.mean", "123.675"), ("input:\n  scale: 1/0", "input.scale", "1/255"),
    ("input:\n  scale: nan", "input.scale", "1/255"), ("input:\n  scale: 1e9", "input.scale", "1/255"),
    ("output:\n  kind: mask", "a.yaml:2: output.kind", "write one of these"),
    ("output:\n  channel: -1", "output.channel", ""),
    ("output:\n  channel: 256", "output.channel", ""),
    ("output: [1]", "a.yaml:1: output needs keys with values", "kind"),
    ("just words", "a.yaml:1: expected a mapping of names to values", "input"), ("input: {size: 9", "invalid YAML", ""),
    ("input:\n\tsize: 9", "a.yaml:2: invalid YAML", ""),
    ("output: {kind: scores, activation: sigmoid}", "output.activation", "label"),
    ("input:\n  size: 9\n  size: 10", "'size' is given twice", ""),
  ])
  func `what is not understood is named with its line`(yaml: String, message: String, hint: String) {
    let error = #expect(throws: RetakeError.self) { try settings(yaml) }
    #expect(error?.code == .usage)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(hint.isEmpty || error?.hint.contains(hint) == true, "\(error?.hint ?? "")")
  }

  @Test func `masks are kept under everything that decides about them`() throws {
    let base = try settings("input: {size: 16}")
    let input = NetworkSettings.Input(size: .init(16, 16), layout: .nchw)
    var texts: Set = [base.canonicalText(input)]
    for yaml in [
      "input: {name: x}", "input: {colors: bgr}", "input: {mean: 1}", "input: {scale: 1}", "output: {name: x}",
      "output: {kind: matte}", "output: {channel: 0}", "output: {activation: sigmoid}",
    ] {
      texts.insert(try settings(yaml).canonicalText(input))
    }
    texts.insert(base.canonicalText(.init(size: .init(16, 17), layout: .nchw)))
    texts.insert(base.canonicalText(.init(size: .init(16, 16), layout: .nhwc)))
    #expect(texts.count == 11)
  }
}
