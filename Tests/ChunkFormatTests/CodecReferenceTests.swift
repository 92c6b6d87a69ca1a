import ChunkFormat
import FrameModel
import Kernels
import Support
import TestSupport
import Testing

/// Every transform against the same in plain loops, bit for bit. What differs is named, not printed: it is long.
@Suite struct CodecReferenceTests {
  private static let sizes = CodecFrame.smallSizes + [(161, 97), (16, 8), (32, 16), (31, 47)]

  @Test(arguments: CodecFrame.formats.filter(ColorPlanes.handles))
  func `planes equal those of the reference`(_ format: PixelFormat) throws {
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

  @Test(arguments: [PlaneForm.tiles, .liftedColumns, .rgbColumns], Processor.available)
  func `planes of colours equal those of the reference, and decode to the frame`(
    _ form: PlaneForm, on processor: Processor
  ) throws {
    let transform = PlaneTransform(processor: processor)
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
  @Test(arguments: Processor.available)
  func `prediction is undone for any residuals`(on processor: Processor) {
    for (width, height) in Self.sizes {
      let (memory, source) = (ScratchMemory(), ScratchMemory())
      defer { withExtendedLifetime((memory, source)) {} }
      guard let base = memory.bytes(SamplePlane<UInt8>.byteCount(width: width, height: height)).baseAddress else {
        continue
      }
      let plane = SamplePlane<UInt8>(width: width, height: height, in: base)
      let residuals = PlaneReference.Plane(width, height) { x, y in
        UInt8(truncatingIfNeeded: SeededGenerator.hash(UInt64(x), UInt64(y)))
      }
      let start = source.samples(of: UInt8.self, width * height)
      start.update(from: residuals.samples, count: width * height)
      plane.clearSurroundings()
      MedianPrediction8.decode(start, into: plane, processor: processor)
      let decoded = PlaneReference.Plane(width, height) { x, y in plane.row(y)[x] }
      let isSame = PlaneReference.residuals(decoded) == residuals
      #expect(isSame, "\(width)x\(height)")
    }
  }

  /// Ranks wrap around at 16 bits; a frame of an encoder's has none so large.
  @Test(arguments: Processor.available)
  func `prediction of ranks is undone for any residuals`(on processor: Processor) {
    for (width, height) in Self.sizes {
      let (memory, source) = (ScratchMemory(), ScratchMemory())
      defer { withExtendedLifetime((memory, source)) {} }
      guard let base = memory.bytes(SamplePlane<Int16>.byteCount(width: width, height: height)).baseAddress else {
        continue
      }
      let plane = SamplePlane<Int16>(width: width, height: height, in: base)
      let residuals = source.samples(of: UInt16.self, width * height)
      for i in 0..<width * height {
        residuals[i] = UInt16(truncatingIfNeeded: SeededGenerator.hash(UInt64(width), UInt64(i)))
      }
      plane.clearSurroundings()
      MedianPrediction16.decode(residuals, into: plane, processor: processor)
      var differing = 0
      for y in 0..<height {
        for x in 0..<width {
          func rank(_ x: Int, _ y: Int) -> Int { x < 0 || y < 0 ? 0 : Int(plane.row(y)[x]) }
          let prediction = PlaneReference.median(
            left: rank(x - 1, y), above: rank(x, y - 1), aboveLeft: rank(x - 1, y - 1))
          let residual = Int16(truncatingIfNeeded: rank(x, y) - prediction)
          let zigzag = UInt16(bitPattern: (residual << 1) ^ (residual >> 15))
          differing += zigzag == residuals[y * width + x] ? 0 : 1
        }
      }
      #expect(differing == 0, "\(width)x\(height)")
    }
  }

  /// What it may overwrite is said in CKernelsCodec.h: nothing of that lies in another row's samples.
  @Test(arguments: Processor.available)
  func `planes of colours are joined up to the last pixel and not beyond`(on processor: Processor) {
    for form in [RGBPlanes.average, .lifted, .plain] {
      for count in Array(1...49) + [640] {
        let colors = (0..<3 * count).map { UInt8(truncatingIfNeeded: SeededGenerator.hash(7, UInt64($0))) }
        // What is compiled for speed lets go of them as soon as their addresses are taken.
        let planes = (0..<3).map { _ in ScratchMemory() }
        defer { withExtendedLifetime(planes) {} }
        let rows = planes.map { $0.samples(of: UInt8.self, count) }
        form.split(colors, count: count, rows[0], rows[1], rows[2])
        var joined = [UInt8](repeating: 0xA5, count: 3 * count + 64)
        joined.withUnsafeMutableBufferPointer {
          form.join(rows[0], rows[1], rows[2], count: count, $0.baseAddress! + 32, processor: processor)
        }
        let isSame = Array(joined[32..<32 + 3 * count]) == colors
        let isUntouched = (joined[..<32] + joined[(32 + 3 * count)...]).allSatisfy { $0 == 0xA5 }
        #expect(isSame && isUntouched, "\(form), \(count)")
      }
    }
  }

  @Test(arguments: [PixelFormat.depthMillimeters16, .kinectRaw11, .disparityFloat32])
  func `ranks and differences equal those of the reference`(_ format: PixelFormat) throws {
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
    defer { withExtendedLifetime(memory) {} }
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

  @Test(arguments: [0, 1, 2, 3, 4, 5, 63, 64, 65, 1000], Processor.available)
  func `crumbs equal those of the reference`(_ count: Int, on processor: Processor) {
    let limits: [UInt64] = [1, 3, 4, 17, 19, 65_536]
    for limit in limits {
      let numbers = (0..<count).map { UInt16(truncatingIfNeeded: SeededGenerator.hash(limit, UInt64($0)) % limit) }
      let (source, scratch, target) = (ScratchMemory(), ScratchMemory(), ScratchMemory())
      defer { withExtendedLifetime((source, scratch, target)) {} }
      let values = source.samples(of: UInt16.self, count + 3)
      values.update(from: numbers, count: count)
      let packed = target.samples(of: UInt8.self, CrumbPacking.bound(count: count))
      let large = scratch.samples(of: UInt16.self, CrumbPacking.scratchCount(count: count))
      let byteCount = CrumbPacking.encode(values, count: count, scratch: large, into: packed)
      let bytes = UnsafeRawBufferPointer(start: packed, count: byteCount)
      let isSame = Array(bytes) == DepthReference.crumbs(numbers)
      #expect(isSame, "\(count) numbers below \(limit)")
      values.update(repeating: 7, count: count)
      #expect(CrumbPacking.decode(bytes, count: count, scratch: large, into: values, processor: processor))
      let isUnpacked = Array(UnsafeBufferPointer(start: values, count: count)) == numbers
      #expect(isUnpacked, "\(count) numbers below \(limit)")
    }
  }

  /// Each byte of a crumb, and each of nibbles, changed: what is then more or less than is said is refused by every kernel.
  @Test func `every processor refuses the same damaged crumbs`() {
    let count = 203
    let numbers = (0..<count).map { UInt16(truncatingIfNeeded: SeededGenerator.hash(3, UInt64($0)) % 40) }
    let whole = DepthReference.crumbs(numbers)
    var refused = 0
    for index in whole.indices {
      for change in [1, 3, 0x0F, 0x30, 0xC0, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] ^= change
        let results = Processor.available.map { Self.unpacked(bytes, count: count, on: $0) }
        #expect(results.allSatisfy { $0 == results[0] } == true, "byte \(index), \(change)")
        refused += results[0] == nil ? 1 : 0
      }
    }
    #expect(refused > 0)
  }

  /// Nil where they are refused.
  private static func unpacked(_ bytes: [UInt8], count: Int, on processor: Processor) -> [UInt16]? {
    let (scratch, target) = (ScratchMemory(), ScratchMemory())
    defer { withExtendedLifetime((scratch, target)) {} }
    let values = target.samples(of: UInt16.self, count + 3)
    let large = scratch.samples(of: UInt16.self, CrumbPacking.scratchCount(count: count))
    let isWhole = bytes.withRawBytes {
      CrumbPacking.decode($0, count: count, scratch: large, into: values, processor: processor)
    }
    return isWhole ? Array(UnsafeBufferPointer(start: values, count: count)) : nil
  }

  @Test func `hashes are equal on every processor`() {
    let all = (0..<5000).map { UInt8(truncatingIfNeeded: SeededGenerator.hash(11, UInt64($0))) }
    for count in Array(0...600) + [1023, 1024, 1025, 4096, 5000] {
      let bytes = Array(all[..<count])
      let (short, long, both, running) = bytes.withRawBytes { bytes in
        let running = RunningChecksum()
        running.add(bytes)
        return (
          Processor.available.map { Checksum.xxh3(bytes, on: $0) },
          Processor.available.map { Checksum.xxh3Digest(bytes, on: $0) }, Checksum.xxh3Both(bytes), running.hex
        )
      }
      #expect(short.allSatisfy { $0 == both.short } && long.allSatisfy { $0 == both.long }, "\(count) bytes")
      // That of the shared library.
      #expect(both.long.hex == running, "\(count) bytes")
    }
  }
}
