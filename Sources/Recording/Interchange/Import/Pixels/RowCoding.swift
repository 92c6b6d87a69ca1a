import FrameModel

/// How a row of a raw image is converted to a pixel format.
package enum RowCoding: Hashable, Sendable {
  case copy
  /// From blue, green, red.
  case swapRedBlue
  /// Four bytes per pixel, the last of which is dropped.
  case dropAlpha(isBlueFirst: Bool)
  /// Three or four samples of 16 bits per pixel, of which the fourth is dropped. Rounded to 8 bits.
  case narrow(hasAlpha: Bool, isBlueFirst: Bool, isBigEndian: Bool)
  /// From U Y0 V Y1.
  case swapPairs
  case bigEndian16
  /// Little-endian samples of 16 bits, rounded to 8.
  case highByte
  /// Little-endian samples of 10 bits in 16, rounded to 8.
  case lowTenBits
  /// 32-bit floats in metres, to whole millimetres.
  case meters(isBigEndian: Bool)

  /// Pixel formats of the encodings in sensor_msgs/image_encodings.hpp and foxglove.RawImage.
  static func of(_ encoding: String, isBigEndian: Bool) -> (format: PixelFormat, coding: RowCoding)? {
    switch encoding {
    case "rgb8": (.rgb24, .copy)
    // OpenCV's types do not name the channels; by its convention blue is first.
    case "bgr8", "8UC3": (.rgb24, .swapRedBlue)
    case "rgba8": (.rgb24, .dropAlpha(isBlueFirst: false))
    case "bgra8", "8UC4": (.rgb24, .dropAlpha(isBlueFirst: true))
    case "rgb16": (.rgb24, .narrow(hasAlpha: false, isBlueFirst: false, isBigEndian: isBigEndian))
    case "bgr16", "16UC3": (.rgb24, .narrow(hasAlpha: false, isBlueFirst: true, isBigEndian: isBigEndian))
    case "rgba16": (.rgb24, .narrow(hasAlpha: true, isBlueFirst: false, isBigEndian: isBigEndian))
    case "bgra16", "16UC4": (.rgb24, .narrow(hasAlpha: true, isBlueFirst: true, isBigEndian: isBigEndian))
    case "mono8", "8UC1": (.grey8, .copy)
    case "mono16", "16UC1": (.depthMillimeters16, isBigEndian ? .bigEndian16 : .copy)
    case "32FC1": (.depthMillimeters16, .meters(isBigEndian: isBigEndian))
    case "bayer_rggb8": (.bayerRGGB8, .copy)
    case "bayer_grbg8": (.bayerGRBG8, .copy)
    case "bayer_gbrg8": (.bayerGBRG8, .copy)
    case "bayer_bggr8": (.bayerBGGR8, .copy)
    case "yuyv", "yuv422_yuy2": (.yuyv, .copy)
    case "uyvy", "yuv422": (.yuyv, .swapPairs)
    case "nv12": (.nv12, .copy)
    default: nil
    }
  }

  static let encodings =
    "rgb8, bgr8, rgba8, bgra8, 8UC1, 8UC3, 8UC4, rgb16, bgr16, rgba16, bgra16, 16UC3, 16UC4, mono8, mono16, 16UC1, "
    + "32FC1, bayer_*8, yuyv, uyvy and nv12"

  /// Bytes of a source row of `width` pixels, without padding.
  package func sourceByteCount(_ format: PixelFormat, width: Int) -> Int {
    switch self {
    case .dropAlpha, .meters: width * 4
    case .highByte, .lowTenBits: format.packedBytesPerRow(width: width) * 2
    case .narrow(let hasAlpha, _, _): width * (hasAlpha ? 8 : 6)
    case .copy, .swapRedBlue, .swapPairs, .bigEndian16: format.packedBytesPerRow(width: width)
    }
  }

  /// `source` may have any alignment; `target` is one packed row of the pixel format.
  package func convert(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
    switch self {
    case .copy: target.copyMemory(from: source)
    case .swapRedBlue:
      for i in stride(from: 0, to: target.count, by: 3) {
        (target[i], target[i + 1], target[i + 2]) = (source[i + 2], source[i + 1], source[i])
      }
    case .dropAlpha(let isBlueFirst):
      let (red, blue) = isBlueFirst ? (2, 0) : (0, 2)
      for i in 0..<source.count / 4 {
        target[3 * i] = source[4 * i + red]
        target[3 * i + 1] = source[4 * i + 1]
        target[3 * i + 2] = source[4 * i + blue]
      }
    case .narrow(let hasAlpha, let isBlueFirst, let isBigEndian):
      let channelCount = hasAlpha ? 4 : 3
      for pixel in 0..<target.count / 3 {
        for channel in 0..<3 {
          let place = 2 * (pixel * channelCount + (isBlueFirst ? 2 - channel : channel))
          let word = source.loadUnaligned(fromByteOffset: place, as: UInt16.self)
          let sample = isBigEndian ? UInt16(bigEndian: word) : UInt16(littleEndian: word)
          // Times 255 / 65535, which is 1 / 257.
          target[3 * pixel + channel] = UInt8((Int(sample) + 128) / 257)
        }
      }
    case .swapPairs, .bigEndian16:
      for i in stride(from: 0, to: target.count, by: 2) { (target[i], target[i + 1]) = (source[i + 1], source[i]) }
    case .highByte, .lowTenBits:
      let (bits, half) = self == .highByte ? (8, 128) : (2, 2)
      for i in target.indices {
        let sample = Int(source[2 * i]) | Int(source[2 * i + 1]) << 8
        target[i] = UInt8(min(255, (sample + half) >> bits))
      }
    case .meters(let isBigEndian):
      for i in 0..<source.count / 4 {
        let word = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
        let meters = Float(bitPattern: isBigEndian ? word.byteSwapped : word)
        target.storeBytes(of: Self.millimeters(meters).littleEndian, toByteOffset: 2 * i, as: UInt16.self)
      }
    }
  }

  /// Rounds to the nearest millimetre, half up. Values that are not finite or not positive become
  /// 0, no measurement (REP 118). Those above 65.535 m become 65535, as in TUM data sets.
  package static func millimeters(_ meters: Float) -> UInt16 {
    guard meters.isFinite, meters > 0 else { return 0 }
    // Exact: a Float times 1000 fits a Double's 53 bits.
    return UInt16(min(65535, (Double(meters) * 1000).rounded(.toNearestOrAwayFromZero)))
  }
}
