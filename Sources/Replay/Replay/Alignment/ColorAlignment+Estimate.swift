import Kernels
import RecordingStore
import Support

extension ColorAlignment {
  init(_ estimate: OffsetEstimate, frameCount: Int) {
    func thousandths(_ pixels: Double) -> Int { Int((pixels * 1000).rounded()) }
    self.init(
      x: thousandths(estimate.x), y: thousandths(estimate.y), uncertainty: thousandths(estimate.uncertainty),
      frameCount: frameCount)
  }
}

extension OffsetEstimate.Obstacle {
  func error(in path: String, frameCount: Int) -> RetakeError {
    let why =
      switch self {
      case .fewEdges(let count):
        "only \(count) pixels of its depth lie at edges of near surfaces, in \(frameCount) frame sets"
      case .noMatch: "colours change at the edges of its depth no more than elsewhere"
      case .outOfRange: "colour and depth seem to be \(OffsetEstimate.range) depth px apart or more"
      case .disagreement: "different parts of it disagree by more than a depth px"
      }
    return RetakeError(
      .unsupported, "The offset of depth against colour in \(path) cannot be estimated: \(why).",
      hint: "record people who move before a farther wall in good light, or set depth.shift-x and depth.shift-y by hand"
    )
  }
}
