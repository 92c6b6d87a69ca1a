import FrameModel
import Kernels
import Scores
import Support

/// A made-up recording to score: an ellipse person that moves over a texture, and a setting's mattes of it with all that goes
/// wrong with mattes. Its frames are numbered with gaps, as where some are left out.
struct MadeRecording {
  struct Frame {
    var number: Int
    /// Packed RGB.
    var picture: [UInt8]
    var truth: [UInt8]?
    /// 0 where the truth is not to be judged; nil if all of it is.
    var judged: [UInt8]?
    var matte: [UInt8]?
    /// What the setting's matte would be without lag.
    var reference: [UInt8]?
    var faces: [FaceObservation]
  }

  let width: Int
  let height: Int
  var frames: [Frame] = []

  init(width: Int, height: Int, count: Int, seed: UInt64, lag: Int = 2) {
    (self.width, self.height) = (width, height)
    var random = SeededGenerator(seed: seed)
    let texture = (0..<(width + 64) * height * 3).map { _ in UInt8(random.next(below: 140)) }
    for i in 0..<count {
      let truth = person(i)
      var matte = person(i - lag)
      for pixel in matte.indices {
        // Noise at the edge, specks on both sides of it.
        let isSoft = matte[pixel] > 0 && matte[pixel] < 255
        if isSoft { matte[pixel] = UInt8(min(255, max(0, Int(matte[pixel]) + random.next(below: 81) - 40))) }
        if random.next(below: 250) == 0 { matte[pixel] = 255 - matte[pixel] }
      }
      if i % 3 == 1 { fill(&matte, 0, side: 6) }
      if i % 7 == 5 { matte = [UInt8](repeating: 0, count: matte.count) }
      frames.append(
        Frame(
          number: 3 * i + 5, picture: picture(texture, truth, i), truth: i % 9 == 6 ? nil : truth,
          judged: i % 4 == 1 ? nil : band(truth, random.next(below: 100)),
          // Two on end, one alone, and not the first.
          matte: i % 11 == 3 || i % 11 == 4 || i == 9 ? nil : matte, reference: i == 8 ? nil : person(i),
          faces: faces(i)))
    }
  }

  private func center(_ i: Int) -> (x: Int, y: Int) { (width / 3 + 2 * i % (width / 3), height / 2 + i % 3) }

  private func person(_ i: Int) -> [UInt8] {
    let (centerX, centerY) = center(max(0, i))
    let radius = Double(height) / 3
    return (0..<width * height).map { pixel in
      let (x, y) = (Double(pixel % width - centerX), Double(pixel / width - centerY) * 0.75)
      return UInt8(min(255, max(0, (radius - (x * x + y * y).squareRoot()) * 50 + 128)))
    }
  }

  /// Leaves out soft edges, and a stripe across the picture.
  private func band(_ truth: [UInt8], _ place: Int) -> [UInt8] {
    truth.indices.map { pixel in
      let isStripe = (0..<3).contains(pixel / width - place * height / 100)
      return isStripe || (64..<192).contains(truth[pixel]) ? 0 : 255
    }
  }

  /// A square in the middle of the picture.
  private func fill(_ matte: inout [UInt8], _ value: UInt8, side: Int) {
    for y in height / 2..<height / 2 + side {
      for x in width / 2..<width / 2 + side { matte[y * width + x] = value }
    }
  }

  /// What is seen of the person moves with it.
  private func picture(_ texture: [UInt8], _ truth: [UInt8], _ i: Int) -> [UInt8] {
    (0..<width * height * 3).map { place in
      let (pixel, channel) = (place / 3, place % 3)
      let (x, y) = (pixel % width, pixel / width)
      let column = x + 32 - (truth[pixel] > 127 ? 2 * i % 32 : 0)
      return texture[(y * (width + 64) + column) * 3 + channel] + truth[pixel] / (channel == 1 ? 4 : 3)
    }
  }

  /// None, one, or three of which one reaches outside and one lies there.
  private func faces(_ i: Int) -> [FaceObservation] {
    func face(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> FaceObservation {
      FaceObservation(
        box: .init(x: x, y: y, width: width, height: height), confidence: 1, roll: nil, pitch: nil, yaw: nil,
        detector: "made up")
    }
    let (x, y) = (Double(center(i).x), Double(center(i).y))
    switch i % 4 {
    case 0: return []
    case 1: return [face(Double(width) + 3, -20, 10, 10)]
    case 2: return [face(x - 6.25, y - 9.5, 12.125, 11.75)]
    default: return [face(x, y, 4, 4), face(-3.5, 2.25, 14, 9), face(Double(width) + 1, 4, 5, 5)]
    }
  }
}

extension MadeRecording {
  func scene(_ maker: SceneMaker, _ i: Int) -> Scene {
    let frame = frames[i]
    let plane = PixelPlane<UInt8>(width: width, height: height, channels: 3)
    for (place, value) in frame.picture.enumerated() { plane.samples[place] = value }
    return withBytes(frame.truth) { truth in
      withBytes(frame.truth == nil ? nil : frame.judged) {
        maker.scene(
          number: frame.number, previousNumber: i == 0 ? nil : frames[i - 1].number, picture: plane, truth: truth,
          judged: $0, faces: frame.faces)
      }
    }
  }

  func maker(_ scores: Set<ScoreKind>, keeping: Int = 4) -> SceneMaker {
    SceneMaker(
      scores: scores, width: width, height: height, hasTruth: frames.contains { $0.truth != nil }, keeping: keeping)
  }

  /// All frames, scored with scenes made anew.
  func scored(_ scores: Set<ScoreKind>, lag: Bool = true) -> ScoredRecording {
    let maker = maker(scores)
    let scorer = SettingScorer(scores: scores, width: width, height: height)
    for i in frames.indices { take(i, scene(maker, i), scorer, lag: lag) }
    return scorer.finish(reference: 0)
  }

  func take(_ i: Int, _ scene: Scene, _ scorer: SettingScorer, lag: Bool = true) {
    let reference = ReferenceMatte(width: width, height: height)
    withBytes(frames[i].reference) { reference.take($0, scene) }
    withBytes(frames[i].matte) { matte in
      scorer.take(scene, matte: matte, references: [reference])
      if lag { withBytes(frames[i].reference) { scorer.takeForLag(matte: matte, reference: $0) } }
    }
  }
}

func withBytes<Result>(_ bytes: [UInt8]?, _ body: (UnsafePointer<UInt8>?) -> Result) -> Result {
  guard let bytes else { return body(nil) }
  return bytes.withUnsafeBufferPointer { body($0.baseAddress) }
}
