import Parameters

package struct FaultParameters: ParameterGroup {
  package let seed = Parameter<Int>(
    "fault.seed", 0...4_294_967_295, default: 0, help: "seed of the faults; another seed affects other frames")

  package let colorDrop = Parameter<Double>(
    "fault.color-drop", 0...1, default: 0,
    help: "probability that a burst of fault.color-burst lost colour frames begins at a frame; they give no output")
  package let colorBurst = Parameter<Int>(
    "fault.color-burst", unit: "frames", 1...120, default: 1, help: "number of colour frames lost in a burst")
  package let colorDuplicate = Parameter<Double>(
    "fault.color-duplicate", 0...1, default: 0, help: "probability that a colour frame is replaced by the previous one")
  package let colorSwap = Parameter<Double>(
    "fault.color-swap", 0...1, default: 0, help: "probability that two neighbouring colour frames are swapped")

  package let depthDrop = Parameter<Double>(
    "fault.depth-drop", 0...1, default: 0,
    help: "probability that a burst of fault.depth-burst frames without depth begins at a frame")
  package let depthBurst = Parameter<Int>(
    "fault.depth-burst", unit: "frames", 1...120, default: 1,
    help: "number of video frames for which depth is lost in a burst")
  package let depthDuplicate = Parameter<Double>(
    "fault.depth-duplicate", 0...1, default: 0, help: "probability that a depth frame is replaced by the previous one")
  package let depthSwap = Parameter<Double>(
    "fault.depth-swap", 0...1, default: 0, help: "probability that two neighbouring depth frames are swapped")
  package let depthJitter = Parameter<Int>(
    "fault.depth-jitter", unit: "frames", 0...30, default: 0,
    help: "largest random delay of depth; depth that a newer frame overtakes is discarded")
  package let stuckFrom = Parameter<Int>(
    "fault.stuck-from", unit: "frame", -1...ReplayParameters.frameLimit, default: -1,
    help: "from this frame on, for fault.stuck-frames frames, the same depth is repeated; -1: never")
  package let stuckFrames = Parameter<Int>(
    "fault.stuck-frames", unit: "frames", 1...1_000_000, default: 30, help: "number of frames for which depth is stuck")
  package let depthNoise = Parameter<Double>(
    "fault.depth-noise", unit: "σ", 0...10, default: 0,
    help: "noise added to depth, in multiples of a Kinect v1's noise, which grows with the distance")

  package let facesLostFrom = Parameter<Int>(
    "fault.faces-lost-from", unit: "frame", -1...ReplayParameters.frameLimit, default: -1,
    help: "from this frame on, for fault.faces-lost-frames frames, no face is detected; -1: never")
  package let facesLostFrames = Parameter<Int>(
    "fault.faces-lost-frames", unit: "frames", 1...1_000_000, default: 30,
    help: "number of frames without a detected face")
}
