import FaceDetection
import Foundation
import FrameModel
import Support
import TestSupport
import Testing

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

  @Test func `a network whose weights are not in its file is refused before OpenCV reads behind its end`() throws {
    var network = FixedNetwork()
    network.missingWeightCount = 400_000_000
    let path = try write(network)
    let error = #expect(throws: RetakeError.self) { try FaceDetectorSpecification("yunet:\(path)").detector() }
    #expect(
      error?.code == .corrupt
        && error?.message.contains("has 400000000 values by its shape, but the file contains 1") == true)
    #expect(error?.hint.contains("yunet:") == true)
  }

  @Test func `the network that was checked is the one that runs, at every size`() throws {
    let path = try write(FixedNetwork())
    let detector = try YuNetFaceDetector(path: path)
    try Data("another file".utf8).write(to: URL(fileURLWithPath: path))
    // Upright there are as many places as across.
    let upright = try GreyImage(FrameLayout(.grey8, width: 240, height: 320), usefulSide: 240)
    #expect(try detector.faces(in: upright, .everywhere).isEmpty)
    #expect(detector.runCount == 2)
  }

  @Test func `a network that is damaged anywhere is refused or run, and never a crash or a hang`() throws {
    let whole = FixedNetwork().file
    let path = folder.path("damaged.onnx")
    var generator = SeededGenerator(seed: 9)
    var refused = 0
    for _ in 0..<40 {
      var file = whole
      // Where the nodes are, and behind the weights.
      for _ in 0...generator.next(below: 3) {
        let place = generator.next(below: 800)
        file[place < 600 ? place : file.count - 1 - (place - 600)] ^= UInt8(1 << generator.next(below: 8))
      }
      try file.write(to: URL(fileURLWithPath: path))
      do {
        _ = try YuNetFaceDetector(path: path)
      } catch {
        refused += 1
        #expect(error.message.contains(path))
      }
    }
    #expect((10...40).contains(refused), "\(refused)")
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
  /// Of a tensor of weights that has one.
  var missingWeightCount: Int?
  /// For each anchor where the box and the five points lie, the two scores, and how well the box fits.
  var places = [Float](repeating: 0, count: wholeCount * 14)
  var confidence = [Float](repeating: 0, count: wholeCount * 2)
  var overlap = [Float](repeating: 0, count: wholeCount)

  /// The mean of each colour, times nothing, plus the answer.
  var file: Data {
    var model = ONNXModel()
    model.input("input", [1, 3, 256, 320])
    model.node("GlobalAveragePool", ["input"], "mean")
    for (name, (values, columns)) in zip(names, [(places, 14), (confidence, 2), (overlap, 1)]) {
      let answer = Array(values.prefix(anchorCount * columns))
      model.node("Conv", ["mean", name + "-zero", name + "-answer"], name + "-row", lists: ["kernel_shape": [1, 1]])
      model.node("Reshape", [name + "-row", name + "-shape"], name)
      model.weights(name + "-zero", [answer.count, 3, 1, 1], [Float](repeating: 0, count: 3 * answer.count))
      model.weights(name + "-answer", [answer.count], answer)
      model.weights(name + "-shape", [2], [Int64(anchorCount), Int64(columns)])
      model.output(name, [anchorCount, columns])
    }
    if let missingWeightCount {
      model.weights("more", [missingWeightCount], type: ONNXModel.float32, field: 9, Data(count: 4))
    }
    return model.data
  }
}
