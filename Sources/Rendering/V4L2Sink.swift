import FrameModel
import Kernels
import MattePipeline
import VideoFiles

/// A V4L2 output device, such as v4l2loopback's, that other programs see as a camera. YUYV, which all of them read, or RGB24
/// where a device takes nothing else.
package final class V4L2Sink: RenderSink {
  private let node: any VideoOutputNode
  private let format: VideoOutputFormat
  private let tap: Tap
  private let size: PlaneSize
  private var rgb: [UInt8]
  private var packed: [UInt8]

  /// - Throws: what `VideoOutput.open` throws.
  package init(_ node: any VideoOutputNode, tap: Tap, sizes: PipelineSizes, rate: FrameRate) throws(RetakeError) {
    self.node = node
    self.tap = tap
    size = tap.size(sizes)
    format = try VideoOutputFormat.negotiated(with: node, width: size.width, height: size.height, rate: rate)
    rgb = [UInt8](repeating: 0, count: size.width * size.height * 3)
    packed = [UInt8](repeating: 0, count: format.byteCount)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    rgb.withUnsafeMutableBufferPointer { tap.draw(output, size, into: $0.baseAddress!) }
    let (lineLength, height) = (format.packedBytesPerRow, size.height)
    packed.withUnsafeMutableBufferPointer { packed in
      let target = packed.baseAddress!
      for y in 0..<height {
        let line = target + y * format.bytesPerRow
        rgb.withUnsafeBufferPointer { rgb in
          let source = rgb.baseAddress! + y * size.width * 3
          switch format.samples {
          case .yuyv: VideoConversion.yuyv(source, to: line, width: size.width, height: 1)
          case .rgb24: line.update(from: source, count: lineLength)
          }
        }
      }
    }
    try packed.withRawBytes { bytes throws(RetakeError) in try node.write(bytes) }
  }

  package func finish() { node.close() }
}
