/// `delta-bytes` in Guides/FrameCodecs.md: for depth with too many distinct values for ranks.
package enum DeltaPlanes {
  /// - Parameter samples: little-endian.
  package static func encode<Sample: FixedWidthInteger & UnsignedInteger>(
    _ samples: UnsafeRawPointer, of type: Sample.Type, width: Int, height: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    let size = MemoryLayout<Sample>.size
    var index = 0
    for _ in 0..<height {
      for x in 0..<width {
        let sample = Self.sample(samples, index, type)
        let before = index == 0 ? 0 : Self.sample(samples, x > 0 ? index - 1 : index - width, type)
        let difference = sample &- before
        let sign = 0 &- (difference >> Sample(Sample.bitWidth - 1))
        let zigzag = (difference &<< 1) ^ sign
        for part in 0..<size {
          target[part * width * height + index] = UInt8(truncatingIfNeeded: zigzag >> Sample(8 * part))
        }
        index += 1
      }
    }
  }

  static func decode<Sample: FixedWidthInteger & UnsignedInteger>(
    _ source: UnsafePointer<UInt8>, of type: Sample.Type, width: Int, height: Int,
    into samples: UnsafeMutableRawPointer
  ) {
    let size = MemoryLayout<Sample>.size
    for y in 0..<height {
      var before = y == 0 ? 0 : Self.sample(UnsafeRawPointer(samples), (y - 1) * width, type)
      for index in (y * width)..<((y + 1) * width) {
        var zigzag: Sample = 0
        for part in 0..<size { zigzag |= Sample(source[part * width * height + index]) << Sample(8 * part) }
        before = before &+ ((zigzag >> 1) ^ (0 &- (zigzag & 1)))
        samples.storeBytes(of: before.littleEndian, toByteOffset: size * index, as: Sample.self)
      }
    }
  }

  @inline(__always)
  private static func sample<Sample: FixedWidthInteger>(
    _ samples: UnsafeRawPointer, _ index: Int, _ type: Sample.Type
  ) -> Sample {
    Sample(
      littleEndian: samples.loadUnaligned(fromByteOffset: index * MemoryLayout<Sample>.size, as: type))
  }
}
