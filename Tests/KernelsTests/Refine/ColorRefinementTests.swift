import Kernels
import Support
import Testing

@Suite struct ColorRefinementTests {
  typealias Shape = GuidedFilterTests.Shape

  /// A person of one colour and a room of another, both with noise and stripes; the mask's outline
  /// is a few pixels off, and depth has holes.
  struct Scene {
    let shape: Shape
    let mask: [UInt8]
    let depth: [UInt16]
    let rgb: [UInt8]
    let room: [UInt8]
    let truth: [UInt8]

    init(_ shape: Shape, seed: UInt64, noise: Int, shift: Int = 2) {
      var generator = SeededGenerator(seed: seed)
      let (mask, video) = (shape.mask, shape.video)
      func isPerson(_ x: Double, _ y: Double) -> Bool {
        let (dx, dy) = (x - 0.5, y - 0.6)
        return dx * dx * 9 + dy * dy * 4 < 0.7
      }
      self.shape = shape
      truth = (0..<video.count).map { i in
        isPerson(
          (Double(i % video.width) + 0.5) / Double(video.width), (Double(i / video.width) + 0.5) / Double(video.height))
          ? 255 : 0
      }
      room = (0..<3 * video.count).map { i in
        UInt8(60 + 40 * (i / 3 / 5 % 2) + generator.next(below: noise + 1) + 20 * (i % 3))
      }
      var rgb = room
      for i in 0..<video.count where truth[i] == 255 {
        for c in 0..<3 {
          rgb[3 * i + c] = UInt8(20 + 30 * (i / 7 % 2) + generator.next(below: noise + 1) + 15 * (2 - c))
        }
      }
      self.rgb = rgb
      self.mask = (0..<mask.count).map { i in
        let x = (Double(i % mask.width + shift) + 0.5) / Double(mask.width)
        return isPerson(x, (Double(i / mask.width) + 0.5) / Double(mask.height)) ? 255 : 0
      }
      depth = (0..<mask.count).map { _ in generator.next(below: 6) == 0 ? 0 : 1500 }
    }

    var plain: [Int16] { mask.map { Int16($0) * 64 } }
  }

  private static func plane<Sample: FixedWidthInteger>(_ samples: [Sample], _ size: ImageSize, channels: Int = 1)
    -> PixelPlane<Sample>
  {
    let plane = PixelPlane<Sample>(width: size.width, height: size.height, channels: channels)
    plane.samples.update(from: samples, count: samples.count)
    return plane
  }

  private static func result(
    _ scene: Scene, _ reach: RefinementBelt.Reach, doubt: Double, knowsRoom: Bool, hasDepth: Bool,
    _ processor: Processor, threadCount: Int, isReduced: Bool = false
  ) -> [UInt8] {
    let (shape, bands) = (scene.shape, BandRunner(threadCount: threadCount))
    let make = ColorRefinement.Make(
      reach, doubt: doubt, horizontal: shape.horizontal, vertical: shape.vertical)
    let refinement = ColorRefinement(make, threadCount: threadCount, processor: processor)
    func reduced(_ rgb: [UInt8]) -> ReducedColors {
      let colors = ReducedColors(width: shape.mask.width, height: shape.mask.height)
      ColorReduction(
        horizontal: shape.horizontal, vertical: shape.vertical, threadCount: threadCount, processor: processor
      ).apply(plane(rgb, shape.video, channels: 3), to: colors, bands: bands)
      return colors
    }
    let empty = knowsRoom ? reduced(scene.room) : nil
    let plain = MatteSamples(packed: scene.plain, width: shape.mask.width, height: shape.mask.height)
    let other = MatteSamples(
      packed: scene.plain.map { MatteSamples.one - $0 }, width: shape.mask.width, height: shape.mask.height)
    let result = PixelPlane<UInt8>(width: shape.video.width, height: shape.video.height)
    // What another picture left in its memory must not count.
    for seen in [Scene(shape, seed: 77, noise: 50, shift: -shape.mask.width / 3), scene] {
      result.fill(0x5A)
      let depth = hasDepth ? plane(seen.depth, shape.mask) : nil
      let picture = plane(seen.rgb, shape.video, channels: 3)
      refinement.learn(
        plane(seen.mask, shape.mask), depth: depth, empty: empty, picture: picture,
        reduced: isReduced ? reduced(seen.rgb) : nil, bands: bands)
      // What one matte leaves in the memory must not count for the next.
      refinement.finish(other, depth: depth, picture: picture, to: result, bands: bands)
      refinement.finish(plain, depth: depth, picture: picture, to: result, bands: bands)
    }
    return Array(UnsafeBufferPointer(start: result.samples, count: result.count))
  }

  static let shapes = [
    Shape(mask: ImageSize(1, 1), video: ImageSize(5, 3)), Shape(mask: ImageSize(3, 2), video: ImageSize(7, 4)),
    Shape(mask: ImageSize(17, 33), video: ImageSize(33, 61)), Shape(mask: ImageSize(64, 48), video: ImageSize(128, 72)),
    Shape(mask: ImageSize(49, 41), video: ImageSize(49, 41)),
    Shape(mask: ImageSize(33, 17), video: ImageSize(12, 29), isStretched: true),
  ]

  @Test func `colours that the caller has reduced give the same matte`() {
    let scene = Scene(Shape(mask: ImageSize(64, 48), video: ImageSize(128, 72)), seed: 9, noise: 20)
    let mattes = [false, true].map { isReduced in
      Self.result(
        scene, RefinementBelt.Reach(inside: 2, outside: 3, holes: 6), doubt: 1, knowsRoom: true, hasDepth: true, .best,
        threadCount: 2, isReduced: isReduced)
    }
    #expect(mattes[0] == mattes[1])
    #expect(Set(mattes[0]).count > 2)
  }

  @Test(arguments: shapes)
  func `the kernels give the reference's bits, on 1, 2 and 5 threads`(shape: Shape) {
    for (seed, reach, doubt, noise, knowsRoom, hasDepth) in [
      (UInt64(1), RefinementBelt.Reach(inside: 1, outside: 2, holes: 6), 1.0, 4, false, true),
      (2, RefinementBelt.Reach(inside: 3, outside: 4, holes: 12), 0.02, 20, true, true),
      (3, RefinementBelt.Reach(inside: 0, outside: 1, holes: 0), 0.3, 0, false, false),
      (4, RefinementBelt.Reach(inside: 2, outside: 5, holes: 3), 0.1, 90, true, false),
    ] {
      let scene = Scene(shape, seed: seed, noise: noise)
      let reference = ColorRefinementReference(
        reach: reach, doubt: doubt, horizontal: shape.horizontal, vertical: shape.vertical)
      var empty: [[Int]]?
      if knowsRoom {
        empty = reference.reduced(scene.room)
      }
      let expected = reference.matte(
        mask: scene.mask, plain: scene.plain, depth: hasDepth ? scene.depth : nil, empty: empty, rgb: scene.rgb)
      for processor in Processor.available {
        for threadCount in [1, 2, 5] {
          let result = Self.result(
            scene, reach, doubt: doubt, knowsRoom: knowsRoom, hasDepth: hasDepth, processor, threadCount: threadCount)
          #expect(result == expected, "\(processor), \(threadCount) threads, seed \(seed)")
        }
      }
    }
  }

  @Test func `an outline that is two pixels off is found by colour, with the room's colours and without`() {
    let shape = Shape(mask: ImageSize(128, 96), video: ImageSize(256, 192))
    let scene = Scene(shape, seed: 5, noise: 6)
    func wrong(_ matte: [UInt8]) -> Int { zip(matte, scene.truth).count { abs(Int($0) - Int($1)) > 127 } }
    let plain = Self.result(
      scene, .init(inside: 0, outside: 1, holes: 0), doubt: 0, knowsRoom: false, hasDepth: false, .best, threadCount: 1)
    for knowsRoom in [false, true] {
      let refined = Self.result(
        scene, .init(inside: 4, outside: 4, holes: 0), doubt: 1, knowsRoom: knowsRoom, hasDepth: false, .best,
        threadCount: 1)
      #expect(4 * wrong(refined) < wrong(plain), "\(wrong(refined)) of \(wrong(plain)), \(knowsRoom)")
    }
  }

  @Test func `where inside and outside have the same colours, the gate keeps the plain matte`() {
    let shape = Shape(mask: ImageSize(96, 96), video: ImageSize(96, 96))
    var scene = Scene(shape, seed: 6, noise: 60)
    scene = Scene(scene, sameColors: true)
    let result = Self.result(
      scene, .init(inside: 2, outside: 3, holes: 0), doubt: 0.02, knowsRoom: false, hasDepth: false, .best,
      threadCount: 1)
    #expect(result == scene.mask)
  }

  @Test func `a still picture calms the matte, and a moved one does not`() {
    let size = ImageSize(40, 30)
    let still = StillSmoothing(weight: 0.5, width: size.width, height: size.height)
    let bands = BandRunner(threadCount: 2)
    func apply(_ level: UInt8, _ rgb: [UInt8]) -> [UInt8] {
      let matte = Self.plane([UInt8](repeating: level, count: size.count), size)
      still.apply(matte, picture: Self.plane(rgb, size, channels: 3), bands: bands)
      return Array(UnsafeBufferPointer(start: matte.samples, count: matte.count))
    }
    let grey = [UInt8](repeating: 100, count: 3 * size.count)
    #expect(apply(150, grey) == [UInt8](repeating: 150, count: size.count))
    // Changes of up to 16 are noise, so the matte becomes the mean of 150 and 100.
    var noisy = grey
    for i in noisy.indices where i % 5 == 0 { noisy[i] += 16 }
    #expect(apply(100, noisy) == [UInt8](repeating: 125, count: size.count))
    var moved = noisy
    moved[3 * (12 * size.width + 20)] = 160
    let result = apply(75, moved)
    for i in 0..<size.count {
      let isNear = abs(i % size.width - 20) <= 1 && abs(i / size.width - 12) <= 1
      #expect(result[i] == (isNear ? 75 : 100), "\(i % size.width), \(i / size.width)")
    }
    // A matte change above a quarter of 255 is movement, even if the picture does not change.
    #expect(apply(200, moved) == [UInt8](repeating: 200, count: size.count))
    // Nothing of the old matte stays where the new one is sure.
    #expect(apply(255, moved) == [UInt8](repeating: 255, count: size.count))
    _ = apply(60, moved)
    #expect(apply(0, moved) == [UInt8](repeating: 0, count: size.count))
  }
}

extension ColorRefinementTests.Scene {
  /// A copy of a scene; with `sameColors`, person and room cannot be told apart.
  init(_ other: Self, sameColors: Bool) {
    shape = other.shape
    (mask, depth, truth) = (other.mask, other.depth, other.truth)
    rgb = sameColors ? other.room : other.rgb
    room = other.room
  }
}
