import Kernels
import Support
import Testing

@Suite struct MaskPiecesTests {
  /// Draws a mask: `#` is the person, `.` is not.
  private static func mask(_ rows: [String]) -> PixelPlane<UInt8> {
    let plane = PixelPlane<UInt8>(width: rows[0].count, height: rows.count)
    for (y, row) in rows.enumerated() {
      for (x, character) in row.enumerated() { plane.row(y)[x] = character == "#" ? 255 : 0 }
    }
    return plane
  }

  private static func text(_ plane: PixelPlane<UInt8>) -> [String] {
    (0..<plane.height).map { y in String((0..<plane.width).map { plane.row(y)[$0] == 255 ? "#" : "." }) }
  }

  /// Depth from one digit per pixel, in half metres; 0 is a hole.
  private static func depth(_ rows: [String]) -> PixelPlane<UInt16> {
    let plane = PixelPlane<UInt16>(width: rows[0].count, height: rows.count)
    for (y, row) in rows.enumerated() {
      for (x, character) in row.enumerated() { plane.row(y)[x] = UInt16(character.wholeNumberValue! * 500) }
    }
    return plane
  }

  private static func cleaned(
    _ rows: [String], _ kept: MaskPieces.Kept, smallest: Int = 0, largestGap: Int = 0, depth: [String]? = nil,
    moved: [String]? = nil, faces: [(left: Int, top: Int, right: Int, bottom: Int)] = []
  ) -> [String] {
    let plane = mask(rows)
    let pixelCount = Double(plane.count)
    let pieces = MaskPieces(
      kept, smallest: Double(smallest) / pixelCount, largestGap: Double(largestGap) / pixelCount, width: plane.width,
      height: plane.height)
    for face in faces { pieces.addFace(left: face.left, top: face.top, right: face.right, bottom: face.bottom) }
    pieces.apply(plane, depth: depth.map(Self.depth), moved: moved.map(mask))
    return text(plane)
  }

  /// Rows with something at both ends, farther apart than small pieces are from what they belong to.
  private static func apart(_ left: [String], _ right: [String]) -> [String] {
    zip(left, right).map { $0 + String(repeating: ".", count: 24) + $1 }
  }

  @Test func `pieces smaller than the smallest go, and corners hold a piece together`() {
    let left = ["##..", "##..", "..#.", "...#"]
    let rows = Self.apart(left, [".#", "..", "..", "##"])
    #expect(Self.cleaned(rows, .large, smallest: 3) == Self.apart(left, ["..", "..", "..", ".."]))
    #expect(Self.cleaned(rows, .all, smallest: 3) == rows)
  }

  @Test func `small pieces near one that stays are its curls`() {
    let blank = String(repeating: ".", count: 24)
    // In columns 7, 15 and 16 of cells of 8, beside a piece in the first; and in rows beyond the next cells.
    let rows =
      ["##.....#.......##......." + blank, "##......................" + blank]
      + Array(repeating: blank + blank, count: 14)
      + ["#......................." + blank]
    var expected = rows
    expected[0] = "##.....#.......#........" + blank
    #expect(Self.cleaned(rows.map { $0.replacing(".##.", with: ".#..") }, .large, smallest: 4)[0] == expected[0])
    #expect(Self.cleaned(rows, .large, smallest: 4)[0] == rows[0])
    #expect(Self.cleaned(rows, .large, smallest: 4)[16] == blank + blank)
    // Not of one that goes: the face is in another.
    let chair = ["##.......#", "##........"]
    let people = Self.apart(["##", "##"], chair)
    let face = (left: 0, top: 0, right: 1, bottom: 1)
    #expect(
      Self.cleaned(people, .face, smallest: 4, faces: [face])
        == Self.apart(["##", "##"], chair.map { _ in ".........." }))
    #expect(Self.cleaned(people, .face, smallest: 4) == people)
  }

  @Test func `a piece that joins others from below is one piece`() {
    let left = ["#.#.#", "#.#.#", "#####", ".....", "....."]
    let rows = Self.apart(left, [".", ".", ".", ".", "#"])
    #expect(Self.cleaned(rows, .large, smallest: 9) == Self.apart(left, [".", ".", ".", ".", "."]))
  }

  @Test func `with a face, only pieces that hold one stay; without, all large ones`() {
    let rows = Self.apart(["##..##", "##..##"], [".#", ".."])
    let large = Self.apart(["##..##", "##..##"], ["..", ".."])
    let left = (left: 0, top: 0, right: 1, bottom: 1)
    #expect(Self.cleaned(rows, .face, smallest: 2, faces: [left]) == Self.apart(["##....", "##...."], ["..", ".."]))
    #expect(Self.cleaned(rows, .face, smallest: 2) == large)
    let both = [left, (left: 5, top: 1, right: 6, bottom: 2)]
    #expect(Self.cleaned(rows, .face, smallest: 2, faces: both) == large)
    #expect(Self.cleaned(rows, .large, smallest: 2, faces: [left]) == large)
  }

  @Test func `a step of depth divides a chair from the person who holds a face, and a hole does not`() {
    let rows = ["####", "####", "####"]
    let face = (left: 0, top: 0, right: 1, bottom: 1)
    let divided = Self.cleaned(rows, .face, smallest: 1, depth: ["2266", "2266", "2266"], faces: [face])
    #expect(divided == ["##..", "##..", "##.."])
    let joined = Self.cleaned(rows, .face, smallest: 1, depth: ["2022", "2022", "2022"], faces: [face])
    #expect(joined == rows)
  }

  @Test func `what has moved stays as a piece with a face does, and what has not goes`() {
    let rows = ["##..##..##", "##..##..##"]
    let moved = ["....#.....", ".........."]
    let flat = ["2222222222", "2222222222"]
    #expect(Self.cleaned(rows, .face, smallest: 1, depth: flat, moved: moved) == ["....##....", "....##...."])
    #expect(Self.cleaned(rows, .large, smallest: 1, depth: flat, moved: moved) == rows)
    let face = (left: 0, top: 0, right: 1, bottom: 1)
    #expect(
      Self.cleaned(rows, .face, smallest: 1, depth: flat, moved: moved, faces: [face]) == ["##..##....", "##..##...."])
    // Too little to be more than noise.
    #expect(Self.cleaned(rows, .face, smallest: 3, depth: flat, moved: moved) == rows)
  }

  @Test func `of a piece that moves, what has not moved stays if it goes on without a step`() {
    let rows = ["########", "########"]
    let moved = ["#####...", "#####..."]
    /// Millimetres of each column.
    func cleaned(_ columns: [UInt16], moved: [String] = moved, face: Int? = nil) -> [String] {
      let plane = Self.mask(rows)
      let depth = PixelPlane<UInt16>(width: 8, height: 2)
      for y in 0..<2 { for x in 0..<8 { depth.row(y)[x] = columns[x] } }
      let pieces = MaskPieces(.face, smallest: 0.1, largestGap: 0, width: 8, height: 2)
      if let face { pieces.addFace(left: face, top: 0, right: face + 1, bottom: 1) }
      pieces.apply(plane, depth: depth, moved: Self.mask(moved))
      return Self.text(plane)
    }
    let body: [UInt16] = [1000, 1002, 1004, 1006, 1008, 1010, 1012, 1014]
    #expect(cleaned(body, moved: ["######..", "######.."]) == rows)
    // Two borders are too few for six pixels.
    #expect(cleaned(body) == moved)
    // Too small a step to divide pieces, and larger than the noise.
    let chair: [UInt16] = [1000, 1000, 1000, 1000, 1000, 1050, 1050, 1050]
    #expect(cleaned(chair) == moved)
    #expect(cleaned(chair, face: 6) == rows)
    #expect(cleaned(chair, face: 1) == moved)
  }

  @Test func `a step of depth divides a chair from the person who moves`() {
    let rows = ["######", "######"]
    let cleaned = Self.cleaned(
      rows, .face, smallest: 1, depth: ["222266", "222266"], moved: ["##....", "......"])
    #expect(cleaned == ["####..", "####.."])
  }

  @Test func `enclosed gaps are filled up to the largest, open ones and larger ones are not`() {
    let rows = ["#######", "#.#...#", "###...#", "#######", "#.#####"]
    #expect(Self.cleaned(rows, .all, largestGap: 1) == ["#######", "###...#", "###...#", "#######", "#.#####"])
    #expect(Self.cleaned(rows, .all, largestGap: 6) == ["#######", "#######", "#######", "#######", "#.#####"])
    #expect(Self.cleaned(rows, .all) == rows)
  }

  @Test func `a gap through which something farther is seen stays open, one without depth is filled`() {
    let rows = ["#####", "#..##", "##..#", "#####"]
    let through = ["22222", "26622", "22662", "22222"]
    #expect(Self.cleaned(rows, .all, largestGap: 9, depth: through) == rows)
    let without = ["22222", "20022", "22602", "22222"]
    #expect(Self.cleaned(rows, .all, largestGap: 9, depth: without) == ["#####", "#####", "#####", "#####"])
  }

  /// Regions by flood fill.
  private static func regions(_ mask: [Bool], _ width: Int, value: Bool, corners: Bool) -> [[Int]] {
    var seen = Set<Int>()
    var regions: [[Int]] = []
    for start in mask.indices where mask[start] == value && !seen.contains(start) {
      var (region, open) = ([Int](), [start])
      seen.insert(start)
      while let i = open.popLast() {
        region.append(i)
        for dy in -1...1 {
          for dx in -1...1 where corners || dx == 0 || dy == 0 {
            let (x, y) = (i % width + dx, i / width + dy)
            guard x >= 0, x < width, y >= 0, y < mask.count / width, mask[y * width + x] == value,
              seen.insert(y * width + x).inserted
            else { continue }
            open.append(y * width + x)
          }
        }
      }
      regions.append(region)
    }
    return regions
  }

  @Test(arguments: 0..<40)
  func `random masks come out as a flood fill says`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (width, height) = (1 + generator.next(below: 90), 1 + generator.next(below: 60))
    let density = 1 + generator.next(below: 9)
    var expected = (0..<width * height).map { _ in generator.next(below: 10) < density }
    let plane = PixelPlane<UInt8>(width: width, height: height)
    for i in expected.indices { plane.samples[i] = expected[i] ? 255 : 0 }
    let (smallest, largest) = (generator.next(below: 20), generator.next(below: 20))
    let regions = Self.regions(expected, width, value: true, corners: true)
    let cellsOfLarge = Set(regions.filter { $0.count >= smallest }.joined().map { [$0 % width / 8, $0 / width / 8] })
    for region in regions where region.count < smallest {
      let isNear = region.contains { i in
        let (x, y) = (i % width / 8, i / width / 8)
        return (x - 1...x + 1).contains { column in
          (y - 1...y + 1).contains { cellsOfLarge.contains([column, $0]) }
        }
      }
      if !isNear { for i in region { expected[i] = false } }
    }
    for region in Self.regions(expected, width, value: false, corners: false) where region.count <= largest {
      let isOpen = region.contains {
        $0 % width == 0 || $0 % width == width - 1 || $0 / width == 0 || $0 / width == height - 1
      }
      if !isOpen { for i in region { expected[i] = true } }
    }
    let count = Double(width * height)
    MaskPieces(
      .large, smallest: Double(smallest) / count, largestGap: Double(largest) / count, width: width, height: height
    ).apply(plane, depth: nil)
    #expect((0..<plane.count).map { plane.samples[$0] == 255 } == expected)
  }
}
