import Parameters
import Support

package struct DeliveryParameters: ParameterGroup {
  package let depthRate = Parameter<Fraction>(
    "depth.rate", default: .one,
    help: "depth frames delivered per video frame; between deliveries the last depth is held")
  package let depthPhase = Parameter<Int>(
    "depth.phase", unit: "frames", -1...1_000_000, default: -1,
    help: "shifts the depth schedule by this many video frames; -1: depth is due on the first frame")
  package let depthLatency = Parameter<Int>(
    "depth.latency", unit: "frames", 0...60, default: 0, help: "number of video frames by which depth arrives late")

  package let facesRate = Parameter<Fraction>(
    "faces.rate", default: .one,
    help: "share of video frames in which faces are detected; in between, the last faces hold")
  package let facesLatency = Parameter<Int>(
    "faces.latency", unit: "frames", 0...60, default: 0, help: "number of video frames by which faces arrive late")

  package let throttleFrom = Parameter<Int>(
    "throttle.from", unit: "frame", -1...ReplayParameters.frameLimit, default: -1,
    help:
      "from this frame on, the cameras deliver only throttle.rate of their frames, as an overheated phone does; "
      + "-1: never"
  )
  package let throttleRate = Parameter<Fraction>(
    "throttle.rate", default: Fraction(1, 2) ?? .one,
    help: "share of the recorded frames, colour and depth, delivered from throttle.from on")
}

/// Fixed during a replay: the delivery of a frame depends on earlier frames.
package enum ReplayParameters {
  package static let delivery = DeliveryParameters()
  package static let faults = FaultParameters()
  package static let all = delivery.declarations + faults.declarations

  /// More frame sets than a replay of a year has.
  package static let frameLimit = 1_000_000_000

  /// The only parameters that apply to cameras too.
  private static let ofCameras = [delivery.depthRate.declaration.name, delivery.depthPhase.declaration.name]

  /// Names of parameters without a meaning for running cameras.
  package static var onlyForReplays: Set<String> { Set(all.map(\.name)).subtracting(ofCameras) }

  /// - Throws: `.usage` naming a parameter that is set but applies only to replays.
  package static func checkForCameras(_ parameters: ParameterSet) throws(RetakeError) {
    let names = onlyForReplays
    let defaults = ParameterSet(parameters.declarations)
    let set = zip(parameters.entries, defaults.entries).filter { names.contains($0.name) && $0.value != $1.value }
    guard let first = set.first?.0.name else { return }
    throw RetakeError(
      .usage, "\(first) applies only to replays, not to cameras.",
      hint: "record first, then use 'retake replay' with --set \(first)=…")
  }
}
