import Kernels
import Parameters

package struct MaskParameters: ParameterGroup {
  package let kind = Parameter<MaskKind>(
    "mask.kind",
    help:
      "what counts as the person; face: up to mask.offset behind the face; cutoff: nearer than mask.cutoff; "
      + "high-pass, sharp-high-pass, band-pass: by disparity around mask.focus; plate: nearer than the empty "
      + "scene; segmentation: by a network; all: everything"
  )
  package let second = Parameter<MaskKind?>(
    "mask.second",
    help: "second mask, combined with the first by mask.combine")
  package let combine = Parameter<MaskCombination.Rule>(
    "mask.combine",
    help: "union: in either mask; intersection: in both; difference: in the first but not in the second")
  package let holes = Parameter<HoleRule>(
    "mask.holes",
    help:
      "how pixels without depth count; near: foreground where the person came too near for the sensor, else "
      + "background; auto: background, but the nearest possible depth for high-pass and band-pass"
  )
  package let faceSample = Parameter<FaceCutoff.Sample>(
    "mask.face-sample",
    help:
      "how the face's depth is measured; median: of the middle of its box, center-pixel: the centre pixel, even "
      + "if it is a hole"
  )
  package let offset = Parameter<Double>(
    "mask.offset", unit: "m", -1...5, default: 0.25,
    help:
      "mask.kind=face: how far behind the face the person extends; everything farther is background; counts only where "
      + "something is that near behind a face")
  package let start = Parameter<Double>(
    "mask.start", unit: "m", 0...20, default: 1,
    help: "cut-off distance until the first face is detected; then the last face's cut-off holds")
  package let withoutFace = Parameter<FaceCutoff.WithoutFace>(
    "mask.without-face",
    help:
      "mask.kind=face: what cuts frames without a face; last: the last face's distance, nearest: the gap behind "
      + "the nearest large thing"
  )
  package let movement = Parameter<Bool>(
    "mask.movement", default: false,
    help:
      "mask.kind=face: also take what moves, which is nearer than what was seen there before; for cameras that "
      + "stand still")
  package let emptyStart = Parameter<Bool>(
    "mask.empty-start", default: false,
    help:
      "mask.kind=face: if no face and no movement is in the first mask.plate-frames depth frames, that is the empty scene; from "
      + "the first face or movement on, the person is what is nearer than that, as with mask.kind=plate")
  package let cutoff = Parameter<Double>(
    "mask.cutoff", unit: "m", 0...65, default: 1.2, help: "mask.kind=cutoff: everything nearer is the person")
  package let focus = Parameter<Double>(
    "mask.focus", unit: "1/m", 0...1.5, default: 0.75,
    help: "disparity in focus; 0.75 is 1.33 m; everything nearer than 1 m counts as 1")
  package let slope = Parameter<Double>(
    "mask.slope", unit: "m", 1...100, default: 4,
    help: "steepness of high-pass and band-pass; sharp-high-pass always uses 10")
  package let plate = Parameter<String>.path(
    "mask.plate",
    help: "file of the empty scene, as 'retake plate' writes it; without one, the empty scene is learned at the start")
  package let plateFrames = Parameter<Int>(
    "mask.plate-frames", unit: "depth frames", 1...1000, default: 30,
    help: "number of depth frames without a face, at the start, from which the empty scene is learned")
  package let plateMargin = Parameter<Double>(
    "mask.plate-margin", unit: "m", 0...1, default: 0.06,
    help: "the person is nearer than the empty scene by more than this and the sensor's noise")
  package let plateHoles = Parameter<BackgroundPlate.Hole>(
    "mask.plate-holes",
    help:
      "mask.kind=plate: how pixels without depth in the empty scene are handled; fill: use the depth beside "
      + "them; person: any depth there is the person; background: never the person, for reflective surfaces"
  )
  package let plateOutliers = Parameter<Double>(
    "mask.plate-outliers", 0...0.5, default: 0.0625,
    help: "share of the empty scene's frames, the nearest, that a pixel's uncertainty ignores")
  package let plateDoubt = Parameter<Double>(
    "mask.plate-doubt", unit: "m", 0...10, default: 10,
    help: "most that a pixel's uncertainty in the empty scene counts, besides the sensor's noise")
  package let plateColor = Parameter<Bool>(
    "mask.plate-color", default: false,
    help:
      "also learn the empty scene's colours, and let them decide at outlines and where depth is missing or "
      + "uncertain"
  )
  package let plateRenew = Parameter<Double>(
    "mask.plate-renew", unit: "s", 0...3600, default: 0,
    help:
      "what differs from the empty scene and stands still for this long, without a face, becomes part of it: a "
      + "chair that was moved; 0: nothing does")
  package let model = Parameter<String>.path(
    "mask.model", help: "ONNX file of the segmentation network; FILE.yaml beside it describes its input and output")
  package let label = Parameter<Int>(
    "mask.label", 0...255, default: 15, help: "label of the person, for a network that outputs one label per pixel")
  package let soft = Parameter<Bool>(
    "mask.soft", default: false,
    help: "keep the network's one-channel matte soft instead of cutting it at mask.threshold"
  )
  package let threshold = Parameter<Double>(
    "mask.threshold", 0.01...1, default: 0.5, help: "value from which a network's one-channel matte is the person")
  package let every = Parameter<Int>(
    "mask.every", unit: "frames", 1...60, default: 1, help: "run the network only on every n-th video frame")

  package let quality = Parameter<MaskQuality>(
    "mask.quality",
    help: "which input size of the network's YAML file is used; smaller is faster")
  package let pieces = Parameter<MaskPieces.Kept>(
    "mask.pieces",
    help:
      "which connected pieces of the mask are kept; all: every one, large: those of mask.smallest-piece or more, "
      + "and smaller ones beside them, "
      + "face: of these the ones with a face or, with mask.movement, that have moved, if there are any"
  )
  package let smallestPiece = Parameter<Double>(
    "mask.smallest-piece", 0...1, default: 0.002,
    help: "share of the mask's pixels that a piece has at least; 0.002 is 614 pixels of 640x480")
  package let fill = Parameter<Double>(
    "mask.fill", 0...1, default: 0,
    help:
      "fills enclosed gaps of the mask up to this share of its pixels, unless something farther is seen through "
      + "them; 0: none"
  )
}
