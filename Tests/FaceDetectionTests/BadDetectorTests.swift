import FaceDetection
import Foundation
import FrameModel
import Support
import TestSupport
import Testing

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
    #expect(error?.code == .unsupported)
  }

  /// Each would make OpenCV read or write behind the end of its tables, or go round for ever.
  @Test(arguments: [
    ("haarcascades/haarcascade_frontalface_alt2.xml", "-1 -2 1 ", "1 -2 1 "),
    ("haarcascades/haarcascade_frontalface_alt2.xml", "0 1 0 4.3272329494357109e-03", "0 1 1000000000 4.3e-03"),
    ("haarcascades/haarcascade_frontalface_alt2.xml", "0 1 0 4.3272329494357109e-03", "0 1 -1000000 4.3e-03"),
    ("haarcascades/haarcascade_frontalface_alt2.xml", "0 1 0 4.3272329494357109e-03", "0 0 0 4.3e-03 5"),
    ("haarcascades/haarcascade_frontalface_alt2.xml", "-1 -2 1 ", "-1 -2000000 1 "),
    ("haarcascades/haarcascade_frontalface_alt2.xml", "<width>20</width>", "<width>8</width>"),
    ("haarcascades/haarcascade_frontalface_alt2.xml", "<maxCatCount>0</", "<maxCatCount>64</"),
    ("haarcascades/haarcascade_frontalface_alt2.xml", "HAAR", "HOG"),
    ("lbpcascades/lbpcascade_frontalface.xml", "LBP", "HAAR"),
    ("lbpcascades/lbpcascade_frontalface.xml", "<maxCatCount>256</", "<maxCatCount>32</"),
    ("lbpcascades/lbpcascade_frontalface.xml", "<height>24</height>", "<height>12</height>"),
    ("lbpcascades/lbpcascade_frontalface.xml", "0 -1 13 ", "0 -1 900000 "),
    ("lbpcascades/lbpcascade_frontalface.xml", "0 -1 13 ", "1 -1 13 "),
  ])
  func `a cascade that names what is not in it is refused`(file: String, words: String, others: String) throws {
    let folder = try TemporaryFolder()
    let whole = try String(contentsOfFile: CascadeFile.folder + "/" + file, encoding: .utf8)
    try #require(whole.contains(words))
    let path = folder.path("evil.xml")
    try Data(whole.replacingOccurrences(of: words, with: others).utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: RetakeError.self) { try CascadeFile(path: path) }
    #expect(error?.code == .corrupt && error?.message.contains(path) == true)
  }

  @Test func `a feature of a cascade has no more rectangles than OpenCV has room for`() throws {
    let folder = try TemporaryFolder()
    let whole = try String(contentsOfFile: CascadeFaceDetector.Kind.haar.file, encoding: .utf8)
    let start = try #require(whole.range(of: "<rects>"))
    let more = String(repeating: "<_>2 7 16 4 -1.</_>", count: 100)
    let path = folder.path("evil.xml")
    let evil = whole.replacingCharacters(in: start, with: "<rects>" + more)
    try Data(evil.utf8).write(to: URL(fileURLWithPath: path))
    #expect(#expect(throws: RetakeError.self) { try CascadeFile(path: path) }?.code == .corrupt)
  }

  @Test func `every cascade that comes with OpenCV is found to be sound`() throws {
    var count = 0
    let folder = try TemporaryFolder()
    for kind in ["haarcascades", "lbpcascades"] {
      let place = CascadeFile.folder + "/" + kind
      for name in try FileManager.default.contentsOfDirectory(atPath: place) where name.hasSuffix(".xml") {
        // In the form of OpenCV 1, which has no checks, and of no face.
        if name == "haarcascade_licence_plate_rus_16stages.xml" { continue }
        // Elsewhere it is a stranger's, and tried in a child process.
        try FileManager.default.copyItem(atPath: "\(place)/\(name)", toPath: folder.path(name))
        #expect(throws: Never.self, "\(name)") { try CascadeFile(path: folder.path(name)) }
        count += 1
      }
    }
    #expect(count >= 10)
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
