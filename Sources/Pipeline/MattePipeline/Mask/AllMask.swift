import Kernels

final class AllMask: MaskSource {
  let geometry: PlaneGeometry
  let isSoft = false
  private var hasMask = false

  init(_ geometry: PlaneGeometry) { self.geometry = geometry }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    if hasMask { return .held }
    mask.plane.fill(255)
    hasMask = true
    return .new
  }
}
