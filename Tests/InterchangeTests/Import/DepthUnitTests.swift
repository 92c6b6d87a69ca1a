import FrameModel
import Interchange
import Support
import TestSupport
import Testing

/// What a user says of depth and lenses.
@Suite struct DepthUnitTests {
  @Test(arguments: [
    ("5000", 1, 5), ("1000", 1, 1), ("10", 100, 1), ("1000000", 1, 1000), ("1mm", 1, 1), ("0.001m", 1, 1),
    ("0.25mm", 1, 4), ("100um", 1, 10), ("1m", 1000, 1), ("1um", 1, 1000), ("30", 100, 3), ("1.50mm", 3, 2),
  ])
  func `a unit is exact`(text: String, numerator: Int, denominator: Int) throws {
    let unit = try DepthUnit(text)
    #expect((unit.numerator, unit.denominator) == (numerator, denominator))
  }

  @Test func `whole micrometres and whole counts are told from others`() throws {
    #expect(try DepthUnit("5000").micrometers == 200)
    #expect(try DepthUnit("3000").micrometers == nil)
    #expect(try DepthUnit("3000").countsInMeter == 3000)
    #expect(try DepthUnit("0.3mm").countsInMeter == nil)
  }

  @Test(arguments: [
    "", "0", "-1", "1", "9", "1000001", "0.001", "1.5", "mm", ".5mm", "1e3", "nan", "inf", "0mm", "0.0005mm", "1001mm",
    "1.1m",
    "1 mm",
    "1mmm", "0.0000001mm", "99999999999999999999999", "9999999999999m", "1..5mm", "1.5.2mm", "+1mm", "٣",
  ])
  func `any other text is refused with it`(text: String) {
    #expect { try DepthUnit(text) } throws: { error in
      (error as? RetakeError)?.code == .usage && "\(error)".contains("--scale \(text)")
    }
  }

  @Test(arguments: [
    "500 0 320\n0 510 240\n0 0 1\n", "5.000e+02, 0, 320; 0, 510, 240; 0 0 1", "500 510 320 240",
    "500 0 320 0\n0 510 240 0\n0 0 1 0\n0 0 0 1",
    #"{"width": 640, "height": 480, "intrinsic_matrix": [500, 0, 0, 0, 510, 0, 320, 240, 1]}"#,
    #"{"intrinsic": {"width": 640, "height": 480, "intrinsic_matrix": [500.0, 0, 0, 0, 510, 0, 320, 240, 1.0]}}"#,
  ])
  func `matrices of data sets are intrinsics`(text: String) throws {
    let folder = try TemporaryFolder()
    try FileBytes.write(Array(text.utf8), to: folder.path("k.txt"))
    let found = try IntrinsicsFile.read(folder.path("k.txt"), for: Self.layout())
    #expect([found[.fx], found[.fy], found[.cx], found[.cy]] == [500, 510, 320, 240])
  }

  @Test(arguments: [
    "", "1 2 3", "500 0 320 0 510 240 0 0 2", "500 1 320 0 510 240 0 0 1", "-500 510 320 240", "nan 510 320 240",
    "500 510 320 1e9", "500 510 320 x", "500 0 320 1 0 510 240 0 0 0 1 0 0 0 0 1", "{\"fx\": 500}",
    #"{"width": 640, "height": 480, "intrinsic_matrix": [500, 0, 0, 0, 510, 0, 320, 240]}"#,
    #"{"width": 640, "height": 480, "intrinsic_matrix": [500, 0, 0, 0, 510, 0, 320, "x", 1]}"#,
    #"{"width": "640", "height": 480, "intrinsic_matrix": [500, 0, 0, 0, 510, 0, 320, 240, 1]}"#,
  ])
  func `anything else is no intrinsics`(text: String) throws {
    let folder = try TemporaryFolder()
    try FileBytes.write(Array(text.utf8), to: folder.path("k.txt"))
    let layout = try Self.layout()
    #expect {
      try IntrinsicsFile.read(folder.path("k.txt"), for: layout)
    } throws: {
      ($0 as? RetakeError)?.code == .corrupt
    }
  }

  private static func layout() throws -> FrameLayout { try FrameLayout(.grey8, width: 640, height: 480) }
}
