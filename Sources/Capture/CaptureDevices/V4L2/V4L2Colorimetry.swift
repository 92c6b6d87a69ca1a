import CV4L2
import FrameModel
import Kernels

/// Colour encoding as the driver reports it, with V4L2's defaults filled in. Most cameras report
/// none for YUYV and NV12, which means luma from 16 to 235.
struct V4L2Colorimetry {
  let format: VideoFormat
  let pixels: PixelFormat

  /// Empty for JPEG, which carries its own encoding, and for 16-bit formats.
  var settings: [StreamDescription.Setting] {
    let isRGB = [.rgb24, .bayerBGGR8, .bayerGBRG8, .bayerGRBG8, .bayerRGGB8].contains(pixels)
    guard isLuma || isRGB else { return [] }
    return [.init("colorspace", colorspace)] + (isLuma ? [.init(ColorMatrix.encodingSetting, encoding)] : [])
      + [.init(ColorMatrix.rangeSetting, quantization), .init("transfer-function", transfer)]
  }

  private var isLuma: Bool { [.yuyv, .nv12, .grey8].contains(pixels) }

  private func name(_ value: UInt32, _ names: [(UInt32, String)]) -> String {
    names.first { $0.0 == value }?.1 ?? "v4l2-\(value)"
  }

  private var colorspace: String {
    name(
      format.colorspace,
      [
        (V4L2_COLORSPACE_DEFAULT.rawValue, "unknown"), (V4L2_COLORSPACE_SMPTE170M.rawValue, "smpte-170m"),
        (V4L2_COLORSPACE_REC709.rawValue, "rec-709"), (V4L2_COLORSPACE_SRGB.rawValue, "srgb"),
        (V4L2_COLORSPACE_JPEG.rawValue, "jpeg"), (V4L2_COLORSPACE_RAW.rawValue, "raw"),
        (V4L2_COLORSPACE_BT2020.rawValue, "bt-2020"), (V4L2_COLORSPACE_DCI_P3.rawValue, "dci-p3"),
      ])
  }

  /// V4L2_MAP_YCBCR_ENC_DEFAULT of the kernel's header.
  private var encoding: String {
    if format.encoding == V4L2_YCBCR_ENC_DEFAULT.rawValue {
      switch format.colorspace {
      case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue: return ColorMatrix.Encoding.bt709.rawValue
      case V4L2_COLORSPACE_BT2020.rawValue: return ColorMatrix.Encoding.bt2020.rawValue
      case V4L2_COLORSPACE_SMPTE240M.rawValue: return ColorMatrix.Encoding.smpte240M.rawValue
      default: return ColorMatrix.Encoding.bt601.rawValue
      }
    }
    return name(
      format.encoding,
      [
        (V4L2_YCBCR_ENC_601.rawValue, ColorMatrix.Encoding.bt601.rawValue),
        (V4L2_YCBCR_ENC_709.rawValue, ColorMatrix.Encoding.bt709.rawValue),
        (V4L2_YCBCR_ENC_BT2020.rawValue, ColorMatrix.Encoding.bt2020.rawValue),
        (V4L2_YCBCR_ENC_SMPTE240M.rawValue, ColorMatrix.Encoding.smpte240M.rawValue),
      ])
  }

  /// V4L2_MAP_QUANTIZATION_DEFAULT of the kernel's header.
  private var quantization: String {
    switch format.quantization {
    case V4L2_QUANTIZATION_FULL_RANGE.rawValue: return ColorMatrix.Range.full.rawValue
    case V4L2_QUANTIZATION_LIM_RANGE.rawValue: return ColorMatrix.Range.limited.rawValue
    default:
      let range: ColorMatrix.Range = isLuma && format.colorspace != V4L2_COLORSPACE_JPEG.rawValue ? .limited : .full
      return range.rawValue
    }
  }

  /// V4L2_MAP_XFER_FUNC_DEFAULT of the kernel's header.
  private var transfer: String {
    if format.transfer == V4L2_XFER_FUNC_DEFAULT.rawValue {
      switch format.colorspace {
      case V4L2_COLORSPACE_SRGB.rawValue, V4L2_COLORSPACE_JPEG.rawValue: return "srgb"
      case V4L2_COLORSPACE_RAW.rawValue: return "none"
      case V4L2_COLORSPACE_DCI_P3.rawValue: return "dci-p3"
      case V4L2_COLORSPACE_SMPTE240M.rawValue: return "smpte-240m"
      default: return "709"
      }
    }
    return name(
      format.transfer,
      [
        (V4L2_XFER_FUNC_709.rawValue, "709"), (V4L2_XFER_FUNC_SRGB.rawValue, "srgb"),
        (V4L2_XFER_FUNC_NONE.rawValue, "none"), (V4L2_XFER_FUNC_DCI_P3.rawValue, "dci-p3"),
        (V4L2_XFER_FUNC_SMPTE240M.rawValue, "smpte-240m"),
      ])
  }
}
