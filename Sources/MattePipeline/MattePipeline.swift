import FrameModel
import Kernels
import Parameters

/// What the pipeline made of one frame set. The planes belong to the pipeline: they hold until its next frame.
package struct PipelineOutput {
  package let index: Int
  package let presentation: PresentationTime
  /// Whether depth came with this frame, or the last depth, mask and matte held.
  package let depthIsNew: Bool
  /// What came in, as it came.
  package let sourceColor: Frame
  /// The depth frame in force.
  package let sourceDepth: Frame
  package let cutoffMillimeters: UInt16

  /// Packed RGB at the video's size.
  package let original: PixelPlane<UInt8>
  /// Millimetres at the depth map's size, 0 = hole.
  package let depth: PixelPlane<UInt16>
  /// 0 or 255 at the depth map's size.
  package let mask: PixelPlane<UInt8>
  /// 0 ... 255 at the video's size.
  package let matte: PixelPlane<UInt8>
  /// Packed RGB at the video's size.
  package let composite: PixelPlane<UInt8>
}

/// Frame sets to composites: depth preparation → mask → matte → composite.
///
/// It knows no clock, file or thread count; state that lasts from frame to frame is the held depth and the cut-off.
package final class MattePipeline {
  package let format: PipelineFormat
  private let bands: BandRunner
  private let processor: Processor
  private let color: SourceColor
  private let depth: DepthPreparation
  private var cutoff: FaceCutoff
  private let mask: PixelPlane<UInt8>
  private let refinement: MatteRefinement
  private let background: PixelPlane<UInt8>
  private let composite: PixelPlane<UInt8>
  private var sourceDepth: Frame?

  /// Allocates everything that frames need.
  /// - Parameters:
  ///   - background: any size; its middle part of the video's aspect is scaled to the video's size (A.6). Nil: black.
  ///   - threadCount, processor: change how long a frame takes and nothing else.
  package init(
    _ format: PipelineFormat, parameters: ParameterSet, background picture: RGBImage?, threadCount: Int,
    processor: Processor = .best
  ) {
    self.format = format
    self.processor = processor
    bands = BandRunner(threadCount: threadCount)
    color = SourceColor(format)
    depth = DepthPreparation(format)
    cutoff = FaceCutoff(format, parameters)
    mask = PixelPlane(width: format.depth.width, height: format.depth.height)
    refinement = MatteRefinement(format, parameters, threadCount: threadCount, processor: processor)
    background = PixelPlane(width: format.color.width, height: format.color.height, channels: 3)
    composite = PixelPlane(width: format.color.width, height: format.color.height, channels: 3)
    if let picture {
      let scaled = PictureScaler.fill(picture, width: format.color.width, height: format.color.height)
      background.samples.update(from: scaled.pixels, count: scaled.pixels.count)
    }
  }

  /// - Returns: nil while there has been no depth: such a frame is skipped (A.1).
  /// - Throws: `.corrupt` for frames that are not whole.
  package func process(_ frames: FrameSet) throws(RetakeError) -> PipelineOutput? {
    if let frame = frames.depth {
      try depth.prepare(frame, bands: bands)
      cutoff.update(faces: frames.faces, depth: depth.output)
      let limit = cutoff.millimeters
      bands.run(rowCount: mask.height) { rows in
        MaskThreshold.nearerThan(
          limit, depth: depth.output.row(rows.lowerBound), mask: mask.row(rows.lowerBound),
          count: rows.count * mask.width, processor: processor)
      }
      refinement.refine(mask, bands: bands)
      sourceDepth = frame
    }
    guard let sourceDepth else { return nil }
    try color.convert(frames.color, bands: bands)
    let (original, matte) = (color.output, refinement.output)
    bands.run(rowCount: composite.height) { rows in
      Blend.rgb(
        foreground: original.row(rows.lowerBound), background: background.row(rows.lowerBound),
        matte: matte.row(rows.lowerBound), to: composite.row(rows.lowerBound),
        count: rows.count * composite.width, processor: processor)
    }
    return PipelineOutput(
      index: frames.index, presentation: frames.color.timestamps.presentation,
      depthIsNew: frames.depth != nil, sourceColor: frames.color, sourceDepth: sourceDepth,
      cutoffMillimeters: cutoff.millimeters, original: original, depth: depth.output, mask: mask,
      matte: matte, composite: composite)
  }
}
