import FrameModel
import Kernels
import Support
import TestSupport
import Testing

@Suite struct DepthNoiseTests {
  private func stream(_ format: PixelFormat, unit: Int? = nil) throws -> StreamDescription {
    var stream = try TestFrames.stream("depth", .depth, try FrameLayout(format, width: 64, height: 48))
    if let unit { stream.settings = [.init(StreamDescription.depthUnit, "\(unit)")] }
    return stream
  }

  private func noisy(_ noise: DepthNoise, _ depth: [UInt16], key: UInt64 = 1) -> [UInt16] {
    [UInt16](unsafeUninitializedCapacity: depth.count) { target, count in
      noise.add(key: key, to: depth, target.baseAddress!, count: depth.count)
      count = depth.count
    }
  }

  private static let kinds: [(format: PixelFormat, unit: Int?)] = [
    (.depthMillimeters16, nil), (.kinectRaw11, nil), (.grey16, 1), (.grey16, 250), (.grey16, 1_000_000),
  ]

  @Test(arguments: kinds.indices, [0.05, 1, 10])
  func `the kernel gives what the rule says, on every processor`(kind: Int, multiple: Double) throws {
    let (format, unit) = Self.kinds[kind]
    for processor in Processor.available {
      let noise = try DepthNoise(stream(format, unit: unit), multiple: multiple, processor: processor)
      for (width, height) in DepthFilterTests.sizes {
        let depth = DepthFilterTests.rough(width, height, seed: UInt64(width * height))
        let key = SeededGenerator.hash(7, UInt64(width))
        let expected = depth.indices.map { noise.reference(key: key, depth[$0], at: $0) }
        #expect((noisy(noise, depth, key: key) == expected) == true)
      }
    }
  }

  private func moments(_ values: [UInt16]) -> (mean: Double, deviation: Double) {
    let mean = values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
    let squares = values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return (mean, (squares / Double(values.count)).squareRoot())
  }

  @Test(arguments: [450, 800, 1500, 3000, 5000, 9000], [1.0, 2.5])
  func `millimetres have the standard deviation that Nguyen measured, and their mean`(
    millimeters: Int, multiple: Double
  ) throws {
    let meters = Double(millimeters) / 1000
    let formula = multiple * 1000 * (0.0012 + 0.0019 * (meters - 0.4) * (meters - 0.4))
    let count = 100_000
    let noise = try DepthNoise(stream(.depthMillimeters16), multiple: multiple)
    let (mean, deviation) = moments(noisy(noise, Array(repeating: UInt16(millimeters), count: count)))
    // Rounding to whole millimetres adds a twelfth. The deviation's own error is 1 in √(2 · 100 000); six of them are allowed.
    let expected = (formula * formula + 1.0 / 12).squareRoot()
    #expect(abs(deviation / expected - 1) < 6 / (2 * Double(count)).squareRoot())
    #expect(abs(mean - Double(millimeters)) < 6 * expected / Double(count).squareRoot())
  }

  @Test(arguments: [600, 700, 800, 900, 1000])
  func `a Kinect's raw values move by as much, in steps of 0.00307 z² m`(raw: Int) throws {
    let meters = Double(DepthUnits.kinectMillimeters[raw]) / 1000
    let steps = (0.0012 + 0.0019 * (meters - 0.4) * (meters - 0.4)) / (0.0030711016 * meters * meters)
    let noise = try DepthNoise(stream(.kinectRaw11), multiple: 4)
    let (mean, deviation) = moments(noisy(noise, Array(repeating: UInt16(raw), count: 100_000)))
    let expected = (16 * steps * steps + 1.0 / 12).squareRoot()
    #expect(abs(deviation / expected - 1) < 0.015)
    #expect(abs(mean - Double(raw)) < 0.1)
  }

  @Test func `counts of a unit move by as many millimetres`() throws {
    let noise = try DepthNoise(stream(.grey16, unit: 100), multiple: 1)
    let (_, deviation) = moments(noisy(noise, Array(repeating: 20_000, count: 100_000)))
    #expect(abs(deviation / 10 / DepthNoise.sigma(millimeters: 2000) - 1) < 0.015)
  }

  @Test func `holes stay holes, and what is measured stays measured`() throws {
    let millimeters = try DepthNoise(stream(.depthMillimeters16), multiple: 10)
    let depth: [UInt16] = (0..<30_000).map { [0, 1, 65_535][$0 % 3] }
    let moved = noisy(millimeters, depth)
    #expect(moved.indices.allSatisfy { (moved[$0] == 0) == (depth[$0] == 0) })
    #expect(moved.contains { $0 > 1 && $0 < 1000 } && moved.contains { $0 > 1000 && $0 < 65_535 })
    let raw = try DepthNoise(stream(.kinectRaw11), multiple: 10)
    let every = (0..<2048).map { UInt16($0) }
    let table = DepthUnits.kinectMillimeters
    for key in 0..<20 {
      let moved = noisy(raw, every, key: UInt64(key))
      for (value, now) in zip(every, moved) {
        if table[Int(value)] == 0 { #expect(now == value) } else { #expect(table[Int(now)] > 0) }
      }
    }
  }

  @Test func `each pixel and each key has noise of its own`() throws {
    let noise = try DepthNoise(stream(.depthMillimeters16), multiple: 1)
    let flat = [UInt16](repeating: 3000, count: 50_000)
    let (one, two) = (noisy(noise, flat, key: 1), noisy(noise, flat, key: 2))
    func correlation(_ a: ArraySlice<UInt16>, _ b: ArraySlice<UInt16>) -> Double {
      let sum = zip(a, b).reduce(0.0) { $0 + (Double($1.0) - 3000) * (Double($1.1) - 3000) }
      return sum / Double(a.count) / (DepthNoise.sigma(millimeters: 3000) * DepthNoise.sigma(millimeters: 3000))
    }
    // Six standard deviations of what independent numbers give.
    #expect(abs(correlation(one[...], two[...])) < 0.027)
    for step in [1, 2, 64] { #expect(abs(correlation(one.dropLast(step), one.dropFirst(step))) < 0.027) }
    #expect((noisy(noise, flat, key: 1) == one) == true)
  }

  @Test func `disparity in floating point is refused`() throws {
    let error = try #require(throws: RetakeError.self) { try DepthNoise(stream(.disparityFloat32), multiple: 1) }
    #expect(error.code == .unsupported && error.hint.contains("fault.depth-noise"))
  }
}
