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
  /// Raw values are V4L2's format codes.
  package enum Samples: String, CaseIterable, Sendable {
    case yuyv = "YUYV"
    case rgb24 = "RGB3"
    case nv12 = "NV12"
    case grey8 = "GREY"
    case depth16 = "Z16 "
    case grey16 = "Y16 "
    case jpeg = "MJPG"
    case bayerRGGB8 = "RGGB"
    case bayerGRBG8 = "GRBG"
    case bayerGBRG8 = "GBRG"
    case bayerBGGR8 = "BA81"

    var pixels: PixelFormat {
      switch self {
      case .yuyv: .yuyv
      case .rgb24: .rgb24
      case .nv12: .nv12
      case .grey8: .grey8
      case .depth16: .depthMillimeters16
      case .grey16: .grey16
      case .jpeg: .jpeg
      case .bayerRGGB8: .bayerRGGB8
      case .bayerGRBG8: .bayerGRBG8
      case .bayerGBRG8: .bayerGBRG8
      case .bayerBGGR8: .bayerBGGR8
      }
    }

    /// 0 for JPEG, which has no rows.
    func packedBytesPerRow(width: Int) -> Int { pixels.packedBytesPerRow(width: width) }
    func rowCount(height: Int) -> Int { pixels.rowCount(height: height) }

    package var name: String {
      switch self {
      case .rgb24: "RGB24"
      case .depth16: "Z16"
      case .grey16: "Y16"
      case .bayerBGGR8: "BGGR"
      default: rawValue
      }
    }
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

  /// Sets the first format that the device accepts.
  /// - Parameter choices: in order of preference. YUYV comes first by default, since most programs can read it.
  /// - Throws: `.device` if the device accepts no video, or none of this size.
  package static func negotiated(
    with node: any VideoOutputNode, as choices: [Samples] = [.yuyv, .rgb24], width: Int, height: Int, rate: FrameRate
  ) throws(RetakeError) -> VideoOutputFormat {
    guard node.takesVideo else {
      throw RetakeError(
        .device, "\(node.path) is not a video output: it is a camera or another kind of device.",
        hint: "'modprobe v4l2loopback' creates a video output")
    }
    var refused: VideoOutputFormat?
    for samples in choices {
      guard let format = node.setFormat(samples, width: width, height: height) else { continue }
      let isWhole =
        format.samples == samples && (format.width, format.height) == (width, height)
        && format.bytesPerRow >= format.packedBytesPerRow
        && (max(1, format.bytesPerRow * samples.rowCount(height: height))...FrameLayout.largestByteCount)
          .contains(format.byteCount)
      if isWhole {
        node.setRate(rate)
        return format
      }
      refused = format
    }
    let names = choices.map(\.name).joined(separator: " or ")
    let instead = refused.map { "; it offered \($0.width)x\($0.height)" } ?? ""
    throw RetakeError(
      .device, "\(node.path) does not accept \(width)x\(height) pictures as \(names)\(instead).",
      hint: "close programs that read from it; 'v4l2-ctl -d \(node.path) --all' shows its settings")
  }
}
