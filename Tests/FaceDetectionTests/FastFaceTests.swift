import FaceDetection
import FrameModel
import Media
import Support
import Testing

/// Faces that are elsewhere in the next frame, as of a person who walks past at a few frames a second.
@Suite struct FastFaceTests {
  /// Sees the faces of a frame, near a known one only if they overlap it.
  private final class PlacedFaces: FaceDetector {
    let name = "placed"
    let usefulSide = 480
    var boxes: [FaceObservation.Box] = []

    func faces(in picture: GreyImage, _ search: FaceSearch) throws(RetakeError) -> [DetectedFace] {
      boxes.filter { box in
        guard case .near(let known) = search else { return true }
        return box.overlap(with: known) > 0.3
      }.map { DetectedFace(box: $0, confidence: 0.9) }
    }

    func roll(in picture: GreyImage, of face: DetectedFace) throws(RetakeError) -> Double? { nil }
    func remedies(in picture: GreyImage, hasDepth: Bool) -> [FaceRemedy] { [] }
  }

  private func box(_ x: Double, width: Double = 100) -> FaceObservation.Box {
    FaceObservation.Box(x: x, y: 150, width: width, height: width)
  }

  /// What is found in frames with these faces.
  private func found(_ frames: [[FaceObservation.Box]], rate: Int) throws -> [[FaceObservation]] {
    let picture = try FaceSupport.picture(RGBImage(width: 640, height: 480))
    var stream = try FaceSupport.stream(.color, picture.layout)
    stream.rate = try FrameRate(rate)
    let detector = PlacedFaces()
    let finder = try FaceFinder(detector, color: stream, depth: nil)
    return try frames.map { boxes in
      detector.boxes = boxes
      return try finder.faces(in: picture, depth: nil)
    }
  }

  @Test(arguments: [(70.0, 5), (120, 5), (70, 15), (45, 30)])
  func `a face that moves far from frame to frame is seen in every frame`(step: Double, rate: Int) throws {
    let boxes = (0..<5).map { box(Double($0) * step) }
    for (faces, box) in zip(try found(boxes.map { [$0] }, rate: rate), boxes) {
      #expect(faces.map(\.framesSinceSeen) == [0] && faces.map(\.box) == [box])
    }
  }

  @Test func `a face is not carried over to one that it cannot have become`() throws {
    for other in [box(400), box(160, width: 150), box(160, width: 60)] {
      let faces = try found([[box(100)], [other]], rate: 30)[1]
      #expect(faces.map(\.framesSinceSeen) == [1] && faces.map(\.box) == [box(100)], "\(other)")
    }
    // One who was overlooked for a frame is not taken for another, who left meanwhile.
    let both = [box(100), box(250)]
    let next = try found([both, both, [], [box(250)]], rate: 5)[3]
    #expect(next.map(\.framesSinceSeen) == [2, 0] && next.map(\.box.x) == [100, 250])
    // Whoever is still where they were is not taken for the one who left.
    let faces = try found([[box(100), box(250)], [box(100), box(250)], [box(250)]], rate: 5)[2]
    #expect(faces.map(\.framesSinceSeen) == [1, 0] && faces.map(\.box.x) == [100, 250])
  }
}
