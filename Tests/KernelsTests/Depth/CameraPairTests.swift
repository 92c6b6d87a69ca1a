import FrameModel
import Kernels
import Support
import TestSupport
import Testing

/// Depth of one camera laid over another's colour, by lenses and places.
@Suite struct CameraPairTests {
  // An Azure Kinect's, of Microsoft's own recording, in its 640x576 and 1280x720 modes.
  static let depthLens: [Double] = [
    504.607, 504.732, 332.781, 348.83, 0.54794, -0.020971, -0.0026522, 0.889679, 0.08613, -0.01391, 0.0000206,
    -0.0000721,
  ]
  static let colorLens: [Double] = [
    611.795, 611.927, 639.304, 365.853, 0.330121, -2.489397, 1.453671, 0.208912, -2.302915, 1.375128, -0.000162,
    -0.000129,
  ]
  static let rotation: [Double] = [
    0.9999992251396179, 0.001181757659651339, -0.0004481404321268201, -0.0011387512786313891, 0.9962806105613708,
    0.0861603245139122, 0.0005482942215166986, -0.08615975081920624, 0.9962812066078186,
  ]
  static let translation = [-32.083429396152496, -2.2053730208426714, 3.883692668750882]

  private func lens(_ terms: [Double], shrunk factor: Double = 1) throws -> CameraIntrinsics {
    try #require(
      CameraIntrinsics(
        terms.enumerated().map { i, term in
          i < 2 ? term / factor : i < 4 ? (term + 0.5) / factor - 0.5 : term
        }))
  }

  private func extrinsics() throws -> CameraExtrinsics {
    try #require(CameraExtrinsics(rotation: Self.rotation, translationMillimeters: Self.translation))
  }

  /// The formula of the lens, written out once more.
  private func project(_ k: [Double], _ x: Double, _ y: Double) -> (Double, Double) {
    let r2 = x * x + y * y
    let d =
      (1 + k[4] * r2 + k[5] * r2 * r2 + k[6] * r2 * r2 * r2) / (1 + k[7] * r2 + k[8] * r2 * r2 + k[9] * r2 * r2 * r2)
    return (
      k[0] * (x * d + 2 * k[10] * x * y + k[11] * (r2 + 2 * x * x)) + k[2],
      k[1] * (y * d + k[10] * (r2 + 2 * y * y) + 2 * k[11] * x * y) + k[3]
    )
  }

  @Test
  func `a pixel's direction lies where the lens' formula puts it, over the whole picture`() throws {
    for (terms, width, height) in [(Self.depthLens, 640, 576), (Self.colorLens, 1280, 720)] {
      let lens = try lens(terms)
      for y in stride(from: 0, to: height, by: 37) {
        for x in stride(from: 0, to: width, by: 41) {
          let direction = try #require(lens.direction(.init(x: Double(x), y: Double(y))), "\(x) \(y)")
          let (u, v) = project(terms, direction.x, direction.y)
          #expect(abs(u - Double(x)) < 0.001 && abs(v - Double(y)) < 0.001)
        }
      }
    }
  }

  private func laid(_ registration: CameraPairRegistration, _ depth: [UInt16]) -> [UInt16] {
    var target = [UInt16](repeating: 9, count: depth.count)
    let width = registration.width
    target.withUnsafeMutableBufferPointer { target in
      registration.register(to: target.baseAddress!) { y, row in
        for x in 0..<width { row[x] = depth[y * width + x] }
      }
    }
    return target
  }

  @Test
  func `two cameras that are one leave depth as it is, but for what is nearer than 200 mm`() throws {
    let lens = try lens([500, 500, 31.5, 23.5])
    let place = try #require(
      CameraExtrinsics(rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translationMillimeters: [0, 0, 0]))
    let registration = CameraPairRegistration(
      depth: lens, depthSize: (64, 48), color: lens, colorSize: (64, 48), place)
    let depth = DepthFilterTests.rough(64, 48, seed: 1)
    #expect(areSame(laid(registration, depth), depth.map { $0 < 200 ? 0 : $0 }))
  }

  @Test
  func `every point lies where the two lenses put it, within a quarter of a pixel, and the nearest stays`() throws {
    // A quarter of the size, so that every pixel can be looked at.
    let (width, height, colorWidth, colorHeight) = (160, 144, 320, 180)
    let (depthLens, colorLens) = (try lens(Self.depthLens, shrunk: 4), try lens(Self.colorLens, shrunk: 4))
    let registration = CameraPairRegistration(
      depth: depthLens, depthSize: (width, height), color: colorLens, colorSize: (colorWidth, colorHeight),
      try extrinsics())
    let depth: [UInt16] = (0..<width * height).map { i in
      let (x, y) = (i % width, i / width)
      if i % 53 == 0 { return 0 }
      return (50..<90).contains(x) && y > 40 ? UInt16(450 + y) : UInt16(2000 + 3 * x + y)
    }
    let result = laid(registration, depth)
    let scale = Double(width) / Double(colorWidth)
    let colorTerms = CameraIntrinsics.Term.allCases.map { colorLens[$0] }
    var explained = [Bool](repeating: false, count: result.count)
    for i in depth.indices where depth[i] != 0 {
      guard let ray = depthLens.direction(.init(x: Double(i % width), y: Double(i / width))) else { continue }
      let z = Double(depth[i])
      let point = (0..<3).map { k in
        Self.rotation[3 * k] * ray.x * z + Self.rotation[3 * k + 1] * ray.y * z + Self.rotation[3 * k + 2] * z
          + Self.translation[k]
      }
      let (u, v) = project(colorTerms, point[0] / point[2], point[1] / point[2])
      let (x, y) = ((u + 0.5) * scale, (v + 0.5 - Double(colorHeight) / 2) * scale + Double(height) / 2)
      guard abs(x) < 1e4, abs(y) < 1e4 else { continue }
      let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
      // In the middle half of a pixel there is no doubt which one it is.
      let isInside = (0..<width).contains(column) && (27..<117).contains(row)
      if isInside, abs(x - Double(column) - 0.5) < 0.25, abs(y - Double(row) - 0.5) < 0.25 {
        let value = result[row * width + column]
        #expect(value != 0 && Double(value) <= point[2] + 1, "\(i)")
      }
      for dy in -1...1 {
        for dx in -1...1 where (0..<width).contains(column + dx) && (0..<height).contains(row + dy) {
          let at = (row + dy) * width + column + dx
          if abs(Double(result[at]) - point[2]) <= 1 { explained[at] = true }
        }
      }
    }
    for i in result.indices { #expect(result[i] == 0 || explained[i], "\(i % width) \(i / width)") }
    // Nothing lies above and below the video: 90 of 144 rows are it.
    #expect(result[..<(27 * width)].allSatisfy { $0 == 0 } && result[(117 * width)...].allSatisfy { $0 == 0 })
    #expect(result.count { $0 != 0 } > width * 90 * 7 / 10)
  }

  private func stream(
    _ name: String, _ kind: StreamKind, _ format: PixelFormat, _ size: (Int, Int),
    _ settings: [StreamDescription.Setting]
  ) throws -> StreamDescription {
    var stream = try TestFrames.stream(name, kind, FrameLayout(format, width: size.0, height: size.1))
    stream.device = "pair:1"
    stream.settings = settings
    return stream
  }

  @Test
  func `lens and place go through a stream's settings with the same bits`() throws {
    let (lens, place) = (try lens(Self.depthLens), try extrinsics())
    let depth = try stream("depth", .depth, .depthMillimeters16, (640, 576), [lens.setting, place.setting])
    #expect(try CameraIntrinsics(depth) == lens)
    #expect(try CameraExtrinsics(depth) == place)
    #expect(try CameraIntrinsics(stream("depth", .depth, .depthMillimeters16, (640, 576), [])) == nil)
    for wrong in ["fx=1 fy=1 cx=0", "fx=0 fy=1 cx=0 cy=0", "fx=nan fy=1 cx=0 cy=0", "", "fx=1e400 fy=1 cx=0 cy=0"] {
      let depth = try stream(
        "depth", .depth, .depthMillimeters16, (640, 576), [.init(CameraIntrinsics.settingName, wrong)])
      #expect(throws: RetakeError.self) { try CameraIntrinsics(depth) }
    }
    #expect(CameraExtrinsics(rotation: [2, 0, 0, 0, 1, 0, 0, 0, 1], translationMillimeters: [0, 0, 0]) == nil)
  }

  @Test
  func `depth is laid over another camera's colour where the recording says how, and else says why not`() throws {
    let lenses = (depth: try lens(Self.depthLens).setting, color: try lens(Self.colorLens).setting)
    let place = try extrinsics().setting
    let color = try stream("color", .color, .rgb24, (1280, 720), [lenses.color])
    let depth = try stream("depth", .depth, .depthMillimeters16, (640, 576), [lenses.depth, place])
    func converter(
      _ depth: StreamDescription, _ color: StreamDescription?, _ viewpoint: DepthConverter.Viewpoint
    ) throws -> DepthConverter {
      try DepthConverter(depth, color: color, viewpoint: viewpoint, laysPairs: true)
    }
    #expect(try converter(depth, color, .auto).isRegistered)
    #expect(try !converter(depth, color, .none).isRegistered)
    #expect(try !DepthConverter(depth, color: color).isRegistered)
    var apart = color
    apart.device = "pair:2"
    var done = depth
    done.settings.append(.init("registered", "1"))
    let noLens = try stream("depth", .depth, .depthMillimeters16, (640, 576), [place])
    let noPlace = try stream("depth", .depth, .depthMillimeters16, (640, 576), [lenses.depth])
    let bare = try stream("color", .color, .rgb24, (1280, 720), [])
    let cases: [(StreamDescription, StreamDescription?, String)] = [
      (depth, nil, "no colour stream"), (depth, apart, "different devices"), (done, color, "already registered"),
      (noLens, color, "depth camera's intrinsics"), (depth, bare, "colour camera's intrinsics"),
      (noPlace, color, "extrinsics"),
    ]
    for (depth, color, reason) in cases {
      #expect(try !converter(depth, color, .auto).isRegistered)
      let error = #expect(throws: RetakeError.self) { try converter(depth, color, .color) }
      #expect(error?.code == .unsupported && error?.message.contains(reason) == true)
    }
  }

  @Test
  func `a stranger's lenses and places of any numbers do no harm`() throws {
    let depth = DepthFilterTests.rough(40, 30, seed: 5)
    let lenses = [
      [1e-300, 1e300, 0, 0], [1e9, 1e-9, -1e9, 1e9], [20, 20, 20, 15, 1e9, -1e9, 1e9, -1e9, 1e9, -1e9, 1e9, 1e9],
      [20, 20, 20, 15, 0, 0, 0, -1, 0, 0], [20, 20, 19.5, 14.5],
    ]
    for a in lenses {
      for b in lenses {
        for shift in [[0.0, 0, 0], [9e4, -9e4, 9e4], [0, 0, -9e4]] {
          guard let first = CameraIntrinsics(a), let second = CameraIntrinsics(b) else { continue }
          let place = try #require(
            CameraExtrinsics(rotation: [0, 1, 0, -1, 0, 0, 0, 0, 1], translationMillimeters: shift))
          let registration = CameraPairRegistration(
            depth: first, depthSize: (40, 30), color: second, colorSize: (31, 17), place)
          #expect(laid(registration, depth).count == depth.count)
        }
      }
    }
  }
}
