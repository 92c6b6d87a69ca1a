import FrameModel
import MattePipeline
import Replay
import Scores
import Support

/// Provides the scenes for all settings that receive the same colour frames: the picture, with the
/// truth and the faces that belong to it.
final class SceneStream {
  /// The part of a plan that decides which colour picture arrives when.
  struct Key: Hashable {
    let plan: ReplayPlan

    init(_ plan: ReplayPlan) {
      let delivery = plan.delivery
      var own = DeliverySchedule(depth: DepthSchedule(rate: .one))
      own.throttle = delivery.throttle
      let faults = delivery.faults
      let none = FaultModel.none
      if faults.color != none.color || faults.colorDrops != none.colorDrops {
        own.faults.random = faults.random
        (own.faults.color, own.faults.colorDrops) = (faults.color, faults.colorDrops)
      }
      self.plan = ReplayPlan(own, order: plan.order, firstNumber: plan.firstNumber)
    }

    /// The key of the same pictures in any part of the recording.
    var everything: Key { Key(ReplayPlan(plan.delivery, order: .everything, firstNumber: plan.firstNumber)) }
  }

  private let maker: SceneMaker
  private let cursor: ReplayCursor
  private let color: ColorPicture
  private let truth: TruthFolder?
  /// Converts depth for scores that look for movement; nil if none does, or if truth serves instead.
  private let depth: ScoredDepth?
  private let size: (width: Int, height: Int)
  private var latest: (number: Int, scene: Result<Scene, RetakeError>)?
  private var previousNumber: Int?

  init(
    _ source: SweepSource, _ key: Key, scores: Set<ScoreKind>, reading: SharedReading
  ) throws(RetakeError) {
    let recording = source.recording
    let stream = try source.colorStream()
    size = (stream.layout.width, stream.layout.height)
    color = try ColorPicture(stream)
    let needsTruth = scores.contains(where: \.usesTruth)
    truth = needsTruth ? source.truth : nil
    let isTruthComplete = try reading.hasTruth(scores) && (source.truth?.isComplete ?? true)
    depth = scores.contains(.flicker) && !isTruthComplete ? ScoredDepth(recording, color: stream) : nil
    maker = try reading.sceneMaker(key, scores, depth: depth?.grid)
    cursor = try ReplayCursor(
      recording, key.plan, readsDepth: depth != nil, readsTruth: needsTruth && source.truth == nil,
      decoded: reading.decoded)
  }

  /// - Parameter number: number of a frame set whose colour is delivered; must not decrease between
  ///   calls.
  /// - Throws: read errors, for the first unreadable frame and every later one.
  func scene(_ number: Int) throws(RetakeError) -> Scene {
    if let latest, latest.number == number { return try latest.scene.get() }
    if let latest, case .failure(let error) = latest.scene { throw error }
    do throws(RetakeError) {
      let scene = try advance(to: number)
      latest = (number, .success(scene))
      return scene
    } catch {
      latest = (number, .failure(error))
      throw error
    }
  }

  private func advance(to number: Int) throws(RetakeError) -> Scene {
    while let delivery = try cursor.nextDelivery() {
      let scene = try scene(of: delivery)
      previousNumber = delivery.frames.index
      if delivery.frames.index == number { return scene }
    }
    preconditionFailure("frame set \(number) does not come")
  }

  private func scene(of delivery: ReplayCursor.Delivery) throws(RetakeError) -> Scene {
    let picture = try color.picture(delivery.frames.color)
    let matte = try truth(of: delivery)
    let millimeters = delivery.frames.depth.flatMap { depth?.millimeters($0) }
    return matte.withUnsafe { truth, judged in
      maker.scene(
        number: delivery.frames.index, previousNumber: previousNumber, picture: picture, truth: truth,
        judged: judged, depth: millimeters, faces: delivery.shownFaces)
    }
  }

  private enum Truth {
    case none
    case frame(Frame)
    case matte(TrueMatte)

    func withUnsafe<Value>(_ body: (UnsafePointer<UInt8>?, _ judged: UnsafePointer<UInt8>?) -> Value) -> Value {
      switch self {
      case .none: body(nil, nil)
      case .frame(let frame):
        withExtendedLifetime(frame) { body(frame.bytes.bindMemory(to: UInt8.self).baseAddress, nil) }
      case .matte(let matte):
        matte.samples.withUnsafeBufferPointer { samples in
          guard let judged = matte.judged else { return body(samples.baseAddress, nil) }
          return judged.withUnsafeBufferPointer { body(samples.baseAddress, $0.baseAddress) }
        }
      }
    }
  }

  /// Returns the truth for the displayed picture; none if the truth folder does not have it.
  private func truth(of delivery: ReplayCursor.Delivery) throws(RetakeError) -> Truth {
    if let truth {
      guard truth.contains(delivery.shownNumber) else { return .none }
      do throws(RetakeError) {
        return .matte(try truth.matte(delivery.shownNumber))
      } catch {
        // All mattes were readable at the start, so this is an I/O error that may be temporary.
        throw RetakeError(.inputOutput, error.message, hint: error.hint)
      }
    }
    guard let alpha = delivery.alpha else { return .none }
    guard alpha.byteCount == size.width * size.height else {
      throw RetakeError(
        .corrupt, "The exact alpha of frame set \(delivery.shownNumber) is not whole.",
        hint: "play another part, or give a folder of mattes")
    }
    return .frame(alpha)
  }
}
