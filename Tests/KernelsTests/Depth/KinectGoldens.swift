import Kernels
import Testing

/// What Debian's libfreenect 0.5.3 (package libfreenect0.5 1:0.5.3-3+b1, x86-64) made of two calibrations and one frame.
///
/// A device written in software answered the library's questions with these numbers and sent `raw` as 11-bit depth; the
/// tables are freenect_copy_registration's, the frames what it delivered in its modes 11BIT, MM and REGISTERED. Kept are
/// FNV-1a hashes of their bytes. The first block is a real device's that was made public (OpenKinect's early work on
/// registration), the second another's with terms left out there filled in, and its plane, shift and padding made up.
struct KinectGolden: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let calibration: KinectCalibration
  let millimeters: UInt64
  /// Of the whole frame in the modes MM and REGISTERED.
  let frame: UInt64
  let registered: UInt64

  static let all = [
    KinectGolden(
      testDescription: "a real device's block",
      calibration: KinectCalibration(
        terms: [
          2_048_330_528, 1964, 56, -26, 600, 6161, -13, 2825, 684, 5, 6434, 10062, 130_801, 0, 0, 170, 136, 2_095_986,
          890,
          763, 2_096_378, 134_215_474, 134_217_093, 134_216_989, 134_216_925, 0, 134_216_984, 0, 134_214_659,
        ],
        padding: .init(),
        zeroPlane: .init(
          emitterDistanceCentimeters: 7.5, colorDistanceCentimeters: 2.4, referenceDistanceMillimeters: 120,
          referencePixelSizeMillimeters: 0.1042),
        constantShift: 200),
      millimeters: 0xe267_6cc8_91eb_9482, frame: 0xeaa4_7801_cb48_8ffc, registered: 0x3f86_f5b7_89c7_4c62),
    KinectGolden(
      testDescription: "another block, with padding",
      calibration: KinectCalibration(
        terms: [
          2_048_330_528, 1681, -5, 1, 468, 3145, -8, 2647, 599, 11, 6771, 10062, 130_801, 0, 0, 170, 136, 2_095_911,
          682,
          651, 2_096_067, 134_215_532, 134_217_276, 134_217_118, 134_216_919, 0, 134_217_176, 0, 134_215_010,
        ],
        padding: .init(startLines: 1),
        zeroPlane: .init(
          emitterDistanceCentimeters: 7.42, colorDistanceCentimeters: 2.4, referenceDistanceMillimeters: 121.5,
          referencePixelSizeMillimeters: 0.1051),
        constantShift: 187),
      millimeters: 0x51c4_07a9_a566_3400, frame: 0x4eb3_0c0f_916a_717c, registered: 0xd48f_8d45_f351_dc18),
  ]

  /// The frame that was sent: rows with every value there is, then a box before a rough wall, and holes.
  static let raw: [UInt16] = (0..<480).flatMap { y in
    (0..<640).map { x in
      if y < 64 { return UInt16((y * 640 + x) & 2047) }
      if (x * 7 + y * 13) % 53 == 0 { return 2047 }
      if (200..<420).contains(x), (120..<400).contains(y) { return UInt16(640 + (x >> 4) + (y >> 5)) }
      return UInt16(900 + (x * 37 + y * 91) % 61)
    }
  }
  static let rawHash: UInt64 = 0x8c0a_c360_f9de_353e

  /// FNV-1a, 64 bits.
  static func hash(_ samples: [UInt16]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for sample in samples {
      for byte in [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)] {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    return hash
  }
}
