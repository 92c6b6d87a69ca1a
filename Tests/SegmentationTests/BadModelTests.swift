import Foundation
import FrameModel
import Networks
import Segmentation
import Support
import TestSupport
import Testing

@Suite struct BadModelTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func error(_ model: ONNXModel, yaml: String = SegmentationNetwork.yaml) throws -> RetakeError? {
    let path = try SegmentationNetwork.write(model, to: folder, yaml: yaml)
    let error = #expect(throws: RetakeError.self) { try ONNXSegmenter(path: path) }
    #expect(error?.message.contains(path) == true)
    #expect(error?.hint.isEmpty == false)
    #expect(error?.message.contains("\n") == false)
    return error
  }

  @Test func `a network whose answer is no mask says what it answers and what is expected`() throws {
    let error = try error(SegmentationNetwork.classifier(40, 24))
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("1x3x1x1") == true)
    #expect(error?.hint.contains("1xLABELSxHEIGHTxWIDTH") == true)
  }

  @Test func `a network whose answer is not what its file says is refused`() throws {
    #expect(try error(SegmentationNetwork.matte(40, 24), yaml: "output: {kind: scores}")?.code == .unsupported)
    #expect(try error(SegmentationNetwork.scores(40, 24), yaml: "output: {kind: labels}")?.code == .unsupported)
    #expect(
      try error(SegmentationNetwork.scores(40, 24), yaml: "output: {kind: matte, channel: 21}")?.code == .usage)
    let names = try error(SegmentationNetwork.scores(40, 24), yaml: "output: {name: mask}")
    #expect(names?.code == .usage && names?.hint.contains("scores") == true)
    #expect(try error(SegmentationNetwork.scores(40, 24), yaml: "input: {name: x}")?.hint.contains("image") == true)
  }

  @Test func `a network that does not say its size needs it in the file`() throws {
    let error = try error(SegmentationNetwork.anySize())
    #expect(error?.code == .usage)
    #expect(error?.hint.contains("size: 513x513") == true)
  }

  @Test func `a network of one grey channel is refused for its input`() throws {
    var model = ONNXModel()
    model.input("image", [1, 1, 24, 40])
    model.node("Sigmoid", ["image"], "matte")
    model.output("matte", [1, 1, 24, 40])
    #expect(try error(model)?.message.contains("1x1x24x40") == true)
  }

  @Test func `a node that OpenCV does not know is named`() throws {
    let error = try error(SegmentationNetwork.clipped(40, 24))
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("node Clip") == true)
    #expect(error?.hint.contains("opset 11") == true)
  }

  @Test func `a network with its weights in other files is refused`() throws {
    var model = SegmentationNetwork.matte(40, 24)
    model.weightsElsewhere("more", [4])
    let path = try SegmentationNetwork.write(model, to: folder)
    let error = #expect(throws: RetakeError.self) { try ONNXFile(path: path) }
    #expect(error?.code == .unsupported)
  }

  /// OpenCV would read on behind their end.
  @Test(
    arguments: [
      // Float32, UInt8, Int8, Int32, Int64, Float16, Double: the type, the field of values one by one, bytes each there and raw.
      (1, 4, 4, 4), (2, 5, 1, 1), (3, 5, 1, 1), (6, 5, 1, 4), (7, 7, 1, 8), (10, 5, 1, 2), (11, 10, 8, 8),
    ])
  func `weights that are not as many as their shape has are refused`(
    type: Int, field: Int, byteCount: Int, rawByteCount: Int
  ) throws {
    for (field, byteCount) in [(field, byteCount), (9, rawByteCount)] {
      for isConstant in [false, true] {
        func file(_ count: Int) throws -> ONNXFile {
          var model = SegmentationNetwork.matte(40, 24)
          let values = Data(repeating: 1, count: count * byteCount)
          if isConstant {
            model.constant("more", [2, 3], type: type, field: field, values)
          } else {
            model.weights("more", [2, 3], type: type, field: field, values)
          }
          return try ONNXFile(path: try SegmentationNetwork.write(model, to: folder))
        }
        #expect(try file(6).inputs.map(\.name) == ["image"])
        for count in [1, 5, 7] {
          let error = #expect(throws: RetakeError.self) { try file(count) }
          #expect(
            error?.code == .corrupt
              && error?.message.contains("has 2x3 values by its shape, but the file contains \(count)") == true)
        }
      }
    }
  }

  @Test(arguments: [(1, 5), (6, 4), (7, 5), (10, 7), (11, 4)])
  func `weights that lie where those of another type do are refused`(type: Int, field: Int) throws {
    var model = SegmentationNetwork.matte(40, 24)
    model.weights("more", [2, 2], type: type, field: field, Data(repeating: 1, count: 16))
    let path = try SegmentationNetwork.write(model, to: folder)
    let error = #expect(throws: RetakeError.self) { try ONNXFile(path: path) }
    #expect(
      error?.code == .corrupt && error?.message.contains("has 2x2 values by its shape, but the file contains 0") == true
    )
  }

  /// The last one's type is a string of bytes, which protobuf would pass over.
  @Test(arguments: [
    ([1 << 40, 1 << 40], 9), ([1 << 31], 9), ([Int.max], 9), ([Int](repeating: 1, count: 33), 9), ([1], 2),
  ])
  func `weights that no file could hold are refused`(sides: [Int], field: Int) throws {
    var model = SegmentationNetwork.matte(40, 24)
    model.weights("more", sides, type: ONNXModel.float32, field: field, Data(count: 4))
    let path = try SegmentationNetwork.write(model, to: folder)
    #expect(#expect(throws: RetakeError.self) { try ONNXFile(path: path) }?.code == .corrupt)
  }

  @Test func `what is no ONNX file, or none at all, says so`() throws {
    let path = folder.path("person.onnx")
    for text in ["", "hello", "\u{FF}\u{00}\u{01}", String(repeating: "x", count: 5000)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: RetakeError.self) { try ONNXFile(path: path) }
      #expect(error?.code == .corrupt && error?.message.contains("not an ONNX model") == true)
    }
    #expect(#expect(throws: RetakeError.self) { try ONNXFile(path: path + "x") }?.code == .notFound)
    #expect(#expect(throws: RetakeError.self) { try ONNXFile(path: folder.path) }?.code == .unsupported)
  }

  @Test func `a file that is cut short or damaged anywhere is refused or run, and never a crash or a hang`() throws {
    let path = folder.path("person.onnx")
    try Data(SegmentationNetwork.yaml.utf8).write(to: URL(fileURLWithPath: folder.path("person.yaml")))
    let whole = [SegmentationNetwork.labels(16, 8).data, SegmentationNetwork.matte(16, 8).data]
    var generator = SeededGenerator(seed: 5)
    var refused = 0
    for round in 0..<160 {
      var file = whole[round % 2]
      if round < 40 {
        file = file.prefix(generator.next(below: file.count))
      } else {
        for _ in 0...generator.next(below: 3) {
          file[generator.next(below: file.count)] ^= UInt8(1 << generator.next(below: 8))
        }
      }
      try file.write(to: URL(fileURLWithPath: path))
      do {
        let segmenter = try ONNXSegmenter(path: path, trialLimitSeconds: 10)
        let mask = try segmenter.mask(of: noise(16, 8))
        #expect(mask == nil || mask?.count == segmenter.maskSize.width * segmenter.maskSize.height)
      } catch let error as RetakeError {
        refused += 1
        #expect(!error.message.isEmpty)
      }
    }
    #expect((40...159).contains(refused), "\(refused)")
  }
}
