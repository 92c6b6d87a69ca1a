import FrameModel

/// A format of V4L2 that is recorded, and how.
///
/// Formats that libv4l2 would make of others are not among a camera's: what the sensor sends is recorded, and anything else
/// can be made of it later.
package struct CameraFormat: Hashable, Sendable {
  package let code: FourCC
  /// As on the command line and in lists.
  package let name: String
  /// Other names on the command line.
  package let otherNames: [String]
  package let pixels: PixelFormat
  /// What is done to the bytes of a pixel, which loses nothing.
  package let order: CameraByteOrder
  /// What it shows where nothing else is said.
  package let kind: StreamKind
  /// What else it may show.
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

  /// In the order of preference, where size and rate do not decide: whole pixels before JPEG, colour before depth.
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

  package static func named(_ text: String) -> CameraFormat? {
    let name = text.uppercased()
    return all.first { $0.name == name || $0.otherNames.contains(name) }
  }

  package static func of(_ code: FourCC) -> CameraFormat? { all.first { $0.code == code } }

  package func canShow(_ kind: StreamKind) -> Bool { kind == self.kind || otherKinds.contains(kind) }
}
