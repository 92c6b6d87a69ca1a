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
  private let grey: PixelPlane<UInt8>
  private var scenes: [Scene] = []
  private var pictures: [ScenePicture] = []
  private let keptCount: Int

  /// - Parameters:
  ///   - scores: only data that these need is computed.
  ///   - width, height: of every picture and matte, pixels.
  ///   - keeping: number of cached scenes and of cached pictures; at least 2, since a frame needs
  ///     the previous one.
  package init(scores: Set<ScoreKind>, width: Int, height: Int, keeping: Int = 4) {
    precondition(keeping >= 2)
    (inputs, self.width, self.height) = (scores.inputs, width, height)
    keptCount = keeping
    scratch = ScratchPool(width: width, height: height)
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
  ///   - faces: boxes in the picture's pixels.
  package func scene(
    number: Int, previousNumber: Int?, picture: PixelPlane<UInt8>, truth: UnsafePointer<UInt8>?,
    faces: [FaceObservation]
  ) -> Scene {
    precondition(picture.width == width && picture.height == height && picture.channels == 3)
    if let scene = scenes.last(where: { $0.number == number && $0.previousNumber == previousNumber }) { return scene }
    // Looked up first: adding this frame's picture may evict it.
    let before = pictures.last { $0.number == previousNumber }
    let here = self.picture(number, picture, truth)
    var motion: BlockMotion?
    if inputs.isSuperset(of: .motion), let grey = here.grey, let greyBefore = before?.grey {
      motion = BlockMotion(grey, after: greyBefore)
    }
    let boxes =
      inputs.contains(.faces) ? faces.compactMap { FaceBox($0.box, width: width, height: height) } : []
    let scene = Scene(
      here, after: before, previousNumber: previousNumber, motion: motion, faces: boxes, scratch: scratch)
    scenes.append(scene)
    if scenes.count > keptCount { scenes.removeFirst() }
    return scene
  }

  private func picture(_ number: Int, _ picture: PixelPlane<UInt8>, _ truth: UnsafePointer<UInt8>?) -> ScenePicture {
    if let kept = pictures.last(where: { $0.number == number }) { return kept }
    let made = ScenePicture(
      number: number, grey: inputs.contains(.grey) ? features(of: picture) : nil,
      truth: inputs.contains(.truth)
        ? truth.map { TruthFeatures(BytePlane($0, width: width, height: height), memory) } : nil)
    pictures.append(made)
    if pictures.count > keptCount { pictures.removeFirst() }
    return made
  }

  private func features(of picture: PixelPlane<UInt8>) -> PictureFeatures {
    GreyPicture.convert(picture, to: grey)
    return PictureFeatures(BytePlane(grey.samples, width: width, height: height))
  }
}
