import Parameters

extension ReplayParameters {
  package static let faultSeed = Parameter<Int>(
    "fault.seed", 0...4_294_967_295, default: 0, help: "which frames the faults strike; another number, other frames")

  package static let colorDrop = Parameter<Double>(
    "fault.color-drop", 0...1, default: 0,
    help: "chance that colour is lost from a frame on, for fault.color-burst frames; they give no output")
  package static let colorBurst = Parameter<Int>(
    "fault.color-burst", unit: "frames", 1...120, default: 1, help: "how many colour frames are lost in a row")
  package static let colorDuplicate = Parameter<Double>(
    "fault.color-duplicate", 0...1, default: 0, help: "chance that the colour frame before comes once more instead")
  package static let colorSwap = Parameter<Double>(
    "fault.color-swap", 0...1, default: 0, help: "chance that two neighbouring colour frames come in the wrong order")

  package static let depthDrop = Parameter<Double>(
    "fault.depth-drop", 0...1, default: 0,
    help: "chance that depth is lost from a frame on, for fault.depth-burst frames")
  package static let depthBurst = Parameter<Int>(
    "fault.depth-burst", unit: "frames", 1...120, default: 1, help: "for how many video frames depth is lost")
  package static let depthDuplicate = Parameter<Double>(
    "fault.depth-duplicate", 0...1, default: 0, help: "chance that the depth frame before comes once more instead")
  package static let depthSwap = Parameter<Double>(
    "fault.depth-swap", 0...1, default: 0, help: "chance that two neighbouring depth frames come in the wrong order")
  package static let depthJitter = Parameter<Int>(
    "fault.depth-jitter", unit: "frames", 0...30, default: 0,
    help: "depth comes 0 to so many frames late; what a newer frame overtakes is discarded")
  package static let stuckFrom = Parameter<Int>(
    "fault.stuck-from", unit: "frame", -1...frameLimit, default: -1,
    help: "from this frame on, for fault.stuck-frames frames, the same depth comes again and again; -1: never")
  package static let stuckFrames = Parameter<Int>(
    "fault.stuck-frames", unit: "frames", 1...1_000_000, default: 30, help: "how long depth is stuck")
  package static let depthNoise = Parameter<Double>(
    "fault.depth-noise", unit: "σ", 0...10, default: 0,
    help: "noise that is added to depth: so many times that of a Kinect v1, which grows with the distance")

  package static let facesLostFrom = Parameter<Int>(
    "fault.faces-lost-from", unit: "frame", -1...frameLimit, default: -1,
    help: "from this frame on, for fault.faces-lost-frames frames, no face is seen; -1: never")
  package static let facesLostFrames = Parameter<Int>(
    "fault.faces-lost-frames", unit: "frames", 1...1_000_000, default: 30, help: "how long no face is seen")

  static let faults = [
    faultSeed.declaration, colorDrop.declaration, colorBurst.declaration, colorDuplicate.declaration,
    colorSwap.declaration, depthDrop.declaration, depthBurst.declaration, depthDuplicate.declaration,
    depthSwap.declaration, depthJitter.declaration, stuckFrom.declaration, stuckFrames.declaration,
    depthNoise.declaration, facesLostFrom.declaration, facesLostFrames.declaration,
  ]
}
