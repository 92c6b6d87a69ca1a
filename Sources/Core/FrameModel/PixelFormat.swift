/// The pixel layout of a frame. The raw value is the name used on the command line and on disk.
package enum PixelFormat: String, CaseIterable, Hashable, Sendable {
  /// Three bytes a pixel: red, green, blue.
  case rgb24 = "RGB24"
  /// 4:2:2, two bytes a pixel: Y0 U Y1 V. An odd last column still has its four bytes.
  case yuyv = "YUYV"
  /// 4:2:0, a luma plane, then one plane of interleaved U V at half size, rounded up.
  case nv12 = "NV12"
  /// One byte of luma.
  case grey8 = "GREY"
  /// Little-endian UInt16: infrared intensity, or distance in the stream's unit (setting
  /// `StreamDescription.depthUnit`), 0 = no measurement.
  case grey16 = "Y16"
  /// Bayer mosaics, one byte a pixel, named by their first two rows.
  case bayerRGGB8 = "RGGB8"
  case bayerGRBG8 = "GRBG8"
  case bayerGBRG8 = "GBRG8"
  case bayerBGGR8 = "BGGR8"
  /// A JPEG image as the camera sent it, of variable length.
  case jpeg = "JPEG"
  /// Depth, little-endian UInt16 millimetres, 0 = no measurement.
  case depthMillimeters16 = "Z16"
  /// Kinect v1's raw disparity, 11 bits in a little-endian UInt16, 2047 = no measurement.
  case kinectRaw11 = "KINECT11"
  /// Disparity, little-endian Float32 in 1/m, NaN = no measurement.
  case disparityFloat32 = "DISPARITY32"
  /// Six little-endian Int16: acceleration x, y, z (819 counts = 1 g), tilt (half degrees), motor
  /// status, 0.
  case motion = "MOTION"

  /// Whether the format always holds depth. `grey16` does so only in a depth stream.
  package var isDepth: Bool {
    switch self {
    case .depthMillimeters16, .kinectRaw11, .disparityFloat32: true
    default: false
    }
  }

  /// Whether a pixel is one sample of two or four bytes.
  package var hasWideSamples: Bool {
    switch self {
    case .grey16, .depthMillimeters16, .kinectRaw11, .disparityFloat32: true
    default: false
    }
  }

  /// The fewest bytes that hold one row of `width` pixels; 0 for JPEG, which has no rows.
  package func packedBytesPerRow(width: Int) -> Int {
    switch self {
    case .rgb24: width * 3
    case .yuyv: (width + 1) / 2 * 4
    case .nv12: (width + 1) / 2 * 2
    case .grey8, .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8: width
    case .jpeg: 0
    case .grey16, .depthMillimeters16, .kinectRaw11, .motion: width * 2
    case .disparityFloat32: width * 4
    }
  }

  /// Rows of bytes in a frame of `height` rows of pixels. NV12's chroma plane adds half as many.
  package func rowCount(height: Int) -> Int {
    self == .nv12 ? height + (height + 1) / 2 : height
  }
}
