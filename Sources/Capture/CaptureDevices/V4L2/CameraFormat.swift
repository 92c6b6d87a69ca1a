import FrameModel

/// A V4L2 format that can be recorded. Formats that libv4l2 emulates are excluded: recordings hold
/// what the sensor sends.
package struct CameraFormat: Hashable, Sendable {
  package let code: FourCC
  package let name: String
  package let otherNames: [String]
  package let pixels: PixelFormat
  /// Byte order of the camera's pixels; reordering loses nothing.
  package let order: CameraByteOrder
  /// Default kind of stream; `otherKinds` can be requested.
  package let kind: StreamKind
  package let otherKinds: [StreamKind]

  private init(
    _ code: FourCC, _ name: String, _ otherNames: [String] = [], as pixels: PixelFormat,
    order: CameraByteOrder = .same, kind: StreamKind = .color, otherKinds: [StreamKind] = []
  ) {
    self.code = code
    self.name = name
    self.otherNames = otherNames
    self.pixels = pixels
    self.order = order
    self.kind = kind
    self.otherKinds = otherKinds
  }

  /// In order of preference for equal size and rate: raw pixels before JPEG, colour before depth.
  package static let all: [CameraFormat] = [
    CameraFormat(FourCC("YUYV"), "YUYV", ["YUY2"], as: .yuyv),
    CameraFormat(FourCC("UYVY"), "UYVY", as: .yuyv, order: .chromaFirst),
    CameraFormat(FourCC("NV12"), "NV12", as: .nv12),
    CameraFormat(FourCC("RGB3"), "RGB24", ["RGB3"], as: .rgb24),
    CameraFormat(FourCC("BGR3"), "BGR24", ["BGR3"], as: .rgb24, order: .blueFirst),
    CameraFormat(FourCC("MJPG"), "MJPG", ["MJPEG"], as: .jpeg),
    CameraFormat(FourCC("JPEG"), "JPEG", as: .jpeg),
    CameraFormat(FourCC("RGGB"), "RGGB8", ["RGGB"], as: .bayerRGGB8),
    CameraFormat(FourCC("GRBG"), "GRBG8", ["GRBG"], as: .bayerGRBG8),
    CameraFormat(FourCC("GBRG"), "GBRG8", ["GBRG"], as: .bayerGBRG8),
    CameraFormat(FourCC("BA81"), "BGGR8", ["BA81"], as: .bayerBGGR8),
    CameraFormat(FourCC("GREY"), "GREY", ["Y8"], as: .grey8, otherKinds: [.infrared]),
    CameraFormat(FourCC("Z16 "), "Z16", as: .depthMillimeters16, kind: .depth),
    CameraFormat(FourCC("Y16 "), "Y16", as: .grey16, kind: .infrared, otherKinds: [.depth]),
  ]

  static var allNames: String { all.map(\.name).joined(separator: ", ") }

  package static func named(_ text: String) -> CameraFormat? {
    let name = text.uppercased()
    return all.first { $0.name == name || $0.otherNames.contains(name) }
  }

  package static func of(_ code: FourCC) -> CameraFormat? { all.first { $0.code == code } }

  package func canShow(_ kind: StreamKind) -> Bool { kind == self.kind || otherKinds.contains(kind) }
}
