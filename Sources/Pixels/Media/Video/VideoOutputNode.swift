import FrameModel
import Support

/// V4L2's operations on an output device, so that tests can use devices written in Swift.
package protocol VideoOutputNode: AnyObject {
  var path: String { get }
  /// Whether `write` is supported.
  var takesVideo: Bool { get }
  /// - Returns: the format that the driver actually set, which may differ; nil if it refuses.
  func setFormat(_ samples: VideoOutputFormat.Samples, width: Int, height: Int) -> VideoOutputFormat?
  /// Passes the rate on to readers, if the driver can.
  func setRate(_ rate: FrameRate)
  func write(_ picture: UnsafeRawBufferPointer) throws(RetakeError)
  func close()
}

package struct VideoOutputFormat: Hashable, Sendable {
  package enum Samples: CaseIterable, Sendable {
    case yuyv, rgb24

    func packedBytesPerRow(width: Int) -> Int { self == .yuyv ? (width + 1) / 2 * 4 : width * 3 }
  }

  package var samples: Samples
  package var width: Int
  package var height: Int
  package var bytesPerRow: Int
  package var byteCount: Int

  package init(samples: Samples, width: Int, height: Int, bytesPerRow: Int, byteCount: Int) {
    (self.samples, self.width, self.height, self.bytesPerRow, self.byteCount) = (
      samples, width, height, bytesPerRow, byteCount
    )
  }

  package var packedBytesPerRow: Int { samples.packedBytesPerRow(width: width) }

  /// Sets the first format that the device accepts, YUYV first, since most programs can read it.
  /// - Throws: `.device` if the device accepts no video, or none of this size.
  package static func negotiated(
    with node: any VideoOutputNode, width: Int, height: Int, rate: FrameRate
  ) throws(RetakeError) -> VideoOutputFormat {
    guard node.takesVideo else {
      throw RetakeError(
        .device, "\(node.path) is not a video output: it is a camera or another kind of device.",
        hint: "'modprobe v4l2loopback' creates a video output")
    }
    var refused: VideoOutputFormat?
    for samples in Samples.allCases {
      guard let format = node.setFormat(samples, width: width, height: height) else { continue }
      let isWhole =
        format.samples == samples && (format.width, format.height) == (width, height)
        && format.bytesPerRow >= format.packedBytesPerRow
        && (format.bytesPerRow * height...FrameLayout.largestByteCount).contains(format.byteCount)
      if isWhole {
        node.setRate(rate)
        return format
      }
      refused = format
    }
    let instead = refused.map { "; it offered \($0.width)x\($0.height)" } ?? ""
    throw RetakeError(
      .device, "\(node.path) does not accept \(width)x\(height) pictures as YUYV or RGB24\(instead).",
      hint: "close programs that read from it; 'v4l2-ctl -d \(node.path) --all' shows its settings")
  }
}
