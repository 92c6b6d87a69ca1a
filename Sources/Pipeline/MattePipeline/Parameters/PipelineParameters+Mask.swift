import Kernels
import Parameters

extension PipelineParameters {
  package static let maskKind = Parameter<String>(
    "mask.kind", oneOf: MaskKind.allCases.map(\.rawValue),
    help: "face: as near as the face and an offset; cutoff: nearer than a distance; high-pass, sharp-high-pass and "
      + "band-pass: by disparity round mask.focus; plate: what the empty scene was not; segmentation: by a network; all"
  )
  package static let maskSecond = Parameter<String>(
    "mask.second", oneOf: ["none"] + MaskKind.allCases.map(\.rawValue), help: "another mask to combine the first with")
  package static let maskCombine = Parameter<String>(
    "mask.combine", oneOf: ["union", "intersection", "difference"],
    help: "in either mask, in both, or in the first and not in the second")
  package static let maskHoles = Parameter<String>(
    "mask.holes", oneOf: HoleRule.allCases.map(\.rawValue),
    help: "what pixels without depth are; near: the person where they came too near for the sensor, else background; "
      + "auto: background, but as near as can be for high-pass and band-pass")
  package static let faceSample = Parameter<String>(
    "mask.face-sample", oneOf: ["median", "center-pixel"],
    help: "depth of the face: median of the inner box, or its centre pixel with no guard against holes")
  package static let offset = Parameter<Double>(
    "mask.offset", unit: "m", -1...5, default: 0.25,
    help: "how far behind the face the person ends; further away is background")
  package static let start = Parameter<Double>(
    "mask.start", unit: "m", 0...20, default: 1,
    help: "the cut-off until the first face is seen; later the last one holds")
  package static let cutoff = Parameter<Double>(
    "mask.cutoff", unit: "m", 0...65, default: 1.2, help: "mask.kind=cutoff: what is nearer is the person")
  package static let focus = Parameter<Double>(
    "mask.focus", unit: "1/m", 0...1.5, default: 0.75,
    help: "disparity in focus: 0.75 is 1.33 m; what is nearer than 1 m counts as 1")
  package static let slope = Parameter<Double>(
    "mask.slope", unit: "m", 1...100, default: 4,
    help: "steepness of high-pass and band-pass; sharp-high-pass has 10")
  package static let plateFrames = Parameter<Int>(
    "mask.plate-frames", unit: "depth frames", 1...1000, default: 30,
    help: "how many of the first depth frames without a face teach what the empty scene looks like")
  package static let plateMargin = Parameter<Double>(
    "mask.plate-margin", unit: "m", 0...1, default: 0.06,
    help: "so much nearer than the empty scene, and beyond the sensor's noise, is the person")
  package static let plateHoles = Parameter<String>(
    "mask.plate-holes", oneOf: BackgroundPlate.Hole.allCases.map(\.rawValue),
    help: "mask.kind=plate: pixels that had no depth in the empty scene; fill: as far as what is beside them; person: "
      + "whatever is measured there; background: never the person, for what shines")
  package static let maskModel = Parameter<String>.path(
    "mask.model", help: "ONNX file of the segmentation network; FILE.yaml beside it says what its input and output are")
  package static let maskLabel = Parameter<Int>(
    "mask.label", 0...255, default: 15, help: "which label of a network that gives one label a pixel is the person")
  package static let maskSoft = Parameter<Bool>(
    "mask.soft", default: false, help: "keep the network's one-channel matte soft, rather than cut it at mask.threshold"
  )
  package static let maskThreshold = Parameter<Double>(
    "mask.threshold", 0.01...1, default: 0.5, help: "from where on a network's one-channel matte is the person")
  package static let maskEvery = Parameter<Int>(
    "mask.every", unit: "frames", 1...60, default: 1, help: "the network looks at one of so many video frames")

  package static let maskQuality = Parameter<String>(
    "mask.quality", oneOf: ["balanced", "fast", "accurate"],
    help: "which of the input sizes of the network's YAML file it is given: smaller is faster")

  static let maskParameters = [
    maskKind.declaration, maskSecond.declaration, maskCombine.declaration, maskHoles.declaration,
    faceSample.declaration, offset.declaration, start.declaration, cutoff.declaration, focus.declaration,
    slope.declaration, plateFrames.declaration, plateMargin.declaration, plateHoles.declaration,
    maskModel.declaration,
    maskLabel.declaration, maskSoft.declaration, maskThreshold.declaration, maskEvery.declaration,
    maskQuality.declaration,
  ]
}
