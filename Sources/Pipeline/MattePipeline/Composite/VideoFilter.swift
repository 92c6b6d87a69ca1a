import Kernels
import Parameters

/// The filter applied to the video first: `composite.filter`.
package final class VideoFilter {
  package enum Kind: String, ParameterChoice {
    case none, rosy
    case rosyMatrix = "rosy-matrix"
    case comic
  }

  let kind: Kind
  private let comic: Comic?
  private let processor: Processor

  init(_ format: PipelineFormat, _ parameters: ParameterSet, threadCount: Int, processor: Processor) {
    kind = parameters[PipelineParameters.composite.filter]
    self.processor = processor
    comic =
      kind == .comic
      ? Comic(
        width: format.color.width, height: format.color.height, threadCount: threadCount, processor: processor) : nil
  }

  /// - Parameter out: another plane of the same size.
  func apply(_ picture: PixelPlane<UInt8>, to out: PixelPlane<UInt8>, bands: BandRunner) {
    if let comic { return comic.apply(picture.samples, to: out.samples, bands: bands) }
    let (kind, processor) = (kind, processor)
    bands.run(rowCount: out.height) { rows in
      let (source, target) = (picture.row(rows.lowerBound), out.row(rows.lowerBound))
      let count = rows.count * out.width
      switch kind {
      case .rosy: PixelColors.rosy(source, to: target, count: count, processor: processor)
      case .rosyMatrix: PixelColors.Matrix.rosy.apply(source, to: target, count: count, processor: processor)
      case .none, .comic: target.update(from: source, count: 3 * count)
      }
    }
  }
}
