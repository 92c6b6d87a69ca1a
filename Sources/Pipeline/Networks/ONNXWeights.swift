import ChunkFormat
import Support

/// The header of a tensor that has its values in an ONNX file (TensorProto in onnx.proto).
///
/// OpenCV reads as many values as the shape requires, even past the end of shorter data, and runs a
/// network of whatever is there. So they are counted first.
struct ONNXWeights {
  private(set) var name = ""
  private var sides: [UInt64] = []
  private var elementType: UInt32 = 0
  /// Numbers of values by field; for `raw_data` (9), the number of bytes.
  private var counts: [UInt64: Int] = [:]

  /// - Throws: `.corrupt` for a wrong number of values, `.unsupported` if they are in another file.
  init(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    var reader = ByteReader(bytes)
    while let field = try reader.nextField() {
      guard let wireTypes = Self.wireTypes[field.number] else { continue }
      // Protobuf would ignore such a field.
      guard wireTypes.contains(field.wireType) else {
        throw RetakeError(.corrupt, "Field \(field.number) of a tensor has wire type \(field.wireType).")
      }
      switch field.number {
      case 1: try appendSides(field)
      // Protobuf reads this field as 32 bits.
      case 2: elementType = UInt32(truncatingIfNeeded: field.word)
      case 4: add(field, field.data.count / 4)
      case 5, 7: add(field, field.data.count { $0 < 0x80 })
      case 8: name = field.string
      case 9: counts[9] = field.data.count
      case 10: add(field, field.data.count / 8)
      default:
        guard UInt32(truncatingIfNeeded: field.word) != 1 else { throw Self.elsewhere }
      }
    }
    try check()
  }

  /// Valid wire types by field number. Packed repeated numbers have type 2.
  private static let wireTypes: [UInt64: Set<UInt64>] = [
    1: [0, 2], 2: [0], 4: [5, 2], 5: [0, 2], 7: [0, 2], 8: [2], 9: [2], 10: [1, 2], 14: [0],
  ]

  private static let elsewhere = RetakeError(
    .unsupported, "The model stores its weights in separate files, which OpenCV cannot read.",
    hint: "export it again as a single file")

  private mutating func add(_ field: ProtobufValue, _ packedCount: Int) {
    counts[field.number, default: 0] += field.wireType == 2 ? packedCount : 1
  }

  private mutating func appendSides(_ field: ProtobufValue) throws(RetakeError) {
    if field.wireType == 2 {
      var reader = ByteReader(field.data)
      while reader.remaining > 0 && sides.count <= Self.largestRank { sides.append(try reader.varint()) }
    } else {
      sides.append(field.word)
    }
    guard sides.count <= Self.largestRank else {
      throw RetakeError(.corrupt, "One of its tensors has more than \(Self.largestRank) dimensions.")
    }
  }

  private func check() throws(RetakeError) {
    // OpenCV refuses types that are not listed in `storage`.
    guard let (field, byteCount) = Self.storage[elementType] else { return }
    let tensor = name.isEmpty ? "An unnamed tensor" : "Its tensor '\(name)'"
    let shape = sides.map { "\($0)" }.joined(separator: "x")
    var count = 1
    for side in sides {
      let (product, overflow) = count.multipliedReportingOverflow(by: Int(clamping: side))
      guard !overflow, product <= Self.largestCount else {
        throw RetakeError(.corrupt, "\(tensor) claims \(shape) values, which is too many.")
      }
      count = product
    }
    // All values must be in one field: OpenCV ignores other fields, and reads past an empty one.
    let (values, rawByteCount) = (counts[field] ?? 0, counts[9] ?? 0)
    guard values == count && rawByteCount == 0 || values == 0 && rawByteCount == count * byteCount else {
      throw RetakeError(
        .corrupt,
        "\(tensor) has \(sides.isEmpty ? "1" : shape) values by its shape, but the file contains "
          + "\(values + rawByteCount / byteCount)."
      )
    }
  }

  /// OpenCV's limit.
  private static let largestRank = 32
  private static let largestCount = ONNXFile.largestByteCount

  /// By ONNX's type: the field for individual values, and the bytes per value in `raw_data`.
  private static let storage: [UInt32: (field: UInt64, byteCount: Int)] = [
    1: (4, 4), 2: (5, 1), 3: (5, 1), 6: (5, 4), 7: (7, 8), 10: (5, 2), 11: (10, 8),
  ]
}
