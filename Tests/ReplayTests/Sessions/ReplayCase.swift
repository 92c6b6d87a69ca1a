import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// A replay, all drawn from a seed: a preset and a profile, any parameters of pipeline, schedule and faults, changes on the way, and an
/// order of play.
struct ReplayCase {
  let description: String
  private let request: ReplayRequest

  /// - Parameter frames: of the recording.
  init(seed: UInt64, frames: Int) throws {
    var random = SeededGenerator(seed: seed)
    let preset = random.pick(Preset.all.filter { !$0.needsNetwork })
    var parameters = try preset.parameters(ReplaySession.declarations)
    // The recording is too short to learn from many frames.
    try parameters.set("mask.plate-frames", to: "1")
    if random.next(below: 6) == 0 { try random.pick(DeviceProfile.all).apply(to: &parameters) }
    for declaration in ReplaySession.declarations {
      let isReplays = ReplayParameters.all.contains(declaration)
      guard random.next(below: isReplays ? 3 : 12) == 0, let text = random.value(of: declaration, frames: frames) else {
        continue
      }
      try parameters.set(declaration.name, to: text)
    }
    let fixed = PipelineParameters.fixedWhileRunning
    let changeable = PipelineParameters.all.filter { !fixed.contains($0.name) }
    var changes: [(frame: Int, assignment: String)] = []
    for _ in 0..<random.next(below: 4) {
      let declaration = random.pick(changeable)
      if let text = random.value(of: declaration, frames: frames) {
        changes.append((random.next(below: frames), "\(declaration.name)=\(text)"))
      }
    }
    var order = PlayOrder(frames: 0..<Int.max)
    if random.next(below: 3) > 0 {
      let first = random.next(below: frames)
      order.frames = first..<first + 1 + random.next(below: frames - first)
      order.every = 1 + random.next(below: 3)
      order.isReversed = random.next(below: 2) == 0
      order.passCount = 1 + random.next(below: 2)
    }
    request = ReplayRequest(
      preset: preset.name, parameters: parameters, changes: try ParameterTimeline(from: parameters, changes),
      order: order, firstNumber: random.next(below: 3) == 0 ? random.next(below: 1000) : 0)
    let defaults = ParameterSet(ReplaySession.declarations).canonicalText.split(separator: "\n")
    let set = parameters.canonicalText.split(separator: "\n").filter { !defaults.contains($0) }
    description =
      "seed \(seed): \(preset.name) \(set.joined(separator: " ")) at \(changes.map { "\($0.frame) \($0.assignment)" }), "
      + "order \(order), first \(request.firstNumber)"
  }

  /// What a replay came to; the same for every run and any number of threads.
  struct Outcome: Equatable {
    var lines: [String] = []
    var counts: ReplayCounts?
    var skipped: Int?
    var error: String?
  }

  func run(_ recording: Recording, threadCount: Int) -> Outcome {
    var outcome = Outcome()
    let collector = DigestCollector()
    do throws(RetakeError) {
      let session = try ReplaySession(recording, request, threadCount: threadCount)
      let result = try session.run(RenderOutputs([("digests", collector)]))
      (outcome.counts, outcome.skipped) = (result.counts, result.skipped)
    } catch {
      outcome.error = "\(error)"
    }
    outcome.lines = collector.lines
    return outcome
  }
}

extension Preset {
  /// Those whose masks a network makes need a file that is not here.
  var needsNetwork: Bool { assignments.contains("mask.kind=segmentation") }
}

extension SeededGenerator {
  /// - Returns: nil for what names a file.
  mutating func value(of declaration: ParameterDeclaration, frames: Int) -> String? {
    switch declaration.domain {
    case .integer(let range):
      // What speaks of frames is to speak of those that there are.
      let low = max(range.lowerBound, 0)
      let isOfFrames = declaration.unit.hasPrefix("frame")
      return "\(min(range.upperBound, low + next(below: isOfFrames ? frames : 5)))"
    case .real(let range): return "\(range.lowerBound + nextUnit() * (range.upperBound - range.lowerBound))"
    case .flag: return pick(["true", "false"])
    case .fraction: return pick(["1", "1/2", "2/3", "1/5"])
    case .choice(let choices): return pick(choices.filter { $0 != "segmentation" })
    case .color: return pick(["#000000", "#ffffff", "#12c0fe"])
    case .path, .text, .size, .rate, .frames, .span: return nil
    }
  }
}
