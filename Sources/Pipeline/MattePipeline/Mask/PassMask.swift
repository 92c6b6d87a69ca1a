import FrameModel
import Kernels
import Parameters

/// A soft mask by disparity: the person is nearer than a focus, or around it (C.14, C.15).
final class PassMask: MaskSource {
  /// The slope of the sharp high-pass (C.14).
  private static let sharpSlope = 10.0

  let geometry: PlaneGeometry
  let isSoft = true
  private let fromMillimeters: DisparityPass
  /// For sources whose disparity is finer than millimetres.
  private let fromDisparity: DisparityPass?
  private let holes: HoleRule
  private let processor: Processor
  private var hasMask = false

  /// - Parameter kind: one that `isPass`.
  init(
    _ kind: MaskKind, _ geometry: PlaneGeometry, _ format: PipelineFormat, _ parameters: ParameterSet,
    processor: Processor
  ) {
    self.geometry = geometry
    self.processor = processor
    let holes = parameters[PipelineParameters.mask.holes]
    self.holes = holes
    let hole: Int16? =
      switch holes {
      case .auto: nil
      case .background, .near: 0
      case .foreground: MatteSamples.one
      }
    func pass(_ key: DisparityPass.Key) -> DisparityPass {
      DisparityPass(
        kind == .bandPass ? .band : .high, focus: parameters[PipelineParameters.mask.focus],
        slope: kind == .sharpHighPass ? Self.sharpSlope : parameters[PipelineParameters.mask.slope], key: key,
        hole: hole,
        processor: processor)
    }
    fromMillimeters = pass(.millimeters)
    fromDisparity = format.depth?.layout.format == .disparityFloat32 ? pass(.disparity) : nil
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: hasMask), let soft = mask.soft else {
      return hasMask ? .held : .missing
    }
    var (pass, keys) = (fromMillimeters, depth.millimeters)
    if let fromDisparity, let disparity = depth.disparity { (pass, keys) = (fromDisparity, disparity) }
    let plane = mask.plane
    let nearHoles = holes == .near ? depth.holes : nil
    bands.run(rowCount: plane.height) { rows in
      pass.apply(keys, depth: depth.millimeters, to: soft, mask: plane, rows: rows)
      if let nearHoles { addNear(nearHoles, to: soft, plane, rows: rows) }
    }
    hasMask = true
    return .new
  }

  private func addNear(
    _ holes: PixelPlane<UInt8>, to soft: MatteSamples, _ plane: PixelPlane<UInt8>, rows: Range<Int>
  ) {
    soft.add(
      kind: DepthHole.tooNear.rawValue, of: holes.row(rows.lowerBound), rows: rows, processor: processor)
    MaskThreshold.add(
      kind: DepthHole.tooNear.rawValue, of: holes.row(rows.lowerBound), to: plane.row(rows.lowerBound),
      count: rows.count * plane.width, processor: processor)
  }
}
