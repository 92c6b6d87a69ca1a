import FaceDetection
import FrameModel
import Kernels
import Support
import Testing

@Suite struct FacePlaneTests {
  private struct Board {
    var yaw = 0.0
    var pitch = 0.0
    var roll = 0.0
    /// Standard deviation, metres.
    var noise = 0.0
    /// Share of pixels without a measurement.
    var holes = 0.0
    /// A hand's share of the ellipse, ten centimetres before it.
    var hand = 0.0
    var distance = 0.9
  }

  /// What a depth camera of 525 pixels focal length sees of a flat board in the middle half of its picture.
  private func points(_ board: Board, seed: UInt64 = 1) -> (points: [DepthView.Point], lookedAt: Int) {
    // Turned as a head is: pitch, yaw, then roll.
    let across = Double(board.yaw).sine * board.pitch.cosine
    let down = board.pitch.sine
    let normal = (
      x: across * board.roll.cosine - down * board.roll.sine, y: across * board.roll.sine + down * board.roll.cosine,
      z: -board.yaw.cosine * board.pitch.cosine
    )
    var points: [DepthView.Point] = []
    var lookedAt = 0
    var random = SeededGenerator(seed: seed)
    func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }
    for y in -20...20 {
      for x in -20...20 where x * x + y * y <= 400 {
        lookedAt += 1
        let isHole = uniform() < board.holes
        let isHand = uniform() < board.hand
        let error = (uniform() + uniform() + uniform() + uniform() - 2) * board.noise * 1.732
        if isHole { continue }
        let ray = (x: Double(x) * 2 / 525, y: Double(y) * 2 / 525)
        var z = normal.z * board.distance / (normal.x * ray.x + normal.y * ray.y + normal.z)
        z += error - (isHand ? 0.10 : 0)
        points.append(DepthView.Point(x: ray.x * z, y: ray.y * z, z: z))
      }
    }
    return (points, lookedAt)
  }

  @Test func `a flat board's turn is found exactly`() throws {
    for yaw in [-0.5, -0.1, 0, 0.3] {
      for pitch in [-0.4, 0, 0.25] {
        for roll in [-0.3, 0, 0.2] {
          let seen = points(Board(yaw: yaw, pitch: pitch, roll: roll))
          let angles = try #require(FacePlane.angles(seen.points, lookedAt: seen.lookedAt, roll: roll))
          #expect(
            abs(angles.yaw - yaw) < 1e-6 && abs(angles.pitch - pitch) < 1e-6, "\(yaw) \(pitch) \(roll): \(angles)")
        }
      }
    }
  }

  @Test func `noise, holes and a hand before the face change it by less than 3 degrees`() throws {
    for seed in UInt64(1)...20 {
      let board = Board(yaw: 0.2, pitch: -0.1, roll: 0.1, noise: 0.004, holes: 0.3, hand: 0.1)
      let seen = points(board, seed: seed)
      let angles = try #require(FacePlane.angles(seen.points, lookedAt: seen.lookedAt, roll: board.roll))
      let error = max(abs(angles.yaw - board.yaw), abs(angles.pitch - board.pitch)) * 180 / .pi
      #expect(error < 3, "seed \(seed): \(error)")
    }
  }

  @Test func `angles have the same bits on every machine`() throws {
    let points = (0..<17 * 17).map { i in
      let (x, y) = (i % 17 - 8, i / 17 - 8)
      return DepthView.Point(x: Double(x) / 256, y: Double(y) / 256, z: 1 + Double(2 * x - y) / 1024)
    }
    let angles = try #require(FacePlane.angles(points, lookedAt: points.count, roll: 0.25))
    #expect(angles.yaw.bitPattern == 0x3FD9_96FC_9C9B_073A)
    #expect(angles.pitch.bitPattern == 0xBFD4_CE8C_A006_9A43)
  }

  @Test func `nothing is said of too few points, of a face turned away, or of no surface`() throws {
    let sparse = points(Board(holes: 0.7))
    #expect(FacePlane.angles(sparse.points, lookedAt: sparse.lookedAt, roll: 0) == nil)
    let away = points(Board(yaw: 0.9))
    #expect(FacePlane.angles(away.points, lookedAt: away.lookedAt, roll: 0) == nil)
    let fog = points(Board(noise: 0.3))
    #expect(FacePlane.angles(fog.points, lookedAt: fog.lookedAt, roll: 0) == nil)
    #expect(FacePlane.angles([], lookedAt: 0, roll: 0) == nil)
    let line = (0..<100).map { DepthView.Point(x: Double($0) / 1000, y: 0, z: 1) }
    #expect(FacePlane.angles(line, lookedAt: 100, roll: 0) == nil)
  }

  @Test func `distances are read in the stream's unit, and not from a camera that sees something else`() throws {
    let layout = try FrameLayout(.grey16, width: 40, height: 40)
    let color = try FaceSupport.stream(.color, FrameLayout(.rgb24, width: 80, height: 80))
    let depth = try FaceSupport.stream(
      .depth, layout, [.init(StreamDescription.depthUnit, "100"), .init("registered", "1")])
    let buffer = FrameBuffer(byteCount: layout.byteCount)
    for i in 0..<1600 {
      buffer.mutableBytes.storeBytes(of: UInt16(12_345).littleEndian, toByteOffset: 2 * i, as: UInt16.self)
    }
    let picture = FramePicture(layout: layout, buffer: buffer, byteCount: layout.byteCount)
    let view = try #require(DepthView(depth: depth, color: color))
    view.show(picture)
    let seen = view.points(centerX: 40, centerY: 40, radiusX: 20, radiusY: 20)
    #expect(seen.lookedAt > 250 && seen.points.count == seen.lookedAt)
    #expect(seen.points.allSatisfy { abs($0.z - 1.2345) < 1e-9 })
    // Partly outside, wholly outside, and no place at all.
    #expect(view.points(centerX: 0, centerY: 0, radiusX: 20, radiusY: 20).lookedAt > 50)
    #expect(view.points(centerX: 900, centerY: -900, radiusX: 20, radiusY: 20).lookedAt == 0)
    #expect(view.points(centerX: .nan, centerY: 1, radiusX: 20, radiusY: 20).lookedAt == 0)
    view.show(nil)
    #expect(view.points(centerX: 40, centerY: 40, radiusX: 20, radiusY: 20).lookedAt == 0)
    #expect(DepthView(depth: color, color: color) == nil)
    var apart = depth
    apart.settings[1] = .init("registered", "0")
    #expect(DepthView(depth: apart, color: color) == nil)
    // Two cameras of which nobody says that they see the same.
    apart.settings.remove(at: 1)
    #expect(DepthView(depth: apart, color: color) == nil)
  }

  private static let calibration = KinectCalibration(
    terms: [0, 1964, 56, -26, 600, 6161, -13, 2825, 684, 5, 6434], padding: .init(),
    zeroPlane: .init(
      emitterDistanceCentimeters: 7.5, colorDistanceCentimeters: 2.4, referenceDistanceMillimeters: 120,
      referencePixelSizeMillimeters: 0.1042),
    constantShift: 200)

  @Test func `a Kinect's raw depth is read where its colour camera sees it`() throws {
    let layout = try FrameLayout(.kinectRaw11, width: 640, height: 480)
    let color = try FaceSupport.stream(.color, FrameLayout(.rgb24, width: 640, height: 480))
    let depth = try FaceSupport.stream(.depth, layout, Self.calibration.settings)
    let buffer = FrameBuffer(byteCount: layout.byteCount)
    // A near half, and a far one.
    for i in 0..<640 * 480 {
      buffer.mutableBytes.storeBytes(
        of: UInt16(i % 640 < 300 ? 650 : 880).littleEndian, toByteOffset: 2 * i, as: UInt16.self)
    }
    let picture = FramePicture(layout: layout, buffer: buffer, byteCount: layout.byteCount)
    let view = try #require(DepthView(depth: depth, color: color))
    view.show(picture)
    let seen = view.points(centerX: 300, centerY: 240, radiusX: 20, radiusY: 20)

    func millimeters(_ viewpoint: DepthConverter.Viewpoint) throws -> [Int: Int] {
      let plane = PixelPlane<UInt16>(width: 640, height: 480)
      try DepthConverter(depth, color: color, viewpoint: viewpoint).convert(picture.bytes, to: plane.samples)
      var counts: [Int: Int] = [:]
      for y in -20...20 {
        for x in -20...20 where x * x + y * y <= 400 { counts[Int(plane.row(240 + y)[300 + x]), default: 0] += 1 }
      }
      counts[0] = nil
      return counts
    }
    let counts = Dictionary(grouping: seen.points) { Int(($0.z * 1000).rounded()) }.mapValues(\.count)
    #expect(counts == (try millimeters(.color)))
    #expect(counts != (try millimeters(.none)))
    #expect(seen.points.count > 100)
  }

  @Test func `a Kinect's depth is not read where it does not lie over its colour`() throws {
    func stream(_ mode: String, _ settings: [StreamDescription.Setting] = []) throws -> StreamDescription {
      try FaceSupport.stream(
        .depth, FrameLayout(.depthMillimeters16, width: 640, height: 480), [.init("mode", mode)] + settings)
    }
    let color = try FaceSupport.stream(.color, FrameLayout(.rgb24, width: 640, height: 480))
    let large = try FaceSupport.stream(.color, FrameLayout(.rgb24, width: 1280, height: 1024))
    var other = color
    other.device = "another"
    #expect(try DepthView(depth: stream("registered 640x480"), color: color) != nil)
    #expect(try DepthView(depth: stream("registered 640x480"), color: large) == nil)
    #expect(try DepthView(depth: stream("registered 640x480"), color: other) == nil)
    #expect(try DepthView(depth: stream("mm 640x480"), color: color) == nil)
    let calibration = Self.calibration.settings
    #expect(try DepthView(depth: stream("mm 640x480", calibration), color: color) != nil)
    #expect(try DepthView(depth: stream("mm 640x480", calibration), color: large) == nil)
    #expect(try DepthView(depth: stream("mm 640x480", calibration), color: other) == nil)
    let torn = [StreamDescription.Setting("registration", "dx=1")]
    #expect(try DepthView(depth: stream("mm 640x480", torn), color: color) == nil)
  }
}

extension Double {
  fileprivate var sine: Double { PortableMath.sin(self) }
  fileprivate var cosine: Double { PortableMath.cos(self) }
}
