import FrameModel
import Parameters
import Support

package enum ReplayParameters {
  package static let depthRate = Parameter<Fraction>(
    "depth.rate", default: .one,
    help: "depth frames delivered for each video frame; between deliveries the last depth is held")
  package static let depthPhase = Parameter<Int>(
    "depth.phase", unit: "frames", -1...1_000_000, default: -1,
    help: "shifts the depth schedule by so many video frames; -1: depth is due on the first")
  package static let depthLatency = Parameter<Int>(
    "depth.latency", unit: "frames", 0...60, default: 0, help: "depth comes so many video frames after its own")

  package static let facesRate = Parameter<Fraction>(
    "faces.rate", default: .one,
    help: "video frames that a detector looks at, of all; between them the last faces hold")
  package static let facesLatency = Parameter<Int>(
    "faces.latency", unit: "frames", 0...60, default: 0, help: "faces come so many video frames after their own")

  package static let throttleFrom = Parameter<Int>(
    "throttle.from", unit: "frame", -1...frameLimit, default: -1,
    help: "from this frame on the cameras give only throttle.rate of their frames, as a hot telephone does; -1: never")
  package static let throttleRate = Parameter<Fraction>(
    "throttle.rate", default: Fraction(1, 2) ?? .one,
    help: "frames that come from throttle.from on, colour and depth, of those that were recorded")

  /// More frame sets than a replay of a year has.
  package static let frameLimit = 1_000_000_000

  /// Fixed during a replay: the delivery of a frame depends on earlier frames.
  package static let all =
    [
      depthRate.declaration, depthPhase.declaration, depthLatency.declaration, facesRate.declaration,
      facesLatency.declaration, throttleFrom.declaration, throttleRate.declaration,
    ] + faults
}

extension ReplayParameters {
  /// The only parameters that apply to cameras too.
  private static let ofCameras = [depthRate.declaration.name, depthPhase.declaration.name]

  /// - Throws: `.usage` naming a parameter that is set but applies only to replays.
  package static func checkForCameras(_ parameters: ParameterSet) throws(RetakeError) {
    let names = Set(all.map(\.name)).subtracting(ofCameras)
    let defaults = ParameterSet(parameters.declarations)
    let set = zip(parameters.entries, defaults.entries).filter { names.contains($0.name) && $0.value != $1.value }
    guard let first = set.first?.0.name else { return }
    throw RetakeError(
      .usage, "\(first) is about replays; cameras deliver what they deliver.",
      hint: "record, then 'retake replay' with --set \(first)=…")
  }
}
