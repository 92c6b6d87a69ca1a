/// Scores one setting's mattes over one recording, frame by frame. Serves one thread at a time.
///
/// A frame without a matte counts as an empty matte, so that a setting gains nothing by giving none. Flicker and edge alignment
/// are the exceptions, since an empty matte is perfect in both: they need mattes.
package final class SettingScorer {
  private let kinds: [ScoreKind]
  private let inputs: ScoreDefinition.Inputs
  private let width: Int
  private let height: Int
  private(set) var frames: [ScoredFrame] = []
  private(set) var areas = AreaSeries()
  /// Nil while the setting is its own reference.
  private(set) var lag: LagEstimate?
  /// An empty matte, for lag; made when it is first needed.
  private lazy var nothing: ReducedPlane = {
    let empty = MatteFeatures(width: width, height: height)
    // Its plane is borrowed.
    return withExtendedLifetime(empty) { ReducedPlane(empty.plane) }
  }()
  /// The frame before, all zero where it had no matte; nil where no wanted score looks back.
  private var matteBefore: MatteFeatures?

  /// - Parameters:
  ///   - scores: what is wanted; nothing else is computed.
  ///   - width, height: of every matte, pixels.
  package init(scores: Set<ScoreKind>, width: Int, height: Int) {
    kinds = ScoreKind.allCases.filter(scores.contains)
    (inputs, self.width, self.height) = (scores.inputs, width, height)
    matteBefore = inputs.contains(.before) ? MatteFeatures(width: width, height: height) : nil
  }

  /// Scores the next frame in the order of play.
  ///
  /// What compares with the frame before is absent where the scene's frame before is not the one that was taken last.
  /// - Parameter matte: `width` · `height` bytes, 255 for the person; nil where the setting gave none.
  package func take(_ scene: Scene, matte samples: UnsafePointer<UInt8>?) {
    precondition(scene.scratch.width == width && scene.scratch.height == height)
    let piece = scene.scratch.take()
    defer { scene.scratch.giveBack(piece) }
    let matte = piece.matte
    if let samples { matte.take(BytePlane(samples, width: width, height: height)) } else { matte.takeNothing() }
    let last = frames.last.flatMap { $0.number == scene.previousNumber ? $0 : nil }
    var frame = FrameScorer(
      scene, matte, hasMatte: samples != nil, before: last == nil ? nil : matteBefore,
      hadMatte: last?.hasMatte ?? false, piece.memory)
    var row = ScoreRow()
    for kind in kinds { row[kind] = kind.definition.ofFrame?(&frame) }
    if inputs.contains(.area) { areas.append(frame.shape.area) }
    if let matteBefore {
      piece.matte = matteBefore
      self.matteBefore = matte
    }
    frames.append(ScoredFrame(number: scene.number, hasMatte: samples != nil, scores: row))
  }

  /// For lag: the next frame's matte beside the one of a setting that does not lag. Once for each frame, in order; where it is
  /// never called, the setting is its own reference, and its lag is 0.
  /// - Parameters: `width` · `height` bytes each; nil, for none, counts as an empty one.
  package func takeForLag(matte: UnsafePointer<UInt8>?, reference: UnsafePointer<UInt8>?) {
    guard inputs.contains(.lag) else { return }
    if lag == nil { lag = LagEstimate() }
    lag?.add(reduced(matte), reference: reduced(reference))
  }

  private func reduced(_ matte: UnsafePointer<UInt8>?) -> ReducedPlane {
    matte.map { ReducedPlane(BytePlane($0, width: width, height: height)) } ?? nothing
  }

  /// What it is worth, of all frames that were taken.
  package func finish() -> ScoredRecording {
    var summary = ScoreRow()
    for kind in kinds { summary[kind] = kind.definition.ofRecording(self) }
    return ScoredRecording(frames: frames, summary: summary)
  }

  /// Over frames that have a value, added up in order.
  func mean(_ kind: ScoreKind) -> Double? {
    var (sum, count) = (0.0, 0)
    for frame in frames {
      guard let score = frame.scores[kind] else { continue }
      sum += score
      count += 1
    }
    return count == 0 ? nil : sum / Double(count)
  }
}
