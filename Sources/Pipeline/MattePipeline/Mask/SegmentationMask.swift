import FrameModel
import Kernels
import Parameters
import Support

/// The person is what a network finds (B.9, D.19), stretched over the video.
///
/// Label, softness and threshold only map the 256 values of the network's 8-bit answer, so they can
/// change without another call.
final class SegmentationMask: MaskSource {
  let geometry: PlaneGeometry
  /// False even for soft masks: 8 bits are all their precision.
  let isSoft = false
  let cutoffMillimeters: UInt16 = 0
  private let segmenter: any PersonSegmenter
  /// The mask's value for each value of the answer.
  private let values: [UInt8]
  private let interval: Int
  private var answer: PixelPlane<UInt8>
  /// Whether the last call gave an answer; nil before the first call.
  private var isAnswered: Bool?
  private var hasMask = false
  private var lastIndex = 0

  init(_ segmenter: any PersonSegmenter, _ format: PipelineFormat, _ parameters: ParameterSet) throws(RetakeError) {
    let size = segmenter.maskSize
    guard (1...FrameLayout.largestSide).contains(size.width), (1...FrameLayout.largestSide).contains(size.height) else {
      throw RetakeError(.unsupported, "A mask cannot have \(size.width)x\(size.height) pixels.")
    }
    try WorkLimit.picture.check(width: size.width, height: size.height, "The segmentation network")
    self.segmenter = segmenter
    geometry = PlaneGeometry(
      stretchedWidth: size.width, stretchedHeight: size.height, videoWidth: format.color.width,
      videoHeight: format.color.height)
    values = Self.values(of: segmenter.answer, parameters)
    interval = parameters[PipelineParameters.mask.every]
    answer = PixelPlane(width: size.width, height: size.height)
  }

  /// Labels: 255 for the person's, else 0. Mattes: the value itself, or 255 from the threshold up.
  static func values(of answer: SegmentationAnswer, _ parameters: ParameterSet) -> [UInt8] {
    let label = parameters[PipelineParameters.mask.label]
    let isSoft = parameters[PipelineParameters.mask.soft]
    let threshold = 255 * parameters[PipelineParameters.mask.threshold]
    return (0...255).map { value in
      switch answer {
      case .labels: value == label ? 255 : 0
      case .matte: isSoft ? UInt8(value) : Double(value) >= threshold ? 255 : 0
      }
    }
  }

  /// Asks on the first frame, on multiples of `mask.every`, and after a multiple that did not come.
  /// Without an answer there is no mask until the next call, so the previous output stays (B.9).
  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) throws(RetakeError) -> MaskUpdate {
    let index = input.frames.index
    let isDue = isAnswered == nil || index % interval == 0 || index / interval > lastIndex / interval
    lastIndex = index
    if isDue {
      isAnswered = try segmenter.segment(input.frames.color, input.picture, into: answer.samples)
      hasMask = false
    }
    guard isAnswered == true else { return .missing }
    if hasMask { return .held }
    translate(into: mask.plane, bands: bands)
    hasMask = true
    return .new
  }

  private func translate(into plane: PixelPlane<UInt8>, bands: BandRunner) {
    values.withUnsafeBufferPointer { values in
      bands.run(rowCount: plane.height) { rows in
        let (source, target) = (answer.row(rows.lowerBound), plane.row(rows.lowerBound))
        for i in 0..<rows.count * plane.width { target[i] = values[Int(source[i])] }
      }
    }
  }

  func carryOn(from old: any MaskSource) {
    guard let old = old as? SegmentationMask, old.segmenter === segmenter else { return }
    (answer, isAnswered, lastIndex) = (old.answer, old.isAnswered, old.lastIndex)
  }
}
