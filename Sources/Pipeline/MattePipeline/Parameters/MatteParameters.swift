import Kernels
import Parameters

package struct MatteParameters: ParameterGroup {
  package let open = Parameter<Int>(
    "matte.open", unit: "mask px", 0...32, default: 0, help: "removes specks of the mask narrower than twice this")
  package let close = Parameter<Int>(
    "matte.close", unit: "mask px", 0...32, default: 0, help: "closes gaps in the mask narrower than twice this"
  )
  package let grow = Parameter<Int>(
    "matte.grow", unit: "mask px", -32...32, default: 0, help: "dilates the mask; a negative value erodes it")
  package let blur = Parameter<Double>(
    "matte.blur", unit: "mask px", 0...64, default: 5,
    help:
      "standard deviation of the Gaussian blur of the mask; counts with matte.refine=none or matte.refine-doubt below 1, "
      + "so not in desk, static-camera and handheld")
  package let feather = Parameter<Feather>(
    "matte.feather",
    help: "where the blur shows; both: on both sides of the mask's outline, in: inside, out: outside")
  /// At least 0.4: lower powers amplify what the blur's 24 bits and 5 σ cut off, and leave a rim.
  package let gamma = Parameter<Double>(
    "matte.gamma", 0.4...20, default: 0.5,
    help: "exponent applied to the blurred mask; below 1, the person's outline grows")
  package let temporal = Parameter<MatteSmoothing.Rule?>(
    "matte.temporal",
    help:
      "temporal smoothing against flicker; average: blends in the old matte, uncertainty: only where the new matte is "
      + "uncertain")
  package let temporalWeight = Parameter<Double>(
    "matte.temporal-weight", 0...0.98, default: 0.5, help: "weight of the old matte in temporal smoothing")
  package let guidedRadius = Parameter<Int>(
    "matte.guided-radius", unit: "mask px", 0...32, default: 0,
    help: "window radius of the guided filter, which aligns the matte's edges with the video's; 0: off")
  package let guidedEpsilon = Parameter<Double>(
    "matte.guided-epsilon", 0.0001...1, default: 0.001,
    help: "squared contrast that the guided filter treats as an edge; smaller values follow weaker edges")
  package let refine = Parameter<MatteRefinement>(
    "matte.refine",
    help:
      "how the edge is refined, hair too; color: in a belt round the mask's outline by the colours inside and outside, "
      + "instead of matte.guided-radius; with matte.refine-doubt=1 also instead of matte.open, close, grow, blur, feather, "
      + "gamma, temporal and scale"
  )
  package let refineInside = Parameter<Int>(
    "matte.refine-inside", unit: "mask px", 0...16, default: 1,
    help: "how far inside the mask's outline the edge may be, for matte.refine")
  package let refineOutside = Parameter<Int>(
    "matte.refine-outside", unit: "mask px", 1...16, default: 2,
    help: "how far outside the mask's outline the edge may be, for matte.refine")
  package let refineHoles = Parameter<Int>(
    "matte.refine-holes", unit: "mask px", 0...64, default: 24,
    help: "how far the person may reach where depth is missing, for matte.refine")
  package let refineDoubt = Parameter<Double>(
    "matte.refine-doubt", 0...1, default: 0.02,
    help:
      "no refinement where colour is wrong about this share of the pixels that are known, or 16 times it where "
      + "depth is missing; 1: refine everywhere"
  )
  package let still = Parameter<Double>(
    "matte.still", 0...0.98, default: 0,
    help: "weight of the old matte where the picture stands still, against flicker of the edge")
  package let scale = Parameter<ScaleKind>(
    "matte.scale",
    help: "how the matte is scaled to the video's size; always bilinear if matte.guided-radius is set")
}
