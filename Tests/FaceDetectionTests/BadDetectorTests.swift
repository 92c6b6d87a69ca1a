import Foundation
import FrameModel
import TestSupport
import Testing

@testable import FaceDetection

@Suite struct BadDetectorTests {
  @Test(arguments: ["lbp:", "haar:", "yunet:"])
  func `a file that is not there is named, with the next step`(kind: String) throws {
    let specification = try FaceDetectorSpecification(kind + "/nowhere/face.file")
    let error = #expect(throws: RetakeError.self) { try specification.detector() }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("/nowhere/face.file") == true)
    #expect(error?.hint.isEmpty == false)
  }

  @Test(arguments: ["lbp:", "haar:", "yunet:"])
  func `files that are no detector are refused in one sentence`(kind: String) throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: URL(fileURLWithPath: CascadeFaceDetector.Kind.lbp.file))
    let text = String(decoding: whole, as: UTF8.self)
    var files: [String: Data] = [
      "empty": Data(), "noise": Data((0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }),
      "words.xml": Data("<?xml version=\"1.0\"?><opencv_storage><cascade></cascade></opencv_storage>".utf8),
      "cut.xml": whole.prefix(whole.count / 2), "not.xml": Data("<html><body>404</body></html>".utf8),
      "huge-window.xml": Data(
        text.replacingOccurrences(of: "<height>24</height>", with: "<height>2000000000</height>").utf8),
      "negative.xml": Data(text.replacingOccurrences(of: "<width>24</width>", with: "<width>-24</width>").utf8),
    ]
    files["model.onnx"] = Data([8, 7, 18, 4]) + Data("none".utf8)
    for (name, data) in files {
      let path = folder.path(name)
      try data.write(to: URL(fileURLWithPath: path))
      let specification = try FaceDetectorSpecification(kind + path)
      let error = #expect(throws: RetakeError.self, "\(name)") { try specification.detector() }
      #expect(error?.code == .corrupt, "\(name): \(error?.description ?? "")")
      #expect(error?.message.contains(path) == true)
      #expect(error?.message.contains("\n") == false)
    }
    let error = #expect(throws: RetakeError.self) {
      try FaceDetectorSpecification(kind + folder.path).detector()
    }
    #expect(error?.code == .corrupt)
  }

  @Test(arguments: [
    "", "dlib", "lbp?scale=1", "lbp?scale=x", "lbp?minimum=0", "lbp?neighbors=0", "lbp?score=0.5", "lbp?scale",
    "lbp?scale=1.2&scale=1.3", "yunet", "yunet:/a?scale=1.2", "yunet:/a?score=2", "none:/a", "recorded?scale=1.1",
  ])
  func `words that are not understood are wrong usage`(text: String) throws {
    let error = #expect(throws: RetakeError.self) { try FaceDetectorSpecification(text) }
    #expect(error?.code == .usage)
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test func `options are part of what is stored`() throws {
    let detector = try #require(try FaceDetectorSpecification("lbp?scale=1.1&minimum=60&neighbors=5").detector())
    #expect(detector.name.hasSuffix(" scale=1.1 minimum=60 neighbors=5"))
    #expect(try FaceDetectorSpecification("recorded").detector() == nil)
    #expect(try FaceDetectorSpecification("none").detector() == nil)
    #expect(FaceDetectorSpecification.hasCascades, "Debian's opencv-data is not installed.")
  }
}
