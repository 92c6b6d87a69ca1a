import FrameModel
import Kernels
import MattePipeline

/// A copy of the pixels of one stage of one output.
package struct StagePlane: Sendable {
  package enum Unit: String, Sendable {
    /// 0 ... 255.
    case levels
    case millimeters = "mm"
    /// Sensor values of unknown unit.
    case counts
  }

  package let stage: DigestStage
  package let width: Int
  package let height: Int
  package let channels: Int
  package let unit: Unit
  /// `width * height * channels` samples.
  package let samples: [UInt16]

  package init(stage: DigestStage, width: Int, height: Int, channels: Int, unit: Unit, samples: [UInt16]) {
    precondition(samples.count == width * height * channels)
    self.stage = stage
    self.width = width
    self.height = height
    self.channels = channels
    self.unit = unit
    self.samples = samples
  }

  /// Uses the pipeline's picture for `source_color`, whatever the camera's format, and millimetres
  /// for disparity in `source_depth`. Nil for a stage that the output lacks.
  package init?(_ stage: DigestStage, of output: PipelineOutput) {
    switch stage {
    case .sourceColor: self.init(stage, output.original, .levels)
    case .sourceDepth:
      guard let frame = output.sourceDepth else { return nil }
      self.init(sourceDepth: frame)
    case .depth:
      guard let depth = output.depth else { return nil }
      self.init(stage, depth, .millimeters)
    case .mask:
      guard let mask = output.mask else { return nil }
      self.init(stage, mask, .levels)
    case .matte:
      guard let matte = output.matte else { return nil }
      self.init(stage, matte, .levels)
    case .composite: self.init(stage, output.composite, .levels)
    }
  }

  private init<Sample>(_ stage: DigestStage, _ plane: PixelPlane<Sample>, _ unit: Unit) {
    let samples = withExtendedLifetime(plane) { (0..<plane.count).map { UInt16(plane.samples[$0]) } }
    self.init(
      stage: stage, width: plane.width, height: plane.height, channels: plane.channels, unit: unit, samples: samples)
  }

  private init(sourceDepth frame: Frame) {
    let layout = frame.layout
    let bytes = frame.bytes
    let bytesPerSample = layout.format == .disparityFloat32 ? 4 : 2
    var samples = [UInt16](repeating: 0, count: layout.width * layout.height)
    for y in 0..<layout.height {
      for x in 0..<layout.width {
        let place = y * layout.bytesPerRow + x * bytesPerSample
        // A damaged frame may be short.
        guard place + bytesPerSample <= bytes.count else { continue }
        var sample: UInt16 = 0
        if bytesPerSample == 4 {
          var disparity = bytes.loadUnaligned(fromByteOffset: place, as: Float.self)
          DepthUnits.convert(disparity: &disparity, to: &sample, count: 1)
        } else {
          sample = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self))
        }
        samples[y * layout.width + x] = sample
      }
    }
    let isDistance = layout.format == .depthMillimeters16 || layout.format == .disparityFloat32
    self.init(
      stage: .sourceDepth, width: layout.width, height: layout.height, channels: 1,
      unit: isDistance ? .millimeters : .counts, samples: samples)
  }
}
