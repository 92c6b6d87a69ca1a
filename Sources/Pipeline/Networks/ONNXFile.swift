import ChunkFormat
import Support

/// An ONNX file, read once and checked.
///
/// Networks are loaded from `bytes`, never from the path, so OpenCV gets exactly what was checked.
package struct ONNXFile: Sendable {
  package struct Tensor: Hashable, Sendable {
    package var name: String
    /// ONNX's number for the type: 1 is Float32.
    package var elementType: Int
    /// Nil for a dynamic dimension.
    package var sides: [Int?]

    package init(name: String, elementType: Int, sides: [Int?]) {
      self.name = name
      self.elementType = elementType
      self.sides = sides
    }

    package var isIntegral: Bool { (2...7).contains(elementType) || elementType == 12 || elementType == 13 }

    /// Such as "1x3x513x?".
    package var shapeText: String { sides.map { $0.map { "\($0)" } ?? "?" }.joined(separator: "x") }
  }

  package let path: String
  package let bytes: [UInt8]
  package private(set) var inputs: [Tensor] = []
  package private(set) var outputs: [Tensor] = []
  private let hint: String

  /// Segmentation networks have 1 to 200 MB.
  static let largestByteCount = 512 << 20

  /// - Parameter hint: for errors: which file is expected, and where it is named.
  /// - Throws: `.notFound`, `.corrupt`; `.unsupported` for a model with its weights in other files.
  package init(path: String, hint: String = "give a network exported to ONNX") throws(RetakeError) {
    self.path = path
    self.hint = hint
    do throws(RetakeError) {
      bytes = try FileBytes.read(path, limit: Self.largestByteCount)
    } catch {
      guard error.code == .notFound else { throw error }
      throw RetakeError(.notFound, "There is no model \(path).", hint: hint)
    }
    var weights: Set<String> = []
    do throws(RetakeError) {
      (inputs, outputs) = try bytes.withRawBytes { bytes throws(RetakeError) in try Self.read(bytes, &weights) }
    } catch {
      guard error.code == .corrupt else { throw error }
      throw notAModel(error.message)
    }
    // Old files list their weights among the inputs.
    inputs.removeAll { weights.contains($0.name) }
    guard !inputs.isEmpty, !outputs.isEmpty else {
      throw notAModel("it has no \(inputs.isEmpty ? "input" : "output").")
    }
  }

  package var name: String { Self.name(ofPath: path) }

  package static func name(ofPath path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private func notAModel(_ why: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(path) is not an ONNX model: \(why.prefix(1).lowercased() + why.dropFirst())", hint: hint)
  }

  // MARK: The fields of onnx.proto that are of interest

  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ weights: inout Set<String>
  ) throws(RetakeError) -> (inputs: [Tensor], outputs: [Tensor]) {
    var inputs: [Tensor] = []
    var outputs: [Tensor] = []
    for graph in try messages(7, in: bytes) {
      for weight in try messages(5, in: graph) { weights.insert(try ONNXWeights(weight).name) }
      for node in try messages(1, in: graph) {
        for attribute in try messages(5, in: node) { try checkConstant(attribute) }
      }
      inputs += try messages(11, in: graph).map(tensor)
      outputs += try messages(12, in: graph).map(tensor)
    }
    return (inputs, outputs)
  }

  private static func checkConstant(_ attribute: UnsafeRawBufferPointer) throws(RetakeError) {
    let tensors = try messages(5, in: attribute)
    // Protobuf would merge several tensors into one.
    guard tensors.count <= 1 else { throw RetakeError(.corrupt, "One of its attributes has several tensors.") }
    if let tensor = tensors.first { _ = try ONNXWeights(tensor) }
  }

  private static func messages(
    _ number: UInt64, in bytes: UnsafeRawBufferPointer
  ) throws(RetakeError) -> [UnsafeRawBufferPointer] {
    var reader = ByteReader(bytes)
    var found: [UnsafeRawBufferPointer] = []
    while let field = try reader.nextField() {
      if field.number == number { found.append(field.data) }
    }
    return found
  }

  private static func tensor(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) -> Tensor {
    var tensor = Tensor(name: "", elementType: 0, sides: [])
    var reader = ByteReader(bytes)
    while let field = try reader.nextField() {
      if field.number == 1 { tensor.name = field.string }
      guard field.number == 2 else { continue }
      for kind in try messages(1, in: field.data) {
        var reader = ByteReader(kind)
        while let field = try reader.nextField() {
          if field.number == 1 { tensor.elementType = Int(clamping: field.word) }
          guard field.number == 2 else { continue }
          tensor.sides = try messages(1, in: field.data).map { side throws(RetakeError) in
            var reader = ByteReader(side)
            guard let value = try reader.nextField(), value.number == 1, (1...1 << 20).contains(value.word) else {
              return nil
            }
            return Int(value.word)
          }
        }
      }
    }
    return tensor
  }
}
