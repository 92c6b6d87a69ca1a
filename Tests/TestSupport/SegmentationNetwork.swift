import Foundation

/// Networks that look at one pixel at a time, so that what they answer can be worked out. Their numbers are such that every
/// sum is exact in Float32: a sample of 0 to 255 goes in as it is (`yaml`).
package enum SegmentationNetwork {
  /// What their input needs.
  package static let yaml = "input:\n  scale: 1\n"

  /// Writes a network and its settings into a folder.
  /// - Returns: the path of the model.
  package static func write(
    _ model: ONNXModel, to folder: TemporaryFolder, _ name: String = "person.onnx", yaml: String = yaml
  )
    throws -> String
  {
    let path = folder.path(name)
    try model.data.write(to: URL(fileURLWithPath: path))
    let settings = String(path.dropLast(".onnx".count)) + ".yaml"
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: settings))
    return path
  }

  /// A model whose input is convolved to so many channels.
  private static func convolution(
    _ size: (width: Int, height: Int), _ channels: Int, weights: [Float], bias: [Float], to name: String,
    opset: Int = 11
  ) -> ONNXModel {
    var model = ONNXModel(opset: opset)
    model.input("image", [1, 3, size.height, size.width])
    model.weights("w", [channels, 3, 1, 1], weights)
    model.weights("b", [channels], bias)
    model.node("Conv", ["image", "w", "b"], name, lists: ["kernel_shape": [1, 1]])
    return model
  }

  /// DeepLabV3's form: 21 scores. A pixel is a person, label 15, where `isRed`, else label 0, or 7 where it is dark.
  package static func scores(_ width: Int, _ height: Int) -> ONNXModel {
    var model = classes((width, height), to: "scores")
    model.output("scores", [1, 21, height, width])
    return model
  }

  /// The same with the labels chosen in the network.
  package static func labels(_ width: Int, _ height: Int, opset: Int = 11) -> ONNXModel {
    var model = classes((width, height), to: "scores", opset: opset)
    model.node("ArgMax", ["scores"], "labels", numbers: ["axis": 1, "keepdims": 0])
    model.output("labels", [1, height, width], type: ONNXModel.int64)
    return model
  }

  private static func classes(_ size: (width: Int, height: Int), to name: String, opset: Int = 11) -> ONNXModel {
    var weights = [Float](repeating: 0, count: 21 * 3)
    var bias = [Float](repeating: -10_000, count: 21)
    weights.replaceSubrange(15 * 3..<16 * 3, with: [1, -0.5, -0.5])
    bias[15] = 0
    bias[0] = 20.25
    weights.replaceSubrange(7 * 3..<8 * 3, with: [-1, -1, -1])
    bias[7] = 100.125
    return convolution(size, 21, weights: weights, bias: bias, to: name, opset: opset)
  }

  /// The label that `scores` and `labels` give a colour.
  package static func label(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let person = Double(red) - 0.5 * Double(green) - 0.5 * Double(blue)
    let dark = 100.125 - Double(red) - Double(green) - Double(blue)
    if person > 20.25 && person >= dark { return 15 }
    return dark > 20.25 ? 7 : 0
  }

  /// A matte of one channel: (r + 2 g + b) / 1024.
  package static func matte(_ width: Int, _ height: Int) -> ONNXModel {
    var model = convolution(
      (width, height), 1, weights: [1.0 / 1024, 2.0 / 1024, 1.0 / 1024], bias: [0], to: "matte")
    model.output("matte", [1, 1, height, width])
    return model
  }

  /// What 8 bits are left of that.
  package static func matte(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let sum = Int(red) + 2 * Int(green) + Int(blue)
    return UInt8((Double(255 * sum) / 1024).rounded(.toNearestOrAwayFromZero))
  }

  /// The matte of (r − g) / 16 before a sigmoid, and the same with its negative for a softmax.
  package static func logits(_ width: Int, _ height: Int, channels: Int) -> ONNXModel {
    let weights: [Float] = channels == 1 ? [0.0625, -0.0625, 0] : [0, 0, 0, 0.0625, -0.0625, 0]
    var model = convolution(
      (width, height), channels, weights: weights, bias: [Float](repeating: 0, count: channels), to: "logits")
    model.output("logits", [1, channels, height, width])
    return model
  }

  /// No number where red is 0, too large for one elsewhere.
  package static func notNumbers(_ width: Int, _ height: Int) -> ONNXModel {
    var model = convolution((width, height), 1, weights: [.infinity, 0, 0], bias: [0], to: "matte")
    model.output("matte", [1, 1, height, width])
    return model
  }

  /// `matte` for tensors whose colours come last.
  package static func interleaved(_ width: Int, _ height: Int) -> ONNXModel {
    var model = ONNXModel()
    model.input("image", [1, height, width, 3])
    model.node("Transpose", ["image"], "planes", lists: ["perm": [0, 3, 1, 2]])
    model.weights("w", [1, 3, 1, 1], [1.0 / 1024, 2.0 / 1024, 1.0 / 1024])
    model.node("Conv", ["planes", "w"], "plane", lists: ["kernel_shape": [1, 1]])
    model.node("Transpose", ["plane"], "matte", lists: ["perm": [0, 2, 3, 1]])
    model.output("matte", [1, height, width, 1])
    return model
  }

  /// What tells what is in a picture, and not where.
  package static func classifier(_ width: Int, _ height: Int) -> ONNXModel {
    var model = ONNXModel()
    model.input("image", [1, 3, height, width])
    model.node("GlobalAveragePool", ["image"], "classes")
    model.output("classes", [1, 3, 1, 1])
    return model
  }

  /// A network with a node that OpenCV 4.6 does not know: Clip with its limits as inputs.
  package static func clipped(_ width: Int, _ height: Int) -> ONNXModel {
    var model = convolution((width, height), 1, weights: [1, 0, 0], bias: [0], to: "x", opset: 13)
    model.weights("low", [], [Float(0)])
    model.weights("high", [], [Float(1)])
    model.node("Clip", ["x", "low", "high"], "matte")
    model.output("matte", [1, 1, height, width])
    return model
  }

  /// `matte` for pictures of any size.
  package static func anySize() -> ONNXModel {
    var model = ONNXModel()
    model.input("image", [1, 3, nil, nil])
    model.weights("w", [1, 3, 1, 1], [1.0 / 1024, 2.0 / 1024, 1.0 / 1024])
    model.node("Conv", ["image", "w"], "matte", lists: ["kernel_shape": [1, 1]])
    model.output("matte", [1, 1, nil, nil])
    return model
  }
}
