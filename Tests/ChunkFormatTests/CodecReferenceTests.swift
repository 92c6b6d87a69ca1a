import FrameModel
import PortableMath
import Testing

@testable import ChunkFormat

/// Every transform against the same in plain loops, bit for bit. What differs is named, not printed: it is long.
@Suite struct CodecReferenceTests {
  private static let sizes = CodecFrame.smallSizes + [(161, 97), (16, 8), (32, 16), (31, 47)]

  @Test(arguments: CodecFrame.formats.filter(ColorPlanes.handles))
  func planesAreThoseOfTheReference(_ format: PixelFormat) throws {
    let transform = PlaneTransform()
    for (width, height) in Self.sizes {
      for content in CodecContent.allCases {
        let frame = CodecFrame(try FrameLayout(format, width: width, height: height), content)
        let (tiles, nibbles) = frame.bytes.withRawBytes { bytes in
          let parts = transform.encodeTiles(bytes, frame.layout)
          return (
            (classes: Array(parts.classes), residuals: Array(parts.residuals)),
            Array(transform.encodeNibbles(bytes, frame.layout))
          )
        }
        let expected = PlaneReference.tiles(frame.bytes, frame.layout)
        let isSame = (
          classes: tiles.classes == expected.classes, residuals: tiles.residuals == expected.residuals,
          nibbles: nibbles == PlaneReference.nibbles(frame.bytes, frame.layout)
        )
        #expect(isSame == (true, true, true), "\(frame)")
      }
    }
  }

  @Test(arguments: [PlaneForm.tiles, .liftedColumns, .rgbColumns])
  func colorsAreThoseOfTheReferenceAndComeBack(_ form: PlaneForm) throws {
    let transform = PlaneTransform()
    for (width, height) in Self.sizes {
      for content in CodecContent.allCases {
        let frame = CodecFrame(try FrameLayout(.rgb24, width: width, height: height), content)
        let (classes, residuals) = frame.bytes.withRawBytes { bytes in
          let parts = transform.encodeTiles(bytes, frame.layout, as: form)
          return (Array(parts.classes), Array(parts.residuals))
        }
        var decoded = [UInt8](repeating: 0xA5, count: frame.bytes.count)
        decoded.withMutableRawBytes { transform.decodeTiles(frame.layout, as: form, into: $0) }
        let expected = PlaneReference.tiles(frame.bytes, frame.layout, as: form)
        let isSame = (
          classes: classes == expected.classes, residuals: residuals == expected.residuals,
          decoded: decoded == frame.bytes
        )
        #expect(isSame == (true, true, true), "\(frame)")
      }
    }
  }

  /// The encoder gives no residuals but those of pictures; a decoder has to agree on all.
  @Test func predictionIsUndoneForAnyResiduals() {
    for (width, height) in Self.sizes {
      let memory = ScratchMemory()
      let bytes = memory.bytes(SamplePlane<UInt8>.byteCount(width: width, height: height))
      guard let base = bytes.baseAddress else { continue }
      let plane = SamplePlane<UInt8>(width: width, height: height, in: base)
      let residuals = PlaneReference.Plane(width, height) { x, y in
        UInt8(truncatingIfNeeded: SeededGenerator.hash(UInt64(x), UInt64(y)))
      }
      let source = ScratchMemory()
      let start = source.samples(of: UInt8.self, width * height)
      start.update(from: residuals.samples, count: width * height)
      plane.clearSurroundings()
      MedianPrediction8.decode(start, into: plane)
      let decoded = PlaneReference.Plane(width, height) { x, y in plane.row(y)[x] }
      let isSame = PlaneReference.residuals(decoded) == residuals
      #expect(isSame, "\(width)x\(height)")
    }
  }

  @Test(arguments: [PixelFormat.depthMillimeters16, .kinectRaw11, .disparityFloat32])
  func ranksAndDifferencesAreThoseOfTheReference(_ format: PixelFormat) throws {
    let transform = RankTransform()
    for (width, height) in Self.sizes {
      for content in CodecContent.allCases {
        let frame = CodecFrame(try FrameLayout(format, width: width, height: height), content)
        let expected = DepthReference.ranks(frame.bytes, frame.layout)
        let ranks = frame.bytes.withRawBytes { bytes in transform.encode(bytes, frame.layout).map { Array($0) } }
        // It gives up where ranks are longer than the samples.
        let areSameRanks = ranks == expected || ranks == nil && expected.count - 4 >= frame.bytes.count
        let areSameDeltas = deltas(frame) == DepthReference.deltas(frame.bytes, frame.layout)
        #expect(areSameRanks && areSameDeltas, "\(frame), ranks: \(areSameRanks), differences: \(areSameDeltas)")
      }
    }
  }

  private func deltas(_ frame: CodecFrame) -> [UInt8] {
    let (width, height) = (frame.layout.width, frame.layout.height)
    let memory = ScratchMemory()
    let target = memory.samples(of: UInt8.self, frame.bytes.count)
    frame.bytes.withRawBytes { bytes in
      guard let samples = bytes.baseAddress else { return }
      if frame.layout.format == .disparityFloat32 {
        DeltaPlanes.encode(samples, of: UInt32.self, width: width, height: height, into: target)
      } else {
        DeltaPlanes.encode(samples, of: UInt16.self, width: width, height: height, into: target)
      }
    }
    return Array(UnsafeBufferPointer(start: target, count: frame.bytes.count))
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 63, 64, 65, 1000])
  func crumbsAreThoseOfTheReference(_ count: Int) {
    let limits: [UInt64] = [1, 3, 4, 17, 19, 65_536]
    for limit in limits {
      let numbers = (0..<count).map { UInt16(truncatingIfNeeded: SeededGenerator.hash(limit, UInt64($0)) % limit) }
      let (source, scratch, target) = (ScratchMemory(), ScratchMemory(), ScratchMemory())
      let values = source.samples(of: UInt16.self, count + 3)
      values.update(from: numbers, count: count)
      let packed = target.samples(of: UInt8.self, CrumbPacking.bound(count: count))
      let large = scratch.samples(of: UInt16.self, CrumbPacking.scratchCount(count: count))
      let byteCount = CrumbPacking.encode(values, count: count, scratch: large, into: packed)
      let bytes = UnsafeRawBufferPointer(start: packed, count: byteCount)
      let isSame = Array(bytes) == DepthReference.crumbs(numbers)
      #expect(isSame, "\(count) numbers below \(limit)")
      values.update(repeating: 7, count: count)
      #expect(CrumbPacking.decode(bytes, count: count, scratch: large, into: values))
      let isUnpacked = Array(UnsafeBufferPointer(start: values, count: count)) == numbers
      #expect(isUnpacked, "\(count) numbers below \(limit)")
    }
  }
}
