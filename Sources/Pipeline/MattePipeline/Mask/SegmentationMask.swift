import FrameModel
import Kernels
import Parameters
import Support

/// The person is what a network says it is (B.9, D.19), stretched over the video.
///
/// What the network said is 8 bits a pixel; label, softness and threshold only choose among the 256, so that they can change
/// without asking it again. So its answer is kept as it came.
final class SegmentationMask: MaskSource {
  let geometry: PlaneGeometry
  /// It is, but 8 bits are all there is of it.
  let isSoft = false
  let cutoffMillimeters: UInt16 = 0
  private let segmenter: any PersonSegmenter
  /// What each answer becomes.
  private let values: [UInt8]
  private let interval: Int
  /// What the network said last.
  private var answer: PixelPlane<UInt8>
  /// Nil before the network was asked for the first time.
  private var isAnswered: Bool?
  /// Whether the mask is made of that.
  private var hasMask = false
  private var lastIndex = 0

  init(_ segmenter: any PersonSegmenter, _ format: PipelineFormat, _ parameters: ParameterSet) throws(RetakeError) {
    let size = segmenter.maskSize
    guard (1...FrameLayout.largestSide).contains(size.width), (1...FrameLayout.largestSide).contains(size.height) else {
      throw RetakeError(.unsupported, "A mask of \(size.width)x\(size.height) pixels is not possible.")
    }
    try WorkLimit.picture.check(width: size.width, height: size.height, "The segmentation network")
    self.segmenter = segmenter
    geometry = PlaneGeometry(
      stretchedWidth: size.width, stretchedHeight: size.height, videoWidth: format.color.width,
      videoHeight: format.color.height)
    values = Self.values(of: segmenter.answer, parameters)
    interval = parameters[PipelineParameters.maskEvery]
    answer = PixelPlane(width: size.width, height: size.height)
  }

  /// For labels 255 for the person's, else 0; for mattes the same, or 255 from the threshold on.
  static func values(of answer: SegmentationAnswer, _ parameters: ParameterSet) -> [UInt8] {
    let label = parameters[PipelineParameters.maskLabel]
    let isSoft = parameters[PipelineParameters.maskSoft]
    let threshold = 255 * parameters[PipelineParameters.maskThreshold]
    return (0...255).map { value in
      switch answer {
      case .labels: value == label ? 255 : 0
      case .matte: isSoft ? UInt8(value) : Double(value) >= threshold ? 255 : 0
      }
    }
  }

  /// The network is asked about frames whose number is a multiple of `mask.every`, about the first, and about the next one
  /// that comes where such a frame did not. Where it had no answer there is no mask until it has one, so that the output
  /// before stays (B.9).
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

  /// What the network said last, and when it was asked.
  func carryOn(from old: any MaskSource) {
    guard let old = old as? SegmentationMask, old.segmenter === segmenter else { return }
    (answer, isAnswered, lastIndex) = (old.answer, old.isAnswered, old.lastIndex)
  }
}
