import Foundation
import FrameModel
import Kernels
import Support
import TestSupport
import Testing

@Suite struct KinectDepthTests {
  private static let width = 640
  private static let height = 480

  private static func stream(_ settings: [StreamDescription.Setting]) throws -> StreamDescription {
    try stream(.kinectRaw11, settings)
  }

  private static func stream(
    _ format: PixelFormat = .kinectRaw11, kind: StreamKind = .depth, size: (Int, Int) = (width, height),
    _ settings: [StreamDescription.Setting] = [], device: String = "freenect:A1"
  ) throws -> StreamDescription {
    StreamDescription(
      name: kind.rawValue, kind: kind, layout: try FrameLayout(format, width: size.0, height: size.1),
      rate: try FrameRate(30), clock: .kinect, device: device, settings: settings)
  }

  private static func convert(_ samples: [UInt16], _ converter: DepthConverter, threadCount: Int = 1) -> [UInt16] {
    var output = GuardedOutput<UInt16>(count: samples.count, poison: 0x1234)
    samples.withUnsafeBytes { bytes in
      output.write { converter.convert(bytes, to: $0, bands: BandRunner(threadCount: threadCount)) }
    }
    #expect(output.guardsHold(0x1234))
    return output.samples
  }

  @Test func `the frame that the goldens are of is the one that was sent`() {
    #expect(KinectGolden.hash(KinectGolden.raw) == KinectGolden.rawHash)
  }

  @Test(arguments: KinectGolden.all)
  func `millimetres are libfreenect's to the bit`(_ golden: KinectGolden) throws {
    let table = KinectDepthTables.millimeters(golden.calibration)
    #expect(KinectGolden.hash(table) == golden.millimeters)
    let converter = try DepthConverter(try Self.stream(golden.calibration.settings))
    #expect(!converter.isRegistered)
    for threadCount in [1, 3] {
      let frame = Self.convert(KinectGolden.raw, converter, threadCount: threadCount)
      #expect(KinectGolden.hash(frame) == golden.frame)
    }
  }

  @Test(arguments: KinectGolden.all)
  func `depth laid over colour is libfreenect's to the bit`(_ golden: KinectGolden) throws {
    let converter = try DepthConverter(
      try Self.stream(golden.calibration.settings), color: try Self.stream(.bayerGRBG8, kind: .color))
    #expect(converter.isRegistered)
    let frame = Self.convert(KinectGolden.raw, converter, threadCount: 3)
    #expect(KinectGolden.hash(frame) == golden.registered)
  }

  @Test(arguments: KinectGolden.all)
  func `millimetres that libfreenect made can be laid over colour as well`(_ golden: KinectGolden) throws {
    let raw = try DepthConverter(try Self.stream(golden.calibration.settings))
    let millimeters = Self.convert(KinectGolden.raw, raw)
    let settings = golden.calibration.settings + [.init("mode", "mm 640x480")]
    let converter = try DepthConverter(
      try Self.stream(.depthMillimeters16, settings), color: try Self.stream(.rgb24, kind: .color))
    #expect(converter.isRegistered)
    #expect(KinectGolden.hash(Self.convert(millimeters, converter)) == golden.registered)
  }

  @Test(arguments: KinectGolden.all)
  func `a calibration comes back from its settings with the same bits`(_ golden: KinectGolden) throws {
    #expect(try KinectCalibration(golden.calibration.settings) == golden.calibration)
    #expect(try KinectCalibration([.init("mode", "11bit 640x480")]) == nil)
  }

  @Test func `a part of a calibration, or words in place of numbers, is refused`() throws {
    let whole = KinectGolden.all[0].calibration.settings
    var damaged = whole.indices.map { part in whole.indices.filter { $0 != part }.map { whole[$0] } }
    let changes: [(part: Int, from: String, to: String)] = [
      (0, "ax=1964", "ax=x"), (0, "ax=1964", ""), (0, "ax=1964", "ax=99999999999"),
      (1, "start_lines=0", "start_lines=-1"),
      (3, "=7.5", "=nan"), (3, "=7.5", "=inf"), (3, "=7.5", "="), (3, "=7.5", "=1e99"),
    ]
    for change in changes {
      var settings = whole
      let value = settings[change.part].value
      let range = try #require(value.firstRange(of: change.from))
      settings[change.part].value = value.replacingCharacters(in: range, with: change.to)
      damaged.append(settings)
    }
    for shift in ["nan", "inf", "", "two"] {
      var settings = whole
      settings[2].value = shift
      damaged.append(settings)
    }
    for settings in damaged {
      let error = #expect(throws: RetakeError.self) { try KinectCalibration(settings) }
      #expect(error?.code == .corrupt)
    }
  }

  /// libfreenect's way, pixel by pixel, with the places it would write to outside its picture left out.
  private static func reference(_ millimeters: [UInt16], _ calibration: KinectCalibration) -> [UInt16] {
    let (places, shifts) = (KinectDepthTables.places(calibration), KinectDepthTables.shifts(calibration))
    var output = [UInt16](repeating: 0, count: width * height)
    for (i, value) in millimeters.enumerated() where value != 0 && value < 10_000 {
      let column = (places[i].x &+ shifts[Int(value)]) / 256
      guard (0..<Int32(width)).contains(column) else { continue }
      let index =
        UInt32(truncatingIfNeeded: places[i].y) &* UInt32(width) &+ UInt32(column)
        &- UInt32(height) * UInt32(calibration.padding.startLines)
      guard index < UInt32(output.count) else { continue }
      if output[Int(index)] == 0 || output[Int(index)] > value { output[Int(index)] = value }
    }
    return output
  }

  /// A block, plane, shift and padding of any numbers at all, extremes among them.
  private static func hostile(_ generator: inout SeededGenerator) -> KinectCalibration {
    func integer() -> Int32 {
      switch generator.next(below: 4) {
      case 0: [Int32.min, .max, -1, 0, 1][generator.next(below: 5)]
      case 1: Int32(generator.next(below: 2000)) - 1000
      default: Int32(truncatingIfNeeded: Int64(generator.next(below: 1 << 32)))
      }
    }
    func length() -> Float {
      let values: [Float] = [
        0, -0.0, 7.5, 120, 0.1042, -2.4, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
      ]
      return values[generator.next(below: values.count)]
    }
    return KinectCalibration(
      terms: KinectCalibration.Term.allCases.map { _ in integer() },
      padding: .init(startLines: [0, 1, 7, 1000, .max][generator.next(below: 5)]),
      zeroPlane: .init(
        emitterDistanceCentimeters: length(), colorDistanceCentimeters: length(),
        referenceDistanceMillimeters: length(),
        referencePixelSizeMillimeters: length()),
      constantShift: [0, 200, -1e300, .greatestFiniteMagnitude, 1e-300][generator.next(below: 5)])
  }

  @Test func `a stranger's calibration of any numbers does no harm`() throws {
    var generator = SeededGenerator(seed: 11)
    for round in 0..<12 {
      let calibration = Self.hostile(&generator)
      let settings = calibration.settings
      #expect(try KinectCalibration(settings) == calibration)
      let converter = try DepthConverter(try Self.stream(settings), color: try Self.stream(.rgb24, kind: .color))
      let table = KinectDepthTables.millimeters(calibration)
      let expected = Self.reference(KinectGolden.raw.map { min(table[Int($0)], 10_000) }, calibration)
      #expect(areSame(Self.convert(KinectGolden.raw, converter), expected), "round \(round)")
    }
  }

  @Test func `depth is laid over colour only where the recording allows it`() throws {
    let settings = KinectGolden.all[0].calibration.settings
    let color = try Self.stream(.rgb24, kind: .color)
    let whole = try Self.stream(settings)
    func isRegistered(
      _ depth: StreamDescription, _ color: StreamDescription?, _ viewpoint: DepthConverter.Viewpoint = .auto
    ) throws -> Bool { try DepthConverter(depth, color: color, viewpoint: viewpoint).isRegistered }
    #expect(try isRegistered(whole, color))
    #expect(try isRegistered(whole, color, .color))
    #expect(try !isRegistered(whole, color, .none))
    let cases: [(StreamDescription, StreamDescription?)] = [
      (whole, nil),
      (whole, try Self.stream(.rgb24, kind: .color, size: (1280, 1024))),
      (whole, try Self.stream(.rgb24, kind: .color, device: "freenect:A2")),
      (whole, try Self.stream(.rgb24, kind: .color, [.init("mirror-video", "1")])),
      (try Self.stream(settings + [.init("mirror-depth", "1")]), color),
      (try Self.stream(), color),
      (try Self.stream(.depthMillimeters16, settings + [.init("mode", "registered 640x480")]), color),
      (try Self.stream(.depthMillimeters16), color),
      (try Self.stream(size: (320, 240), settings), color),
    ]
    for (depth, color) in cases {
      #expect(try !isRegistered(depth, color))
      let error = #expect(throws: RetakeError.self) { try isRegistered(depth, color, .color) }
      #expect(error?.code == .unsupported)
    }
  }

  @Test(arguments: ImageSize.odd)
  func `counts are taken times their unit, to the nearest millimetre`(_ size: ImageSize) throws {
    let edges: [UInt16] = [0, 1, 4, 5, 6, 499, 500, 14_999, 15_000, 15_001, 65_534, 65_535]
    let samples = (0..<size.count).map { edges[$0 % edges.count] }
    for unit in [1, 100, 125, 999, 1000, 1001, 5000, 1_000_000] {
      let stream = try Self.stream(
        .grey16, size: (size.width, size.height), [.init(StreamDescription.depthUnit, "\(unit)")])
      let expected = samples.map { UInt16(min(65_535, (Double($0) * Double(unit) / 1000).rounded())) }
      #expect(Self.convert(samples, try DepthConverter(stream), threadCount: 2) == expected, "unit \(unit)")
    }
  }

  @Test(arguments: [nil, "", "0", "-1", "1000001", "99999999999999999999", "1e3", "mm"])
  func `counts of no known unit are no depth`(_ unit: String?) throws {
    let stream = try Self.stream(.grey16, unit.map { [.init(StreamDescription.depthUnit, $0)] } ?? [])
    let error = #expect(throws: RetakeError.self) { try DepthConverter(stream) }
    #expect(error?.code == (unit == nil ? .unsupported : .corrupt))
    #expect(error?.hint.isEmpty == false)
  }

  @Test func `without calibration raw values follow the general formula`() throws {
    let samples = (0..<2048).map { UInt16($0) }
    let stream = try Self.stream(size: (64, 32))
    #expect(Self.convert(samples, try DepthConverter(stream)) == DepthUnits.kinectMillimeters)
    #expect(Self.convert(samples, DepthConverter(stream.layout)) == DepthUnits.kinectMillimeters)
  }
}
