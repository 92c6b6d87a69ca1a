import Parameters
import Support

/// Settings of published networks, known by the names that their publishers give the files, so that such a file needs no
/// settings file beside it. Guides/Segmentation.md says where each is published, and under which licence.
enum KnownNetworks {
  /// Beginnings of file names, in lower case, and settings. Of several that fit, the first counts.
  private static let all: [(beginning: String, yaml: String)] = [
    ("modnet", "input: {size: 512x512, fast: 256x256, accurate: 768x768, mean: 127.5, scale: 1/127.5}"),
    (
      "human_segmentation_pphumanseg",
      """
      input: {size: 192x192, mean: 127.5, scale: 1/127.5}
      output: {kind: matte, channel: 1, activation: softmax}
      """
    ),
    (
      "u2net",
      """
      input: {size: 320x320, mean: [123.675, 116.28, 103.53], scale: [1/58.395, 1/57.12, 1/57.375]}
      output: {kind: matte}
      """
    ),
    ("selfie_segmentation", "output: {kind: matte}"),
    (
      "deeplabv3_", "input: {size: 513x513, mean: [123.675, 116.28, 103.53], scale: [1/58.395, 1/57.12, 1/57.375]}"
    ),
    (
      "fcn-resnet", "input: {size: 520x520, mean: [123.675, 116.28, 103.53], scale: [1/58.395, 1/57.12, 1/57.375]}"
    ),
  ]

  /// - Parameter model: the ONNX file's path.
  /// - Returns: nil for a file of another name.
  static func settings(of model: String) throws(RetakeError) -> NetworkSettings? {
    let name = (model.split(separator: "/").last ?? "").lowercased()
    guard let known = all.first(where: { name.hasPrefix($0.beginning) }) else { return nil }
    return try NetworkSettings(YAMLDocument(known.yaml, name: known.beginning, hint: SettingsReader.hint))
  }
}
