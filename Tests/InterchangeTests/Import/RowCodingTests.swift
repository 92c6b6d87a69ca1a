import Interchange
import Support
import Testing

/// Decoding rows of pictures from other programs.
@Suite struct RowCodingTests {
  /// - Returns: the row from a source that starts at an odd address.
  private func row(_ coding: RowCoding, _ source: [UInt8], byteCount: Int) -> [UInt8] {
    var target = [UInt8](repeating: 0xEE, count: byteCount)
    ([0] + source).withUnsafeBytes { source in
      target.withUnsafeMutableBytes { target in
        coding.convert(UnsafeRawBufferPointer(rebasing: source[1...]), to: target)
      }
    }
    return target
  }

  @Test func `every order of bytes becomes the recording's`() {
    let six: [UInt8] = [1, 2, 3, 4, 5, 6]
    #expect(row(.copy, six, byteCount: 6) == six)
    #expect(row(.swapRedBlue, six, byteCount: 6) == [3, 2, 1, 6, 5, 4])
    #expect(row(.swapPairs, six, byteCount: 6) == [2, 1, 4, 3, 6, 5])
    #expect(row(.bigEndian16, six, byteCount: 6) == [2, 1, 4, 3, 6, 5])
    let ten: [UInt8] = [1, 0, 2, 0, 0xFD, 3, 0xFF, 3, 0xFF, 0xFF]
    #expect(row(.lowTenBits, ten, byteCount: 5) == [0, 1, 255, 255, 255])
    let eight: [UInt8] = six + [7, 8]
    #expect(row(.dropAlpha(isBlueFirst: false), eight, byteCount: 6) == [1, 2, 3, 5, 6, 7])
    #expect(row(.dropAlpha(isBlueFirst: true), eight, byteCount: 6) == [3, 2, 1, 7, 6, 5])
  }

  @Test func `metres in both byte orders become whole millimetres`() {
    let meters: [Float] = [0, 1.5, 0.0004, 65.535, 70]
    let expected: [UInt16] = [0, 1500, 0, 65_535, 65_535]
    let little = meters.flatMap { meters in withUnsafeBytes(of: meters.bitPattern.littleEndian) { Array($0) } }
    let big = meters.flatMap { meters in withUnsafeBytes(of: meters.bitPattern.bigEndian) { Array($0) } }
    let bytes = expected.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(row(.meters(isBigEndian: false), little, byteCount: 10) == bytes)
    #expect(row(.meters(isBigEndian: true), big, byteCount: 10) == bytes)
  }

  @Test func `a distance is rounded half up, and what is none is a hole`() {
    #expect(RowCoding.millimeters(1.2344) == 1234)
    // Half a millimetre is exact in binary.
    #expect(RowCoding.millimeters(0.0625) == 63)
    #expect(RowCoding.millimeters(0.0005) == 1)
    for none in [Float.nan, .infinity, -.infinity, -1, -0.0, 0] { #expect(RowCoding.millimeters(none) == 0) }
    #expect(RowCoding.millimeters(.greatestFiniteMagnitude) == 65_535)
  }
}
