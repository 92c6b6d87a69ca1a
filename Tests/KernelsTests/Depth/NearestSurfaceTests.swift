import Kernels
import Support
import Testing

@Suite struct NearestSurfaceTests {
  /// The cut-off for a plane of 100 columns, given the depth of each column; 0 is a hole.
  private static func distance(_ columns: (Int) -> UInt16) -> UInt16? {
    let plane = PixelPlane<UInt16>(width: 100, height: 60)
    for y in 0..<60 { for x in 0..<100 { plane.row(y)[x] = columns(x) } }
    return NearestSurface().surface(in: plane)?.distance
  }

  @Test func `the distance lies in the gap between a person and the wall`() throws {
    // A person from 0.8 to 1.1 m, in front of a wall at 2.5 m.
    let cut = try #require(Self.distance { $0 < 40 ? UInt16(800 + 7 * $0) : 2500 })
    #expect((1080...1300).contains(cut), "\(cut)")
  }

  @Test func `something small in front of the person does not count`() throws {
    let cut = try #require(Self.distance { $0 < 1 ? 450 : $0 < 40 ? UInt16(900 + 5 * $0) : 3000 })
    #expect((1100...1400).contains(cut), "\(cut)")
  }

  @Test(arguments: [100, 150, 200]) func `a person right before a wall is cut from it`(gap: Int) throws {
    let cut = try #require(Self.distance { $0 < 40 ? UInt16(1400 + 5 * $0) : UInt16(1600 + gap + $0 / 4) })
    #expect((1595...1625 + gap).contains(Int(cut)), "\(cut)")
  }

  @Test func `somebody small and far away is the nearest thing if nothing larger is before a gap`() throws {
    let cut = try #require(Self.distance { $0 < 3 ? 3500 : $0 < 50 ? 5000 : UInt16(5000 + 60 * ($0 - 50)) })
    #expect((3525...4900).contains(cut), "\(cut)")
  }

  @Test func `most of the picture is not cut off as a person where a smaller thing can be`() throws {
    let cut = try #require(Self.distance { $0 < 20 ? UInt16(1500 + 4 * $0) : UInt16(1680 + 2 * $0) })
    #expect((1575...1725).contains(cut), "\(cut)")
  }

  @Test func `without a gap the emptiest place within reach is taken`() throws {
    // A person at 1 m, on a floor that extends to 4 m.
    let cut = try #require(Self.distance { $0 < 40 ? UInt16(950 + 3 * $0) : UInt16(1050 + 50 * ($0 - 40)) })
    #expect((1050...2200).contains(cut), "\(cut)")
  }

  @Test func `of holes alone, or of next to nothing, there is no nearest thing`() {
    #expect(Self.distance { _ in 0 } == nil)
    #expect(Self.distance { $0 < 1 ? 900 : 0 } == nil)
  }

  @Test func `the farthest distance that depth can have is no overflow`() {
    #expect(Self.distance { _ in .max } == .max)
  }
}
