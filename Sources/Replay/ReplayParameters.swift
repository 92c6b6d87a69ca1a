import Parameters

/// What can be set about how a recording is fed to the pipeline.
package enum ReplayParameters {
  package static let depthRate = Parameter<Fraction>(
    "depth.rate", default: .one,
    help: "depth frames delivered for each video frame; between deliveries the last depth is held")
  /// −1 stands for the phase at which video frame 0 gets depth.
  package static let depthPhase = Parameter<Int>(
    "depth.phase", unit: "frames", -1...1_000_000, default: -1,
    help: "shifts the depth schedule by so many video frames; -1: depth is due on the first")

  package static let all = [depthRate.declaration, depthPhase.declaration]
}
