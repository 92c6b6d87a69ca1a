import FrameModel
import Support

/// A picture in which every byte is random, from a seed.
package func noiseImage(_ width: Int, _ height: Int, seed: UInt64) -> RGBImage {
  var generator = SeededGenerator(seed: seed)
  return RGBImage(
    width: width, height: height,
    pixels: (0..<width * height * 3).map { _ in UInt8(generator.next(below: 256)) })
}
