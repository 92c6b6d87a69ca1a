import FaceDetection
import FrameModel
import Support
import TestSupport
import Testing

/// The simulated person's face, whose place and angles are known.
@Suite(.long) struct SimulatedFaceTests {
  private struct Score {
    var frameCount = 0
    var found = 0
    var overlaps = 0
    var errors: [String: [Double]] = [:]

    func text(_ name: String) -> String {
      let worst = errors.mapValues { $0.max() ?? 0 }.sorted { $0.key < $1.key }
      let angles = worst.map { "\($0.key) \(($0.value * 10).rounded() / 10)° of \(errors[$0.key]!.count)" }
      return
        "\(name): \(overlaps) of \(frameCount) boxes overlap by half, found \(found); worst \(angles.joined(separator: ", "))"
    }
  }

  private func score(_ detector: String, _ options: String) throws -> Score {
    let (streams, instants) = try FaceSupport.simulated(options)
    let detector = try #require(try FaceDetectorSpecification(detector).detector())
    let finder = try FaceFinder(detector, color: streams[0], depth: streams[1])
    var score = Score()
    for instant in instants {
      let truth = try #require(instant.truth)
      let faces = try finder.faces(in: instant.color, depth: instant.depth)
      score.frameCount += 1
      guard let face = faces.first else { continue }
      score.found += 1
      if face.box.overlap(with: truth.box) >= 0.5 { score.overlaps += 1 }
      let angles = [("roll", face.roll, truth.roll), ("yaw", face.yaw, truth.yaw), ("pitch", face.pitch, truth.pitch)]
      for (name, found, truth) in angles {
        if let found, let truth { score.errors[name, default: []].append(abs(found - truth) * 180 / .pi) }
      }
    }
    return score
  }

  @Test(arguments: [
    ("lbp", "seed=1&fps=10&frames=120"), ("lbp", "seed=2&fps=10&frames=120"),
    ("haar", "seed=3&fps=10&frames=60"), ("lbp", "seed=4&fps=10&frames=40&format=GRBG8&depth=raw11"),
    ("lbp", "seed=5&fps=10&frames=40&format=YUYV&depth-size=320x240&depth=disparity"),
    ("lbp", "seed=6&fps=10&frames=20&size=1280x720&format=NV12&depth-size=640x360"),
  ])
  func `boxes overlap the truth, and angles are within 8 degrees of it`(detector: String, options: String) throws {
    let score = try score(detector, options)
    print(score.text("\(detector) \(options)"))
    #expect(Double(score.overlaps) >= 0.95 * Double(score.frameCount))
    for name in ["roll", "yaw", "pitch"] {
      let errors = try #require(score.errors[name])
      #expect(Double(errors.count) >= 0.9 * Double(score.frameCount), "\(name) is rarely known")
      #expect(errors.allSatisfy { $0 <= 8 }, "\(name): \(errors.max() ?? 0)")
    }
  }

  @Test func `the empty room has no face`() throws {
    let (streams, instants) = try FaceSupport.simulated("person=0&faces=0&fps=10&frames=5")
    let detector = try #require(try FaceDetectorSpecification("lbp").detector())
    let finder = try FaceFinder(detector, color: streams[0], depth: streams[1])
    for instant in instants { #expect(try finder.faces(in: instant.color, depth: instant.depth).isEmpty) }
  }

  @Test func `a face that is hidden for a moment is carried on, marked, and then gone`() throws {
    let (streams, instants) = try FaceSupport.simulated("seed=1&frames=40")
    let detector = try #require(try FaceDetectorSpecification("lbp").detector())
    let finder = try FaceFinder(detector, color: streams[0], depth: nil)
    let layout = streams[0].layout
    let black = FramePicture(
      layout: layout, buffer: FrameBuffer(byteCount: layout.byteCount), byteCount: layout.byteCount)
    var ages: [Int?] = []
    var confidence: [Double] = []
    for (index, instant) in instants.enumerated() {
      let isHidden = (5..<9).contains(index) || (20..<36).contains(index)
      let faces = try finder.faces(in: isHidden ? black : instant.color, depth: nil)
      ages.append(faces.first?.framesSinceSeen)
      confidence.append(faces.first?.confidence ?? 0)
      if let truth = instant.truth, let face = faces.first { #expect(face.box.overlap(with: truth.box) > 0.5) }
    }
    #expect(Array(ages[..<5]) == [0, 0, 0, 0, 0])
    #expect(Array(ages[5..<10]) == [1, 2, 3, 4, 0])
    #expect(Array(ages[20..<36]) == (1...10).map { Int?($0) } + Array(repeating: nil, count: 6))
    #expect(ages[36] == 0)
    #expect(confidence[6] < confidence[5] && confidence[5] < confidence[4])
  }

  @Test func `frames that nobody looked at count in how long a hidden face is carried on`() throws {
    let (streams, instants) = try FaceSupport.simulated("seed=1&frames=3")
    let detector = try #require(try FaceDetectorSpecification("lbp").detector())
    let finder = try FaceFinder(detector, color: streams[0], depth: nil)
    let layout = streams[0].layout
    let black = FramePicture(
      layout: layout, buffer: FrameBuffer(byteCount: layout.byteCount), byteCount: layout.byteCount)
    for instant in instants { #expect(try finder.faces(in: instant.color, depth: nil).first?.framesSinceSeen == 0) }
    finder.skip(4)
    #expect(try finder.faces(in: black, depth: nil).first?.framesSinceSeen == 5)
    finder.skip(3)
    #expect(try finder.faces(in: black, depth: nil).first?.framesSinceSeen == 9)
    // One that cannot be read is one that nobody saw.
    let torn = FramePicture(layout: layout, buffer: FrameBuffer(byteCount: layout.byteCount), byteCount: 1)
    #expect(throws: RetakeError.self) { try finder.faces(in: torn, depth: nil) }
    #expect(try finder.faces(in: black, depth: nil).isEmpty)
  }

  @Test func `the same frames give the same faces, whoever else looks`() throws {
    let (streams, instants) = try FaceSupport.simulated("seed=9&fps=10&frames=15")
    func run() throws -> [[FaceObservation]] {
      let detector = try #require(try FaceDetectorSpecification("lbp").detector())
      let finder = try FaceFinder(detector, color: streams[0], depth: streams[1])
      return try instants.map { try finder.faces(in: $0.color, depth: $0.depth) }
    }
    let (first, second) = (try run(), try run())
    #expect(first == second)
    #expect(first.contains { !$0.isEmpty })
  }
}
