import CFreenect
import FrameModel
import Kernels
import Parameters

/// How libfreenect's frames are converted for recording; most are stored unchanged.
package enum KinectUnpacking: Hashable, Sendable {
  case none
  case packed(PackedSamples.Width)
  /// The bytes of each pair are swapped: UYVY is recorded as YUYV.
  case swappedPairs

  /// Size of a frame as libfreenect delivers it.
  package func byteCount(of layout: FrameLayout) -> Int {
    switch self {
    case .none, .swappedPairs: layout.byteCount
    case .packed(let width): PackedSamples.byteCount(width, count: layout.width * layout.height)
    }
  }

  /// `source` has `byteCount(of: layout)` bytes; `target` is aligned as `FrameBuffer` is.
  package func unpack(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, _ layout: FrameLayout
  ) {
    guard let source = source.bindMemory(to: UInt8.self).baseAddress, let target = target.baseAddress else { return }
    switch self {
    case .none: target.copyMemory(from: source, byteCount: layout.byteCount)
    case .packed(let width):
      PackedSamples.unpack(
        source, width, to: target.bindMemory(to: UInt16.self, capacity: layout.width * layout.height),
        count: layout.width * layout.height)
    case .swappedPairs:
      PackedSamples.swapPairs(
        source, to: target.bindMemory(to: UInt8.self, capacity: layout.byteCount), byteCount: layout.byteCount)
    }
  }
}

/// A format of libfreenect, and how its frames are recorded.
struct KinectForm<Format> {
  let format: Format
  let pixels: PixelFormat
  var unpacking = KinectUnpacking.none
}

/// Formats of the colour or infrared camera. The raw value is the name on the command line.
package enum KinectVideo: String, ParameterChoice {
  case rgb, bayer
  /// 4:2:2 as the camera makes it, 15 frames a second.
  case yuv
  /// `yuv` converted to RGB by libfreenect.
  case yuvRGB = "yuv-rgb"
  /// Infrared without its two lowest bits.
  case infrared8 = "ir8"
  case infrared10 = "ir10"
  /// The values of `infrared10`, unpacked here instead of by libfreenect.
  case infrared10Packed = "ir10-packed"
  case none

  package var isInfrared: Bool { self == .infrared8 || self == .infrared10 || self == .infrared10Packed }
  package var kind: StreamKind { isInfrared ? .infrared : .color }
  package var hasHighResolution: Bool { self != .yuv && self != .yuvRGB && self != .none }

  var form: KinectForm<freenect_video_format>? {
    switch self {
    case .rgb: KinectForm(format: FREENECT_VIDEO_RGB, pixels: .rgb24)
    case .bayer: KinectForm(format: FREENECT_VIDEO_BAYER, pixels: .bayerGRBG8)
    case .yuv: KinectForm(format: FREENECT_VIDEO_YUV_RAW, pixels: .yuyv, unpacking: .swappedPairs)
    case .yuvRGB: KinectForm(format: FREENECT_VIDEO_YUV_RGB, pixels: .rgb24)
    case .infrared8: KinectForm(format: FREENECT_VIDEO_IR_8BIT, pixels: .grey8)
    case .infrared10: KinectForm(format: FREENECT_VIDEO_IR_10BIT, pixels: .grey16)
    case .infrared10Packed:
      KinectForm(format: FREENECT_VIDEO_IR_10BIT_PACKED, pixels: .grey16, unpacking: .packed(.ten))
    case .none: nil
    }
  }

  package var pixels: PixelFormat? { form?.pixels }
  package var unpacking: KinectUnpacking { form?.unpacking ?? KinectUnpacking.none }
}

/// Formats of the depth camera; the raw value is the name on the command line. Packed formats hold
/// the same values as the others, but are unpacked here instead of by libfreenect.
package enum KinectDepth: String, ParameterChoice {
  case raw11 = "11bit"
  case raw11Packed = "11bit-packed"
  case raw10 = "10bit"
  case raw10Packed = "10bit-packed"
  case millimeters = "mm"
  /// Millimetres, registered to the colour camera.
  case registered
  case none

  /// No published formula gives the distance of 10-bit values, so they stay counts.
  var form: KinectForm<freenect_depth_format>? {
    switch self {
    case .raw11: KinectForm(format: FREENECT_DEPTH_11BIT, pixels: .kinectRaw11)
    case .raw11Packed:
      KinectForm(format: FREENECT_DEPTH_11BIT_PACKED, pixels: .kinectRaw11, unpacking: .packed(.eleven))
    case .raw10: KinectForm(format: FREENECT_DEPTH_10BIT, pixels: .grey16)
    case .raw10Packed: KinectForm(format: FREENECT_DEPTH_10BIT_PACKED, pixels: .grey16, unpacking: .packed(.ten))
    case .millimeters: KinectForm(format: FREENECT_DEPTH_MM, pixels: .depthMillimeters16)
    case .registered: KinectForm(format: FREENECT_DEPTH_REGISTERED, pixels: .depthMillimeters16)
    case .none: nil
    }
  }

  package var pixels: PixelFormat? { form?.pixels }
  package var unpacking: KinectUnpacking { form?.unpacking ?? KinectUnpacking.none }
}
