import ChunkFormat
import FrameModel

/// An ONNX file: its bytes, and what it says of its inputs and outputs.
struct ONNXFile {
  /// A tensor that goes in or comes out.
  struct Tensor: Hashable {
    var name: String
    /// ONNX's number of the type: 1 is Float32.
    var elementType: Int
    /// Nil for a side that is not fixed, or fixed by a name.
    var sides: [Int?]

    /// Whether it is of whole numbers.
    var isIntegral: Bool { (2...7).contains(elementType) || elementType == 12 || elementType == 13 }

    /// "1x3x513x?"
    var shapeText: String { sides.map { $0.map { "\($0)" } ?? "?" }.joined(separator: "x") }
  }

  let path: String
  let bytes: [UInt8]
  private(set) var inputs: [Tensor] = []
  private(set) var outputs: [Tensor] = []

  /// Networks that tell people from walls have 1 to 200 MB.
  static let largestByteCount = 512 << 20

  /// - Throws: `.notFound` where there is no such file, `.corrupt` where it is no ONNX model, `.unsupported` where it has
  ///   its weights elsewhere.
  init(path: String) throws(RetakeError) {
    self.path = path
    do throws(RetakeError) {
      bytes = try FileBytes.read(path, limit: Self.largestByteCount)
    } catch {
      guard error.code == .notFound else { throw error }
      throw RetakeError(.notFound, "There is no model \(path).", hint: "name an ONNX file with mask.model=FILE.onnx")
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

  /// The last part of its path.
  var name: String { Self.name(ofPath: path) }

  static func name(ofPath path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private func notAModel(_ why: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(path) is no ONNX model: \(why.prefix(1).lowercased() + why.dropFirst())",
      hint: "mask.model takes a segmentation network that was exported to ONNX")
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
      for value in try messages(11, in: graph) { inputs.append(try tensor(value)) }
      for value in try messages(12, in: graph) { outputs.append(try tensor(value)) }
    }
    return (inputs, outputs)
  }

  private static func checkConstant(_ attribute: UnsafeRawBufferPointer) throws(RetakeError) {
    let tensors = try messages(5, in: attribute)
    // Protobuf makes one of several, piece by piece.
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
