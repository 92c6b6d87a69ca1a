import Foundation
import FrameModel
import TestSupport
import Testing

@testable import FaceDetection

/// The network itself may not be passed on with the project. These files have its shape, and an answer that is fixed.
@Suite struct YuNetTests {
  private let folder: TemporaryFolder
  private let blank: FramePicture

  init() throws {
    folder = try TemporaryFolder()
    let layout = try FrameLayout(.grey8, width: 320, height: 240)
    blank = FramePicture(layout: layout, buffer: FrameBuffer(byteCount: layout.byteCount), byteCount: layout.byteCount)
  }

  private func write(_ network: FixedNetwork) throws -> String {
    let path = folder.path("network.onnx")
    try network.file.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `what the network answers becomes a box, a confidence and the roll between the eyes`() throws {
    var network = FixedNetwork()
    // Row 3, column 4 of the squares of 32, the larger of their two boxes: 96 pixels around (144, 112).
    let anchor = 3840 + 640 + (3 * 10 + 4) * 2 + 1
    network.confidence[anchor * 2 + 1] = 1
    network.overlap[anchor] = 0.81
    // Eyes in tenths of the box's width from its middle: the right one 2 up and 2 to the left, the left one 1 up.
    for (place, tenths) in [(4, -2), (5, -2), (6, 2), (7, -1)] { network.places[anchor * 14 + place] = Float(tenths) }
    let path = try write(network)
    let detector = try #require(try FaceDetectorSpecification("yunet:\(path)?score=0.6").detector())
    let finder = try FaceFinder(detector, color: FaceSupport.stream(.color, blank.layout), depth: nil)
    let faces = try finder.faces(in: blank, depth: nil)
    try #require(faces.count == 1)
    #expect(faces[0].box.overlap(with: .init(x: 96, y: 64, width: 96, height: 96)) > 0.85, "\(faces[0].box)")
    #expect(abs(faces[0].confidence - 0.9) < 0.01)
    // The eyes lie four tenths of the box apart, and the left one one tenth lower.
    #expect(abs((faces[0].roll ?? 9) - 0.245) < 0.01)
    #expect(faces[0].detector.hasPrefix("yunet opencv=") && faces[0].detector.hasSuffix("file=network.onnx score=0.6"))
  }

  @Test func `a picture with several faces goes through the network once`() throws {
    var network = FixedNetwork()
    for column in [1, 7] {
      let anchor = 3840 + 640 + (3 * 10 + column) * 2 + 1
      network.confidence[anchor * 2 + 1] = 1
      network.overlap[anchor] = 1
    }
    let detector = try YuNetFaceDetector(path: try write(network))
    let finder = try FaceFinder(detector, color: FaceSupport.stream(.color, blank.layout), depth: nil)
    let before = detector.runCount
    for frame in 1...5 {
      // The second face is believed in when it was seen twice.
      #expect(try finder.faces(in: blank, depth: nil).count == min(frame, 2))
      #expect(detector.runCount == before + frame)
    }
  }

  @Test func `a network that does not work at the stream's size is refused before there is a frame`() throws {
    let detector = try YuNetFaceDetector(path: try write(FixedNetwork()))
    let color = try FaceSupport.stream(.color, FrameLayout(.grey8, width: 1280, height: 720))
    let error = #expect(throws: RetakeError.self) { try FaceFinder(detector, color: color, depth: nil) }
    #expect(error?.code == .corrupt)
    // A stream that it is made for finds it as it was.
    let finder = try FaceFinder(detector, color: FaceSupport.stream(.color, blank.layout), depth: nil)
    #expect(try finder.faces(in: blank, depth: nil).isEmpty)
  }

  @Test func `a network that was found to work and then fails is the device's failure, and no damaged frame`() throws {
    let detector = try YuNetFaceDetector(path: try write(FixedNetwork()))
    let other = try GreyImage(FrameLayout(.grey8, width: 640, height: 352), usefulSide: 352)
    let error = #expect(throws: RetakeError.self) { try detector.faces(in: other, .everywhere) }
    #expect(error?.code == .device)
  }

  @Test func `a network that answers fewer boxes than a picture has places is refused`() throws {
    var network = FixedNetwork()
    network.anchorCount = 100
    let path = try write(network)
    let error = #expect(throws: RetakeError.self) { try FaceDetectorSpecification("yunet:\(path)").detector() }
    #expect(error?.code == .corrupt)
    #expect(error?.hint.contains("2022mar") == true)
  }

  @Test func `a network whose answers have other names is refused`() throws {
    var network = FixedNetwork()
    network.names = ["boxes", "scores", "quality"]
    let path = try write(network)
    let error = #expect(throws: RetakeError.self) { try FaceDetectorSpecification("yunet:\(path)").detector() }
    #expect(error?.code == .corrupt)
  }

  @Test func `a network that is cut short anywhere is refused`() throws {
    let whole = FixedNetwork().file
    for length in [1, 10, 100, 5000, whole.count / 2, whole.count - 1] {
      let path = folder.path("cut.onnx")
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: RetakeError.self, "\(length)") {
        try FaceDetectorSpecification("yunet:\(path)").detector()
      }
      #expect(error?.code == .corrupt)
    }
  }
}

/// An ONNX file for pictures of 320x256 that gives the same answer to every picture.
private struct FixedNetwork {
  static let wholeCount = 4700
  var anchorCount = wholeCount
  var names = ["loc", "conf", "iou"]
  /// For each anchor where the box and the five points lie, the two scores, and how well the box fits.
  var places = [Float](repeating: 0, count: wholeCount * 14)
  var confidence = [Float](repeating: 0, count: wholeCount * 2)
  var overlap = [Float](repeating: 0, count: wholeCount)

  /// The mean of each colour, times nothing, plus the answer.
  var file: Data {
    var graph = Message()
    graph.add(1, node("GlobalAveragePool", ["input"], "mean"))
    graph.add(2, "fixed")
    for (name, (values, columns)) in zip(names, [(places, 14), (confidence, 2), (overlap, 1)]) {
      let answer = Array(values.prefix(anchorCount * columns))
      graph.add(1, node("Conv", ["mean", name + "-zero", name + "-answer"], name + "-row", squareOfOne))
      graph.add(1, node("Reshape", [name + "-row", name + "-shape"], name))
      graph.add(
        5, tensor(name + "-zero", [answer.count, 3, 1, 1], [Float](repeating: 0, count: 3 * answer.count), type: 1))
      graph.add(5, tensor(name + "-answer", [answer.count], answer, type: 1))
      graph.add(5, tensor(name + "-shape", [2], [Int64(anchorCount), Int64(columns)], type: 7))
      graph.add(12, value(name, [anchorCount, columns]))
    }
    graph.add(11, value("input", [1, 3, 256, 320]))
    var opset = Message()
    opset.add(2, 11)
    var model = Message()
    model.add(1, 7)
    model.add(7, graph)
    model.add(8, opset)
    return model.data
  }

  /// The attribute kernel_shape = [1, 1].
  private var squareOfOne: Message {
    var attribute = Message()
    attribute.add(1, "kernel_shape")
    attribute.add(8, 1)
    attribute.add(8, 1)
    attribute.add(20, 7)
    return attribute
  }

  private func node(_ kind: String, _ inputs: [String], _ output: String, _ attribute: Message? = nil) -> Message {
    var node = Message()
    for input in inputs { node.add(1, input) }
    node.add(2, output)
    node.add(3, "make-" + output)
    node.add(4, kind)
    if let attribute { node.add(5, attribute) }
    return node
  }

  private func tensor<Value>(_ name: String, _ sides: [Int], _ values: [Value], type: Int) -> Message {
    var tensor = Message()
    for side in sides { tensor.add(1, side) }
    tensor.add(2, type)
    tensor.add(8, name)
    tensor.add(9, values.withUnsafeBytes { Data($0) })
    return tensor
  }

  private func value(_ name: String, _ sides: [Int]) -> Message {
    var shape = Message()
    for side in sides {
      var dimension = Message()
      dimension.add(1, side)
      shape.add(1, dimension)
    }
    var kind = Message()
    kind.add(1, 1)
    kind.add(2, shape)
    var type = Message()
    type.add(1, kind)
    var value = Message()
    value.add(1, name)
    value.add(2, type)
    return value
  }
}

/// A protobuf message in the making.
private struct Message {
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
  mutating func add(_ field: Int, _ message: Message) { add(field, message.data) }
}
