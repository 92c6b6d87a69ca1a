import FrameModel
import Kernels
import MattePipeline

/// Uncompressed video that ffplay, mpv and ffmpeg read from a pipe: YUV4MPEG2 with full chroma (C444).
///
/// BT.601 in the limited range that Y4M readers expect: Y = 16 + 65.481 R + 128.553 G + 24.966 B and so on for R, G, B
/// in 0 ... 1, with 16 fractional bits, rounded to nearest.
package final class Y4MSink: RenderSink {
  private let output: OutputFile
  private let tap: Tap
  private let size: PlaneSize
  private var rgb: [UInt8]
  private var planes: [UInt8]
  private static let frameHeader = Array("FRAME\n".utf8)

  /// - Parameter path: "-" for standard output.
  package init(path: String, tap: Tap, sizes: PipelineSizes, rate: FrameRate) throws(RetakeError) {
    output = try OutputFile(path: path)
    self.tap = tap
    size = tap.size(sizes)
    rgb = [UInt8](repeating: 0, count: size.width * size.height * 3)
    planes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    try output.write(
      "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C444\n")
  }

  package func take(_ frame: PipelineOutput) throws(RetakeError) {
    rgb.withUnsafeMutableBufferPointer { tap.draw(frame, size, into: $0.baseAddress!) }
    let count = size.width * size.height
    planes.withUnsafeMutableBufferPointer { planes in
      for i in 0..<count {
        let (y, u, v) = Self.convert(Int(rgb[3 * i]), Int(rgb[3 * i + 1]), Int(rgb[3 * i + 2]))
        planes[i] = y
        planes[count + i] = u
        planes[2 * count + i] = v
      }
    }
    try Self.frameHeader.withRawBytes { bytes throws(RetakeError) in try output.write(bytes) }
    try planes.withRawBytes { bytes throws(RetakeError) in try output.write(bytes) }
  }

  package func finish() {}

  @inline(__always)
  static func convert(_ r: Int, _ g: Int, _ b: Int) -> (UInt8, UInt8, UInt8) {
    let half = 1 << 15
    let y = (16_829 * r + 33_039 * g + 6_416 * b + half) >> 16 + 16
    let u = (-9_714 * r - 19_071 * g + 28_785 * b + half) >> 16 + 128
    let v = (28_784 * r - 24_103 * g - 4_681 * b + half) >> 16 + 128
    return (UInt8(truncatingIfNeeded: y), UInt8(truncatingIfNeeded: u), UInt8(truncatingIfNeeded: v))
  }
}
