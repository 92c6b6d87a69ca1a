import FrameModel
import Kernels
import MattePipeline

/// A place in the pipeline whose picture can be taken.
package enum Tap: String, CaseIterable, Sendable {
  case original, depth, mask, matte, composite

  /// Width and height of its pictures, pixels.
  package func size(_ format: PipelineFormat) -> (width: Int, height: Int) {
    switch self {
    case .original, .matte, .composite: (format.color.width, format.color.height)
    case .depth, .mask: (format.depth.width, format.depth.height)
    }
  }

  /// Writes it as packed RGB: depth in false colour, masks and mattes in grey.
  package func draw(_ output: PipelineOutput, into pixels: UnsafeMutablePointer<UInt8>) {
    switch self {
    case .original: pixels.update(from: output.original.samples, count: output.original.count)
    case .composite: pixels.update(from: output.composite.samples, count: output.composite.count)
    case .mask: ColorConversion.grey(output.mask.samples, width: output.mask.count, to: pixels, rows: 0..<1)
    case .matte:
      ColorConversion.grey(output.matte.samples, width: output.matte.count, to: pixels, rows: 0..<1)
    case .depth:
      for i in 0..<output.depth.count { DepthColors.store(output.depth.samples[i], to: pixels + 3 * i) }
    }
  }
}

/// Depth as a colour for people: near is warm and bright, far is cold and dark, a hole is black.
enum DepthColors {
  private static let nearMillimeters = 400
  private static let farMillimeters = 5000
  /// Red, green and blue at equal steps from near to far.
  private static let stops: [(Int, Int, Int)] = [
    (255, 244, 190), (252, 176, 80), (232, 92, 71), (166, 44, 110), (89, 30, 128), (30, 24, 84),
  ]
  /// One entry for each 1/255 of the range.
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
