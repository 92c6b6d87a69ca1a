import FrameModel
import Kernels
import MattePipeline
import Media
import Support

/// A V4L2 output device, such as v4l2loopback, that other programs see as a camera. Writes YUYV,
/// which all of them read, or RGB24 if the device requires it. A missing tap is black.
package final class V4L2Sink: RenderSink {
  private let node: any VideoOutputNode
  private let format: VideoOutputFormat
  private let picture: TapPicture
  private var packed: [UInt8]

  package init(_ node: any VideoOutputNode, tap: Tap, sizes: PipelineSizes, rate: FrameRate) throws(RetakeError) {
    self.node = node
    picture = TapPicture(tap, sizes)
    let size = picture.size
    format = try VideoOutputFormat.negotiated(with: node, width: size.width, height: size.height, rate: rate)
    packed = [UInt8](repeating: 0, count: format.byteCount)
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    let plane = picture.plane(of: output)
    packed.withUnsafeMutableBufferPointer { packed in
      for y in 0..<plane.height {
        let (source, line) = (plane.row(y), packed.baseAddress! + y * format.bytesPerRow)
        if format.samples == .yuyv {
          VideoConversion.yuyv(source, to: line, width: plane.width, height: 1)
        } else {
          line.update(from: source, count: format.packedBytesPerRow)
        }
      }
    }
    withExtendedLifetime(plane) {}
    try packed.withRawBytes { bytes throws(RetakeError) in try node.write(bytes) }
  }

  package func finish() { node.close() }
}
