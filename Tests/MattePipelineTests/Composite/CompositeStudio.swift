import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support

/// The last stage alone, with mattes and depth of the test's own.
final class CompositeStudio {
  let stage: CompositeStage
  let width: Int
  let height: Int
  private let bands: BandRunner
  private let composite: PixelPlane<UInt8>

  init(
    _ width: Int, _ height: Int, _ assignments: [String], preset: String? = nil, depth: (Int, Int)? = nil,
    background: (any BackgroundSource)? = nil, threadCount: Int = 1, processor: Processor = .best
  ) throws {
    (self.width, self.height) = (width, height)
    var parameters =
      try preset.map { try Preset.named($0).parameters(PipelineParameters.all) }
      ?? ParameterSet(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    let format = try PipelineFormat(color: FrameLayout(.rgb24, width: width, height: height), depth: nil)
    let geometry = depth.map {
      PlaneGeometry(depthWidth: $0.0, depthHeight: $0.1, videoWidth: width, videoHeight: height)
    }
    stage = CompositeStage(
      format, parameters, depth: geometry, background: background, threadCount: threadCount, processor: processor)
    bands = BandRunner(threadCount: threadCount)
    composite = PixelPlane(width: width, height: height, channels: 3)
  }

  /// - Returns: nil for a frame that is left out.
  func compose(
    _ picture: RGBImage, matte: [UInt8]? = nil, depth: DepthMap? = nil, faces: [FaceObservation] = [], number: Int = 0
  ) throws -> [UInt8]? {
    let plane = PixelPlane<UInt8>(width: width, height: height, channels: 3)
    plane.samples.update(from: picture.pixels, count: picture.pixels.count)
    var mattePlane: PixelPlane<UInt8>?
    if let matte {
      mattePlane = PixelPlane(width: width, height: height)
      mattePlane?.samples.update(from: matte, count: matte.count)
    }
    var prepared: PreparedDepth?
    if let depth {
      prepared = PreparedDepth(
        PlaneGeometry(depthWidth: depth.width, depthHeight: depth.height, videoWidth: width, videoHeight: height))
      prepared?.millimeters.samples.update(from: depth.millimeters, count: depth.millimeters.count)
    }
    let frames = FrameSet(index: number, color: try colorFrame(picture, number: number), depth: nil, faces: faces)
    composite.fill(0xEE)
    let isShown = try stage.compose(
      CompositeInput(frames: frames, picture: plane, matte: mattePlane, depth: prepared), to: composite, bands: bands)
    return isShown ? composite.array : nil
  }
}

/// Flat stretches and soft ones, as a matte has them.
func testMatte(_ count: Int, seed: UInt64) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  var matte: [UInt8] = []
  while matte.count < count {
    let value = [0, 255, UInt8(generator.next(below: 256))][generator.next(below: 3)]
    matte += [UInt8](repeating: value, count: 1 + generator.next(below: 30))
  }
  return Array(matte.prefix(count))
}

/// Of a composite from what it ought to be, in steps of 8 bits.
func largestDifference(_ bytes: [UInt8], _ exact: [Double]) -> Double {
  zip(bytes, exact).reduce(0) { max($0, abs(Double($1.0) - $1.1)) }
}
