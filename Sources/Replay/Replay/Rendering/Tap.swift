import FrameModel
import Kernels
import MattePipeline

/// A place in the pipeline from which pictures can be taken.
package enum Tap: String, CaseIterable, Sendable {
  case original, depth, mask, matte, composite

  package var stages: PipelineStages {
    switch self {
    case .original: .original
    case .depth: [.original, .depth]
    case .mask: [.original, .mask]
    case .matte: [.original, .matte]
    case .composite: [.original, .composite]
    }
  }

  /// Size of its pictures in pixels. A tap that the pipeline never makes has the video's size.
  package func size(_ sizes: PipelineSizes) -> PictureSize {
    switch self {
    case .original, .matte, .composite: sizes.video
    case .depth: sizes.depth ?? sizes.video
    case .mask: sizes.mask ?? sizes.video
    }
  }

  /// The video never replaces a missing tap: it would show what the user wants hidden.
  package func isMissing(in output: PipelineOutput) -> Bool {
    switch self {
    case .original, .composite: false
    case .depth: output.depth == nil
    case .mask: output.mask == nil
    case .matte: output.matte == nil
    }
  }

  /// Draws packed RGB: depth in false colour, masks and mattes in grey, a missing tap in black.
  package func draw(_ output: PipelineOutput, _ size: PictureSize, into pixels: UnsafeMutablePointer<UInt8>) {
    switch self {
    case .original:
      return Self.draw(output.original, size, into: pixels) { $0.update(from: $1.samples, count: $1.count) }
    case .composite:
      return Self.draw(output.composite, size, into: pixels) { $0.update(from: $1.samples, count: $1.count) }
    case .mask: if let mask = output.mask { return Self.draw(mask, size, into: pixels, Self.drawGrey) }
    case .matte: if let matte = output.matte { return Self.draw(matte, size, into: pixels, Self.drawGrey) }
    case .depth:
      if let depth = output.depth {
        return Self.draw(depth, size, into: pixels) { target, depth in
          for i in 0..<depth.count { DepthColors.store(depth.samples[i], to: target + 3 * i) }
        }
      }
    }
    pixels.update(repeating: 0, count: size.width * size.height * 3)
  }

  /// Scales a plane whose size was changed by parameters during the replay.
  private static func draw<Sample>(
    _ plane: PixelPlane<Sample>, _ size: PictureSize, into pixels: UnsafeMutablePointer<UInt8>,
    _ body: (UnsafeMutablePointer<UInt8>, PixelPlane<Sample>) -> Void
  ) {
    guard (plane.width, plane.height) != (size.width, size.height) else { return body(pixels, plane) }
    var picture = RGBImage(width: plane.width, height: plane.height)
    picture.pixels.withUnsafeMutableBufferPointer { body($0.baseAddress!, plane) }
    let scaled = PictureScaler.fill(picture, width: size.width, height: size.height)
    pixels.update(from: scaled.pixels, count: scaled.pixels.count)
  }

  private static func drawGrey(_ pixels: UnsafeMutablePointer<UInt8>, _ plane: PixelPlane<UInt8>) {
    ColorConversion.grey(plane.samples, width: plane.count, to: pixels, rows: 0..<1)
  }
}

/// False colours for depth: near is red, far is blue, holes are black. Studio's page has the same ones, in its
/// `palette.js`: Google's Turbo without its dark ends.
enum DepthColors {
  private static let nearMillimeters = 400
  private static let farMillimeters = 5000
  private static let stops: [(Int, Int, Int)] = [
    (160, 17, 1), (196, 41, 11), (233, 77, 20), (255, 118, 27), (255, 159, 34), (248, 196, 42), (216, 225, 53),
    (173, 245, 69), (127, 253, 93), (85, 250, 123), (54, 237, 160), (38, 213, 198), (39, 181, 231), (53, 142, 249),
    (70, 101, 235), (73, 61, 171),
  ]
  private static let table: [(UInt8, UInt8, UInt8)] = (0..<256).map { i in
    let place = i * (stops.count - 1)
    let (a, b) = (stops[place / 255], stops[min(place / 255 + 1, stops.count - 1)])
    let t = place % 255
    func mix(_ x: Int, _ y: Int) -> UInt8 { UInt8((x * (255 - t) + y * t) / 255) }
    return (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
  }

  static func store(_ millimeters: UInt16, to pixel: UnsafeMutablePointer<UInt8>) {
    guard millimeters > 0 else {
      (pixel[0], pixel[1], pixel[2]) = (0, 0, 0)
      return
    }
    let clamped = min(max(Int(millimeters), nearMillimeters), farMillimeters) - nearMillimeters
    (pixel[0], pixel[1], pixel[2]) = table[clamped * 255 / (farMillimeters - nearMillimeters)]
  }
}
