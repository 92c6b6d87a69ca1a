import FrameModel
import Kernels
import Parameters
import Support

/// The depth and colours of an empty scene, as `mask.kind=plate` learns them, and the file that keeps
/// them: see Masks.md for its format.
package struct EmptyScene: Sendable {
  /// Depth, and how much nearer it sometimes was; red, green, blue, and their deviations.
  private static let planeCount = 8
  private static let magic = Array("RTKPLATE".utf8)
  private static let version: UInt32 = 1
  private static let headerByteCount = 20
  private static let checksumByteCount = 16
  /// 16 megapixels: more than any depth camera has.
  private static let largestPixelCount = 1 << 24

  package let size: PictureSize
  /// The file's content.
  package let bytes: [UInt8]
  private let name: String

  /// XXH3-128 of the content.
  package var identity: String { bytes.withRawBytes { Checksum.xxh3Hex128($0) } }

  /// - Throws: `.notFound` and others for an unreadable file; as `init(_:name:)`.
  package init(path: String) throws(RetakeError) {
    if let wrong = PathKind.mismatch(path, wanted: .plate, code: .unsupported) { throw wrong }
    let limit = Self.headerByteCount + 2 * Self.planeCount * Self.largestPixelCount + Self.checksumByteCount
    try self.init(try FileBytes.read(path, limit: limit), name: path)
  }

  /// - Throws: `.unsupported` for another kind of file or version, `.corrupt` for a damaged one.
  package init(_ bytes: [UInt8], name: String) throws(RetakeError) {
    func failure(_ code: RetakeError.Code, _ words: String) -> RetakeError {
      RetakeError(code, "\(name) \(words).", hint: Self.hint)
    }
    guard bytes.count >= Self.headerByteCount, bytes.starts(with: Self.magic) else {
      throw failure(.unsupported, "is not a plate of an empty scene")
    }
    let numbers = (0..<3).map { Self.number(bytes, at: Self.magic.count + 4 * $0) }
    guard numbers[0] == Self.version else {
      throw failure(.unsupported, "is a plate of version \(numbers[0]); this version of Retake reads \(Self.version)")
    }
    let (width, height) = (Int(numbers[1]), Int(numbers[2]))
    let sides = 1...FrameLayout.largestSide
    guard sides.contains(width), sides.contains(height), width * height <= Self.largestPixelCount else {
      throw failure(.corrupt, "says that its plate has \(width)x\(height) pixels")
    }
    let end = Self.headerByteCount + 2 * Self.planeCount * width * height
    guard bytes.count == end + Self.checksumByteCount else {
      throw failure(
        .corrupt, "has \(bytes.count) bytes; a plate of \(width)x\(height) has \(end + Self.checksumByteCount)")
    }
    guard bytes[end...].elementsEqual(Self.checksum(bytes[..<end])) else {
      throw failure(.corrupt, "is damaged: its checksum differs")
    }
    (size, self.bytes, self.name) = (PictureSize(width, height), bytes, name)
    let one = UInt16(ReducedColors.one)
    for plane in 2..<Self.planeCount {
      let range = plane < 5 ? 0...one : 1...one
      guard samples(of: plane).allSatisfy(range.contains) else {
        throw failure(.corrupt, "has colours that are out of range")
      }
    }
  }

  init(_ plate: BackgroundPlate, _ colors: PlateColors) {
    let (depth, planes) = ([plate.millimeters, plate.spread], Self.planes(colors))
    size = PictureSize(plate.millimeters.width, plate.millimeters.height)
    name = "the plate"
    var bytes = Self.magic
    func add(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    for number in [Self.version, UInt32(size.width), UInt32(size.height)] { add(number) }
    for plane in depth { for i in 0..<plane.count { add(plane.samples[i]) } }
    for plane in planes {
      for y in 0..<plane.height { for x in 0..<size.width { add(plane.row(y)[x]) } }
    }
    bytes += Self.checksum(bytes[...])
    self.bytes = bytes
  }

  /// - Throws: `.unsupported` for depth of another size.
  func checkFits(_ depth: PictureSize) throws(RetakeError) {
    guard depth == size else {
      throw RetakeError(
        .unsupported, "\(name) has \(size) pixels, but the prepared depth has \(depth).",
        hint: "learn it with the same camera and depth parameters: 'retake plate REC -o FILE'")
    }
  }

  func write(to plate: BackgroundPlate, _ colors: PlateColors?) {
    write(0, to: plate.millimeters)
    write(1, to: plate.spread)
    guard let colors else { return }
    for (number, plane) in Self.planes(colors).enumerated() { write(2 + number, to: plane) }
  }

  /// Rows of wider planes are padded with their last sample.
  private func write<Sample>(_ number: Int, to plane: PixelPlane<Sample>) {
    let samples = samples(of: number)
    for y in 0..<size.height {
      let row = plane.row(y)
      for x in 0..<plane.width {
        row[x] = Sample(truncatingIfNeeded: samples[y * size.width + min(x, size.width - 1)])
      }
    }
  }

  private func samples(of plane: Int) -> [UInt16] {
    let count = size.width * size.height
    let start = Self.headerByteCount + 2 * plane * count
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map { UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 2 * $0, as: UInt16.self)) }
    }
  }

  private static func planes(_ colors: PlateColors) -> [PixelPlane<Int16>] {
    [colors.empty, colors.doubts].flatMap { [$0.red, $0.green, $0.blue] }
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
  }

  /// XXH3-128 in canonical order.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let digest = bytes.withUnsafeBytes { Checksum.xxh3Digest($0) }
    return [digest.high, digest.low].flatMap { half in withUnsafeBytes(of: half.bigEndian) { Array($0) } }
  }

  private static let hint = "'retake plate REC -o FILE' learns one from a recording"
}

extension EmptyScene {
  /// The scene that `mask.plate` names; nil for none.
  /// - Throws: as `init(path:)`.
  package static func named(in parameters: ParameterSet) throws(RetakeError) -> EmptyScene? {
    let plate = PipelineParameters.mask.plate
    let path = parameters[plate]
    return try path.isEmpty ? nil : plate.declaration.named { () throws(RetakeError) in try EmptyScene(path: path) }
  }
}

/// What a mask learned of an empty scene.
package struct LearnedScene {
  package let scene: EmptyScene
  /// Depth frames without a face that it was learned from.
  package let frameCount: Int
  /// Share of the pixels that changed in these frames, 0 to 1. Above `MattePipeline.manyChanges`, the scene
  /// was not empty.
  package let changedShare: Double
}
