import Foundation

/// An ONNX file in the making: as much of onnx.proto as small networks need.
package struct ONNXModel {
  package static let float32 = 1
  package static let int64 = 7

  private var nodes: [ProtobufMessage] = []
  private var weights: [ProtobufMessage] = []
  private var inputs: [ProtobufMessage] = []
  private var outputs: [ProtobufMessage] = []
  private let opset: Int

  package init(opset: Int = 11) { self.opset = opset }

  /// - Parameter lists, numbers: the node's attributes.
  package mutating func node(
    _ kind: String, _ inputs: [String], _ output: String, lists: KeyValuePairs<String, [Int]> = [:],
    numbers: KeyValuePairs<String, Int> = [:]
  ) {
    var node = ProtobufMessage()
    for input in inputs { node.add(1, input) }
    node.add(2, output)
    node.add(3, "make-" + output)
    node.add(4, kind)
    for (name, values) in lists {
      var attribute = ProtobufMessage()
      attribute.add(1, name)
      for value in values { attribute.add(8, value) }
      attribute.add(20, 7)
      node.add(5, attribute)
    }
    for (name, value) in numbers {
      var attribute = ProtobufMessage()
      attribute.add(1, name)
      attribute.add(3, value)
      attribute.add(20, 2)
      node.add(5, attribute)
    }
    nodes.append(node)
  }

  package mutating func weights(_ name: String, _ sides: [Int], _ values: [Float]) {
    weights(name, sides, values, type: Self.float32)
  }

  package mutating func weights(_ name: String, _ sides: [Int], _ values: [Int64]) {
    weights(name, sides, values, type: Self.int64)
  }

  private mutating func weights<Value>(_ name: String, _ sides: [Int], _ values: [Value], type: Int) {
    weights(name, sides, type: type, field: 9, values.withUnsafeBytes { Data($0) })
  }

  /// Weights whose shape asks for as many values, and that have those of a field as they are given.
  package mutating func weights(_ name: String, _ sides: [Int], type: Int, field: Int, _ values: Data) {
    weights.append(Self.tensor(name, sides, type: type, field: field, values))
  }

  /// A node that makes one output of a tensor of its own.
  package mutating func constant(_ output: String, _ sides: [Int], type: Int, field: Int, _ values: Data) {
    var attribute = ProtobufMessage()
    attribute.add(1, "value")
    attribute.add(5, Self.tensor("", sides, type: type, field: field, values))
    attribute.add(20, 4)
    var node = ProtobufMessage()
    node.add(2, output)
    node.add(3, "make-" + output)
    node.add(4, "Constant")
    node.add(5, attribute)
    nodes.append(node)
  }

  private static func tensor(_ name: String, _ sides: [Int], type: Int) -> ProtobufMessage {
    var tensor = ProtobufMessage()
    for side in sides { tensor.add(1, side) }
    tensor.add(2, type)
    tensor.add(8, name)
    return tensor
  }

  private static func tensor(_ name: String, _ sides: [Int], type: Int, field: Int, _ values: Data) -> ProtobufMessage {
    var tensor = tensor(name, sides, type: type)
    tensor.add(field, values)
    return tensor
  }

  /// Weights that lie in another file.
  package mutating func weightsElsewhere(_ name: String, _ sides: [Int]) {
    var tensor = Self.tensor(name, sides, type: Self.float32)
    tensor.add(14, 1)
    weights.append(tensor)
  }

  /// - Parameter sides: nil where any length will do.
  package mutating func input(_ name: String, _ sides: [Int?]) { inputs.append(Self.value(name, sides, Self.float32)) }

  package mutating func output(_ name: String, _ sides: [Int?], type: Int = float32) {
    outputs.append(Self.value(name, sides, type))
  }

  private static func value(_ name: String, _ sides: [Int?], _ elementType: Int) -> ProtobufMessage {
    var shape = ProtobufMessage()
    for side in sides {
      var dimension = ProtobufMessage()
      if let side { dimension.add(1, side) } else { dimension.add(2, "any") }
      shape.add(1, dimension)
    }
    var kind = ProtobufMessage()
    kind.add(1, elementType)
    kind.add(2, shape)
    var type = ProtobufMessage()
    type.add(1, kind)
    var value = ProtobufMessage()
    value.add(1, name)
    value.add(2, type)
    return value
  }

  package var data: Data {
    var graph = ProtobufMessage()
    for node in nodes { graph.add(1, node) }
    graph.add(2, "test")
    for tensor in weights { graph.add(5, tensor) }
    for value in inputs { graph.add(11, value) }
    for value in outputs { graph.add(12, value) }
    var set = ProtobufMessage()
    set.add(2, opset)
    var model = ProtobufMessage()
    model.add(1, 7)
    model.add(7, graph)
    model.add(8, set)
    return model.data
  }
}

/// A protobuf message in the making.
private struct ProtobufMessage {
  var data = Data()

  private mutating func varint(_ value: Int) {
    var rest = UInt64(value)
    while rest >= 128 {
      data.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    data.append(UInt8(rest))
  }

  mutating func add(_ field: Int, _ value: Int) {
    varint(field << 3)
    varint(value)
  }

  mutating func add(_ field: Int, _ bytes: Data) {
    varint(field << 3 | 2)
    varint(bytes.count)
    data.append(bytes)
  }

  mutating func add(_ field: Int, _ text: String) { add(field, Data(text.utf8)) }
  mutating func add(_ field: Int, _ message: ProtobufMessage) { add(field, message.data) }
}
