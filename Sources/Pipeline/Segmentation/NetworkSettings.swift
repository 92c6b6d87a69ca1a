import FrameModel
import MattePipeline
import Networks
import Support

/// How pictures become a network's input, and its output a mask.
package struct NetworkSettings: Hashable {
  package enum Layout: String, CaseIterable {
    case nchw, nhwc
  }

  package enum Colors: String, CaseIterable {
    case rgb, bgr
  }

  package enum Kind: String, CaseIterable {
    /// A score for each label and pixel; the label with the largest is the pixel's.
    case scores
    /// A label for each pixel.
    case labels
    /// How much of each pixel is the person.
    case matte
  }

  /// The function that is still to be applied to a matte.
  package enum Activation: String, CaseIterable {
    case none, sigmoid, softmax
  }

  /// Empty for the network's first input.
  package var inputName = ""
  /// Input sizes by quality; without one, `balanced` has the model's own.
  package var sizes: [MaskQuality: PictureSize] = [:]
  package var layout: Layout?
  package var colors = Colors.rgb
  /// The input is (sample − mean) · scale, in the order of `colors`, for samples of 0 to 255.
  package var mean = [0.0, 0, 0]
  package var scale = [1 / 255.0, 1 / 255.0, 1 / 255.0]
  package var outputName = ""
  /// Nil to decide by the output's shape and type.
  package var kind: Kind?
  /// The person's channel; nil for the last.
  package var channel: Int?
  package var activation = Activation.none

  package init() {}

  static let sides = 8...4096

  /// What the network gets at one quality.
  package struct Input: Hashable {
    package var size: PictureSize
    package var layout: Layout

    package init(size: PictureSize, layout: Layout) {
      (self.size, self.layout) = (size, layout)
    }
  }

  /// - Throws: `.usage` if neither file gives the size; `.unsupported` for an input that is not one
  ///   picture of three colours, or not 8 to 4096 pixels.
  package func input(of model: ONNXFile, _ quality: MaskQuality) throws(RetakeError) -> Input {
    let tensor = try tensor(named: inputName, in: model.inputs, of: model, "input")
    let sides = tensor.sides
    let isRankFour = sides.count == 4
    let isLast = isRankFour && sides[3] == 3 && sides[1] != 3
    let layout = layout ?? (isLast ? .nhwc : .nchw)
    guard sides.isEmpty || isRankFour, !isRankFour || (sides[layout == .nchw ? 1 : 3] ?? 3) == 3 else {
      throw RetakeError(
        .unsupported,
        "The input '\(tensor.name)' of \(model.path) takes \(tensor.shapeText) numbers, not one picture of "
          + "three colours.",
        hint: "segmentation networks take 1x3xHEIGHTxWIDTH, or 1xHEIGHTxWIDTHx3 with input.layout: nhwc")
    }
    let (rows, columns) = layout == .nchw ? (2, 3) : (1, 2)
    var own: PictureSize?
    if isRankFour, let width = sides[columns], let height = sides[rows] { own = PictureSize(width, height) }
    guard let size = sizes[quality] ?? (quality == .balanced ? own : nil) else {
      throw missing(quality, of: model)
    }
    guard Self.sides.contains(size.width), Self.sides.contains(size.height) else {
      throw RetakeError(
        .unsupported, "\(model.path) takes pictures of \(size) pixels, which is out of range.",
        hint: "sides of \(Self.sides.lowerBound) to \(Self.sides.upperBound) pixels are supported")
    }
    return Input(size: size, layout: layout)
  }

  private func missing(_ quality: MaskQuality, of model: ONNXFile) -> RetakeError {
    if quality == .balanced {
      return RetakeError(
        .usage, "\(model.path) does not give the size of its input.",
        hint: "write input: {size: 513x513} to \(NetworkSettings.path(besides: model.path))")
    }
    return RetakeError(
      .usage, "mask.quality=\(quality.rawValue) needs its own input size for \(model.path).",
      hint:
        "write input: {\(quality.rawValue): 257x257} to \(NetworkSettings.path(besides: model.path)), or use "
        + "mask.quality=balanced"
    )
  }

  func output(of model: ONNXFile) throws(RetakeError) -> ONNXFile.Tensor {
    try tensor(named: outputName, in: model.outputs, of: model, "output")
  }

  private func tensor(
    named name: String, in tensors: [ONNXFile.Tensor], of model: ONNXFile, _ word: String
  ) throws(RetakeError) -> ONNXFile.Tensor {
    if name.isEmpty { return tensors[0] }
    guard let tensor = tensors.first(where: { $0.name == name }) else {
      throw RetakeError(
        .usage, "\(model.path) has no \(word) '\(name)'.",
        hint: "\(word)s: \(tensors.map(\.name).joined(separator: ", "))")
    }
    return tensor
  }

  /// All that affects the 8-bit answer; part of the key of stored masks.
  package func canonicalText(_ input: Input) -> String {
    func list(_ numbers: [Double]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }
    return "input=\(inputName) size=\(input.size) layout=\(input.layout) colors=\(colors) mean=\(list(mean)) "
      + "scale=\(list(scale)) output=\(outputName) kind=\(kind?.rawValue ?? "auto") "
      + "channel=\(channel.map { "\($0)" } ?? "last") activation=\(activation)"
  }
}
