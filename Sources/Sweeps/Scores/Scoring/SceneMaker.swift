import FrameModel
import Kernels

/// Makes the scenes, which all settings share. Used by one thread; the scenes by many.
///
/// Settings with another play order or other dropped frames request the same frame again. Therefore
/// the last few scenes and pictures are cached; a cached picture also serves a frame that now
/// follows a different one. Equal frame numbers must mean equal pictures and truth.
package final class SceneMaker {
  private let inputs: ScoreDefinition.Inputs
  private let width: Int
  private let height: Int
  private let scratch: ScratchPool
  private let memory: ScoreMemory
  private let tolerance: Int
  private let hasTruth: Bool
  private let grey: PixelPlane<UInt8>
  /// Nil if no wanted score looks for movement.
  private let movement: MovementFinder?
  private let depthCount: Int?
  private var scenes: [Scene] = []
  private var pictures: [ScenePicture] = []
  private let keptCount: Int

  /// - Parameters:
  ///   - scores: only data that these need is computed.
  ///   - width, height: of every picture and matte, pixels.
  ///   - tolerance: of boundaries, pixels; nil for the default.
  ///   - hasTruth: whether any frame of the recording has truth. If so, `holes` needs it.
  ///   - depth: where depth maps lie in the picture; nil if there are none.
  ///   - keeping: number of cached scenes and of cached pictures; at least 2, since a frame needs
  ///     the previous one.
  package init(
    scores: Set<ScoreKind>, width: Int, height: Int, tolerance: Int? = nil, hasTruth: Bool = false,
    depth: DepthGrid? = nil, keeping: Int = 4
  ) {
    precondition(keeping >= 2)
    (inputs, self.width, self.height) = (scores.inputs, width, height)
    keptCount = keeping
    self.tolerance = tolerance ?? BoundaryMatch.tolerance(width: width)
    self.hasTruth = hasTruth
    movement = inputs.contains(.still) ? MovementFinder(width: width, height: height, depth: depth) : nil
    depthCount = depth?.count
    scratch = ScratchPool(width: width, height: height, tolerance: self.tolerance)
    memory = ScoreMemory(width: width, height: height)
    grey = PixelPlane(width: width, height: height)
  }

  /// Returns the scene of a frame, from the cache if possible.
  ///
  /// If the previous picture is no longer cached, scores that compare with it (flicker and dtSSD)
  /// have no value.
  /// - Parameters:
  ///   - previousNumber: number of the previous frame in this play order; nil for the first.
  ///   - picture: packed RGB; only read until this returns.
  ///   - truth: `width` · `height` bytes, only read until this returns; nil where there is none.
  ///   - judged: 0 for each pixel that the truth leaves out, otherwise 255; nil if it leaves out none.
  ///   - depth: millimetres in the grid of this maker; nil where there is none.
  ///   - faces: boxes in the picture's pixels.
  package func scene(
    number: Int, previousNumber: Int?, picture: PixelPlane<UInt8>, truth: UnsafePointer<UInt8>?,
    judged: UnsafePointer<UInt8>? = nil, depth: UnsafePointer<UInt16>? = nil, faces: [FaceObservation]
  ) -> Scene {
    precondition(picture.width == width && picture.height == height && picture.channels == 3)
    if let scene = scenes.last(where: { $0.number == number && $0.previousNumber == previousNumber }) { return scene }
    // Looked up first: adding this frame's picture may evict it.
    let before = pictures.last { $0.number == previousNumber }
    let here = self.picture(number, picture, truth, judged, depth)
    let boxes =
      inputs.contains(.faces) ? faces.compactMap { FaceBox($0.box, width: width, height: height) } : []
    var truthChange: TruthChange?
    if inputs.contains(.before), let now = here.truth, let then = before?.truth {
      truthChange = TruthChange(now, after: then)
    }
    let scene = Scene(
      here, previousNumber: previousNumber, truthChange: truthChange,
      still: before.flatMap { still(here, after: $0, truthChange) }, hasTruth: hasTruth, faces: boxes, scratch: scratch)
    scenes.append(scene)
    if scenes.count > keptCount { scenes.removeFirst() }
    return scene
  }

  private func still(
    _ picture: ScenePicture, after before: ScenePicture, _ truth: TruthChange?
  ) -> StillPixels? {
    guard let movement, let colors = picture.colors, let colorsBefore = before.colors else { return nil }
    let depth = picture.depth.flatMap { now in before.depth.map { (now: now, before: $0) } }
    return movement.still((colors, colorsBefore), truth: truth, depth: depth)
  }

  private func picture(
    _ number: Int, _ picture: PixelPlane<UInt8>, _ truth: UnsafePointer<UInt8>?, _ judged: UnsafePointer<UInt8>?,
    _ depth: UnsafePointer<UInt16>?
  ) -> ScenePicture {
    if let kept = pictures.last(where: { $0.number == number }) { return kept }
    func plane(_ samples: UnsafePointer<UInt8>) -> BytePlane { BytePlane(samples, width: width, height: height) }
    var features: TruthFeatures?
    if let truth, inputs.usesTruth {
      features = TruthFeatures(
        plane(truth), judged: judged.map(plane), tolerance: tolerance, slopes: inputs.contains(.slopes),
        outside: inputs.contains(.outside), memory)
    }
    let made = ScenePicture(
      number: number, grey: inputs.contains(.grey) ? grey(of: picture) : nil,
      colors: inputs.contains(.colors) ? PlaneCopy(picture.samples, count: picture.count) : nil,
      depth: movement != nil
        ? depth.flatMap { depth in depthCount.map { PlaneCopy(depth, count: $0) } } : nil,
      truth: features,
      spill: inputs.contains(.spill) ? features.map { EdgeSpill($0, picture.samples) } : nil)
    pictures.append(made)
    if pictures.count > keptCount { pictures.removeFirst() }
    return made
  }

  private func grey(of picture: PixelPlane<UInt8>) -> PlaneCopy<UInt8> {
    GreyPicture.convert(picture, to: grey)
    return PlaneCopy(grey.samples, count: width * height)
  }
}
