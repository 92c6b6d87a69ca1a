/// The pixel layout of a frame. Later versions may add formats, so a `switch` needs a default.
public struct PixelFormat: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name on the command line and in recordings, such as "Z16".
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// Three bytes a pixel: red, green, blue.
  public static let rgb24 = PixelFormat(rawValue: "RGB24")
  /// 4:2:2, two bytes a pixel: Y0 U Y1 V. An odd last column still has its four bytes.
  public static let yuyv = PixelFormat(rawValue: "YUYV")
  /// 4:2:0: a luma plane, then a plane of interleaved U V at half size, rounded up, with the same
  /// bytes per row.
  public static let nv12 = PixelFormat(rawValue: "NV12")
  /// One byte of luma, or of a mask or matte: 0 background, 255 person.
  public static let grey8 = PixelFormat(rawValue: "GREY")
  /// Little-endian UInt16: infrared intensity, or distance in the stream's unit; 0 = no measurement.
  public static let grey16 = PixelFormat(rawValue: "Y16")
  /// Bayer mosaics, one byte a pixel, named by their first two rows.
  public static let bayerRGGB8 = PixelFormat(rawValue: "RGGB8")
  public static let bayerGRBG8 = PixelFormat(rawValue: "GRBG8")
  public static let bayerGBRG8 = PixelFormat(rawValue: "GBRG8")
  public static let bayerBGGR8 = PixelFormat(rawValue: "BGGR8")
  /// A JPEG image as the camera sent it, of variable length. Has no rows.
  public static let jpeg = PixelFormat(rawValue: "JPEG")
  /// Depth, little-endian UInt16 millimetres, 0 = no measurement.
  public static let depthMillimeters16 = PixelFormat(rawValue: "Z16")
  /// Kinect v1's raw disparity, 11 bits in a little-endian UInt16, 2047 = no measurement.
  public static let kinectRaw11 = PixelFormat(rawValue: "KINECT11")
  /// Disparity, little-endian Float32 in 1/m, NaN = no measurement.
  public static let disparityFloat32 = PixelFormat(rawValue: "DISPARITY32")
  /// Six little-endian Int16: acceleration x, y, z (819 counts = 1 g), tilt (half degrees), motor
  /// status, 0.
  public static let motion = PixelFormat(rawValue: "MOTION")
}
