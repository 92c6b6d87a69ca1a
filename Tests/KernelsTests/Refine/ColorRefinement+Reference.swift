import Kernels

/// A reference for `ColorRefinement` that computes whole windows, without sliding sums.
struct ColorRefinementReference {
  let reach: RefinementBelt.Reach
  let doubt: Double
  let horizontal: ScaleLine
  let vertical: ScaleLine

  private var width: Int { horizontal.sourceLength }
  private var height: Int { vertical.sourceLength }
  private var columns: Int { (width + 7) / 8 }
  private var rows: Int { (height + 7) / 8 }
  private static let one = 16_320

  enum Kind { case outside, unsure, inside }

  struct Model {
    var slopes = [0, 0, 0]
    var constant = 0
    var trust = 0

    func value(_ color: [Int]) -> Int { (zip(slopes, color).map { $0 * $1 }.reduce(0, +) + constant) >> 12 }
  }

  /// - Parameters:
  ///   - plain: matte samples, unpadded like `mask` and `depth`.
  ///   - empty: reduced colours of the empty scene, three for each pixel.
  func matte(mask: [UInt8], plain: [Int16], depth: [UInt16]?, empty: [[Int]]?, rgb: [UInt8]) -> [UInt8] {
    let colors = reduced(rgb)
    let seen = empty.map { zip(colors, $0).map { zip($0, $1).map { ($0 - $1) / 2 + 2040 } } } ?? colors
    let belt = belt(mask, depth, reach.inside, reach.outside)
    let known = belt2(mask, depth)
    let models = models(seen, belt, known)
    let gates = gates(seen, known, models)
    var samples = (0..<width * height).map { i in first(i, seen[i], belt, mask, models) }
    let windows = (0..<width * height).map { window($0, colors) }
    for _ in 0..<2 {
      let models = windows.indices.map { coefficients($0, windows[$0], colors, samples) }
      samples = samples.indices.map { i in
        guard belt[i] == .unsure else { return samples[i] }
        let sum = means(i, models)
        let shown = (0..<3).map { sum[$0] * colors[i][$0] }.reduce(0, +)
        let value = Self.mean(((shown >> 8) + sum[3]) >> 4)
        return min(max((value - 1632) * Self.one / (Self.one - 3264), 0), Self.one)
      }
    }
    let last = windows.indices.map { coefficients($0, windows[$0], colors, samples) }
    let gated = (0..<width * height).map { i in
      var share = at(i, gates.usual)
      if let depth, depth[i] == 0 { share = max(share, at(i, gates.holes)) }
      var values = [0, 0, 0, belt[i] == .inside ? Self.one << 4 : 0]
      if belt[i] == .unsure {
        let sum = means(i, last)
        values = (0..<3).map { Self.mean(sum[$0]) >> 4 } + [Self.mean(sum[3])]
      }
      return values[..<3].map { ($0 * share) >> 8 }
        + [(values[3] * share + (Int(plain[i]) << 4) * (256 - share)) >> 8]
    }
    return scaled(gated, rgb)
  }

  // MARK: Colours and belts

  func reduced(_ rgb: [UInt8]) -> [[Int]] {
    let taps = GreyReduction(horizontal: horizontal, vertical: vertical, threadCount: 1)
    let videoWidth = horizontal.targetLength
    return (0..<height * width).map { i in
      let (x, y) = (i % width, i / width)
      return (0..<3).map { channel in
        var sum = 8192
        for k in 0..<taps.columns.count {
          let weight = Int(taps.columns.weights.elements[x * taps.columns.count + k])
          guard weight != 0 else { continue }
          let column = Int(taps.columns.starts.elements[x]) + k
          var line = 512
          for j in 0..<taps.rows.count {
            let row = Int(taps.rows.starts.elements[y]) + j
            line +=
              Int(taps.rows.weights.elements[y * taps.rows.count + j])
              * Int(rgb[3 * (row * videoWidth + column) + channel])
          }
          sum += weight * (line >> 10)
        }
        return sum >> 14
      }
    }
  }

  /// Whether any pixel, and whether every pixel, of a disc round `i` is the person.
  private func disc(_ i: Int, _ radius: Int, _ mask: [UInt8]) -> (any: Bool, all: Bool) {
    var (any, all) = (false, true)
    for dy in -radius...radius {
      for dx in -radius...radius where dx * dx + dy * dy <= radius * radius + radius {
        let (x, y) = (i % width + dx, i / width + dy)
        guard (0..<width).contains(x), (0..<height).contains(y) else { continue }
        if mask[y * width + x] >= 128 { any = true } else { all = false }
      }
    }
    return (any, all)
  }

  private func belt(_ mask: [UInt8], _ depth: [UInt16]?, _ inside: Int, _ outside: Int) -> [Kind] {
    (0..<width * height).map { i in
      if disc(i, inside, mask).all { return .inside }
      let isHole = depth?[i] == 0 && disc(i, max(reach.holes, reach.outside), mask).any
      return isHole || disc(i, outside, mask).any ? .unsure : .outside
    }
  }

  private func belt2(_ mask: [UInt8], _ depth: [UInt16]?) -> [Kind] {
    belt(mask, depth, reach.inside + 1, reach.outside + 2)
  }

  // MARK: Models

  private func models(_ seen: [[Int]], _ belt: [Kind], _ known: [Kind]) -> [Model] {
    let sums = [Kind.outside, .inside].map { kind in
      (0..<columns * rows).map { cell -> [Int] in
        var sum = [Int](repeating: 0, count: 10)
        forPixels(of: cell) { i in
          guard known[i] == kind else { return }
          let c = seen[i].map { $0 >> 2 }
          let products = [c[0] * c[0], c[0] * c[1], c[0] * c[2], c[1] * c[1], c[1] * c[2], c[2] * c[2]]
          for (k, value) in ([1] + c + products).enumerated() { sum[k] += value }
        }
        return sum
      }
    }
    let near = sums.map { box(box($0, 3), 3) }
    let wide = sums.map { box($0, 9) }
    return (0..<columns * rows).map { cell in
      guard isWanted(cell, belt) else { return Model() }
      let classes = (0..<2).map { c in
        near[c][cell][0] < 400 ? zip(near[c][cell], wide[c][cell]).map { $0 + $1 } : near[c][cell]
      }
      guard classes.allSatisfy({ $0[0] >= 48 }) else { return Model() }
      return Self.separated(Self.moments(classes[0]), Self.moments(classes[1]))
    }
  }

  /// Calls `body` for every other pixel of a cell, in both directions.
  private func forPixels(of cell: Int, _ body: (Int) -> Void) {
    for y in stride(from: cell / columns * 8, to: min(cell / columns * 8 + 8, height), by: 2) {
      for x in stride(from: cell % columns * 8, to: min(cell % columns * 8 + 8, width), by: 2) { body(y * width + x) }
    }
  }

  /// Whether the cell or one of its eight neighbours contains an unsure pixel.
  private func isWanted(_ cell: Int, _ belt: [Kind]) -> Bool {
    (0..<width * height).contains { i in
      belt[i] == .unsure && abs(i % width / 8 - cell % columns) <= 1 && abs(i / width / 8 - cell / columns) <= 1
    }
  }

  private func box(_ cells: [[Int]], _ radius: Int) -> [[Int]] {
    cells.indices.map { cell in
      var sum = [Int](repeating: 0, count: cells[0].count)
      for other in cells.indices
      where abs(other % columns - cell % columns) <= radius && abs(other / columns - cell / columns) <= radius {
        for k in sum.indices { sum[k] += cells[other][k] }
      }
      return sum
    }
  }

  private static func moments(_ sums: [Int]) -> (mean: [Int], covariance: [Int]) {
    let count = sums[0]
    let mean = (0..<3).map { (sums[1 + $0] << 6 + count / 2) / count }
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    return (mean, pairs.enumerated().map { k, p in (sums[4 + k] << 12 + count / 2) / count - mean[p.0] * mean[p.1] })
  }

  /// The matrix shifted down so that its diagonal has at most 20 bits.
  private static func normalized(_ matrix: [Int]) -> (matrix: [Int], shift: Int) {
    let largest = matrix[0] | matrix[3] | matrix[5]
    let shift = max(0, 64 - largest.leadingZeroBitCount - 20)
    return (matrix.map { $0 >> shift }, shift)
  }

  private static func adjugate(_ m: [Int]) -> (of: [Int], determinant: Int) {
    let of = [
      m[3] * m[5] - m[4] * m[4], m[2] * m[4] - m[1] * m[5], m[1] * m[4] - m[2] * m[3], m[0] * m[5] - m[2] * m[2],
      m[1] * m[2] - m[0] * m[4], m[0] * m[3] - m[1] * m[1],
    ]
    return (of, m[0] * of[0] + m[1] * of[1] + m[2] * of[2])
  }

  /// The matrix, given by its upper triangle, times a vector.
  private static func product(_ m: [Int], _ v: [Int]) -> [Int] {
    [
      m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[1] * v[0] + m[3] * v[1] + m[4] * v[2],
      m[2] * v[0] + m[4] * v[1] + m[5] * v[2],
    ]
  }

  private static func separated(
    _ outside: (mean: [Int], covariance: [Int]), _ inside: (mean: [Int], covariance: [Int])
  ) -> Model {
    var spread = zip(outside.covariance, inside.covariance).map { ($0 + $1) / 2 }
    for k in [0, 3, 5] { spread[k] += 429_000 }
    let apart = zip(inside.mean, outside.mean).map { $0 - $1 }
    let (matrix, shift) = normalized(spread)
    let a = adjugate(matrix)
    let way = product(a.of, apart).map { Int128($0) }
    let distance = zip(way, apart).map { $0 * Int128($1) }.reduce(0, +)
    guard a.determinant > 0, distance > 0 else { return Model() }
    let criterion = (distance << 8) / (Int128(a.determinant) << shift)
    guard criterion > 8 << 8 else { return Model() }
    let slopes = way.map { $0 * Int128(one << 16) / distance }
    guard slopes.allSatisfy({ Int32(exactly: $0) != nil }) else { return Model() }
    let constant = -zip(slopes, outside.mean).map { $0 * Int128($1) }.reduce(0, +)
    return Model(
      slopes: slopes.map { Int($0) }, constant: Int(constant / 16),
      trust: criterion >= 32 << 8 ? 256 : Int((criterion - 8 << 8) / 24))
  }

  private func gates(_ seen: [[Int]], _ known: [Kind], _ models: [Model]) -> (usual: [Int], holes: [Int]) {
    let counts = models.indices.map { cell -> [Int] in
      var counts = [0, 0, 0, 0]
      guard models[cell].trust > 0 else { return counts }
      forPixels(of: cell) { i in
        let t = models[cell].value(seen[i])
        switch known[i] {
        case .unsure: break
        case .outside: (counts[0], counts[1]) = (counts[0] + 1, counts[1] + (t > 6528 ? 1 : 0))
        case .inside: (counts[2], counts[3]) = (counts[2] + 1, counts[3] + (t < 9792 ? 1 : 0))
        }
      }
      return counts
    }
    let around = box(box(counts, 1), 1)
    func gate(_ doubt: Int) -> [Int] {
      models.indices.map { cell in
        if doubt >= 65_536 { return 256 }
        let c = around[cell]
        let wrong = max(c[0] == 0 ? 65_536 : c[1] << 16 / c[0], c[2] == 0 ? 65_536 : c[3] << 16 / c[2])
        guard models[cell].trust > 0, wrong < doubt else { return 0 }
        return min((doubt - wrong) * 1024 / (3 * doubt), 256)
      }
    }
    let share = Int((doubt * 65_536).rounded(.toNearestOrEven))
    return (gate(share), gate(min(65_536, 16 * share)))
  }

  // MARK: From cells to pixels

  /// The two cells nearest to a pixel along one axis, and the second's weight, in 1/16.
  private static func place(_ pixel: Int, _ count: Int) -> (first: Int, second: Int, weight: Int) {
    let half = 2 * pixel - 7
    let first = Int((Double(half) / 16).rounded(.down))
    return (min(max(first, 0), count - 1), min(max(first + 1, 0), count - 1), half - 16 * first)
  }

  private func at(_ i: Int, _ gate: [Int]) -> Int {
    let (across, down) = (Self.place(i % width, columns), Self.place(i / width, rows))
    func row(_ r: Int) -> Int {
      gate[r * columns + across.first] * (16 - across.weight) + gate[r * columns + across.second] * across.weight
    }
    return (row(down.first) * (16 - down.weight) + row(down.second) * down.weight + 128) >> 8
  }

  private func first(_ i: Int, _ color: [Int], _ belt: [Kind], _ mask: [UInt8], _ models: [Model]) -> Int {
    switch belt[i] {
    case .outside: return 0
    case .inside: return Self.one
    case .unsure: break
    }
    let (across, down) = (Self.place(i % width, columns), Self.place(i / width, rows))
    let sure = mask[i] >= 128 ? Self.one : 0
    var sum = 128
    for (row, rowWeight) in [(down.first, 16 - down.weight), (down.second, down.weight)] {
      for (column, columnWeight) in [(across.first, 16 - across.weight), (across.second, across.weight)] {
        let model = models[row * columns + column]
        let t = min(max(model.value(color), 0), Self.one)
        let value = model.trust > 0 ? sure + (t - sure) * model.trust / 256 : sure
        sum += value * rowWeight * columnWeight
      }
    }
    return sum >> 8
  }

  // MARK: The guided filter

  /// The 7 × 7 pixels centred at one pixel, edges repeated.
  private func around(_ i: Int) -> [Int] {
    (-3...3).flatMap { dy in
      (-3...3).map { dx in
        min(max(i / width + dy, 0), height - 1) * width + min(max(i % width + dx, 0), width - 1)
      }
    }
  }

  private static func mean(_ sum: Int) -> Int { (sum * 87_652_394 + 1 << 31) >> 32 }

  private func window(_ i: Int, _ colors: [[Int]]) -> (sums: [Int], inverse: [Int]) {
    let pixels = around(i).map { colors[$0] }
    let sums = (0..<3).map { c in pixels.map { $0[c] }.reduce(0, +) }
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    var spread = pairs.map { a, b in 49 * pixels.map { $0[a] * $0[b] }.reduce(0, +) - sums[a] * sums[b] }
    for k in [0, 3, 5] { spread[k] += 49 * 49 * 4080 * 4080 / 20_000 }
    let (matrix, shift) = Self.normalized(spread)
    let a = Self.adjugate(matrix)
    let determinant = max(a.determinant, 1)
    // The upper 31 bits.
    let excess = 33 - determinant.leadingZeroBitCount
    let upper = excess > 0 ? determinant >> excess : determinant << -excess
    let reciprocal = (1 << 61) / upper
    return (sums, a.of.map { Int((Int128($0) * Int128(reciprocal)) >> (11 + shift + excess)) })
  }

  private func coefficients(
    _ i: Int, _ window: (sums: [Int], inverse: [Int]), _ colors: [[Int]], _ samples: [Int]
  ) -> [Int] {
    let pixels = around(i)
    let total = pixels.map { samples[$0] }.reduce(0, +)
    let covariance = (0..<3).map { c in
      (49 * pixels.map { samples[$0] * colors[$0][c] }.reduce(0, +) - total * window.sums[c]) >> 8
    }
    let slopes = Self.product(window.inverse, covariance).map { $0 >> 30 }
    let shown = zip(slopes, window.sums).map { $0 * $1 }.reduce(0, +)
    return slopes + [Self.mean(total << 4 - shown >> 8)]
  }

  private func means(_ i: Int, _ coefficients: [[Int]]) -> [Int] {
    let pixels = around(i)
    return (0..<4).map { k in pixels.map { coefficients[$0][k] }.reduce(0, +) }
  }

  private func scaled(_ gated: [[Int]], _ rgb: [UInt8]) -> [UInt8] {
    let (across, down) = (ScaleTable(.bilinear, horizontal), ScaleTable(.bilinear, vertical))
    let videoWidth = horizontal.targetLength
    func source(_ start: Int32, _ length: Int) -> Int { min(max(Int(start), 0), length - 1) }
    return (0..<videoWidth * vertical.targetLength).map { i in
      let (x, y) = (i % videoWidth, i / videoWidth)
      func along(_ row: Int, _ k: Int) -> Int {
        let left = gated[row * width + source(across.starts.elements[x] + 1, width)][k]
        let right = gated[row * width + source(across.starts.elements[x] + 2, width)][k]
        return
          (left * Int(across.weights.elements[4 * x + 1]) + right * Int(across.weights.elements[4 * x + 2]) + 8192)
          >> 14
      }
      let rows = [source(down.starts.elements[y] + 1, height), source(down.starts.elements[y] + 2, height)]
      let of = (0..<4).map { k in
        (along(rows[0], k) * Int(down.weights.elements[4 * y + 1])
          + along(rows[1], k) * Int(down.weights.elements[4 * y + 2]) + 8192) >> 14
      }
      let shown = (0..<3).map { of[$0] * Int(rgb[3 * i + $0]) }.reduce(0, +)
      return UInt8(min(max((shown + of[3] + 512) >> 10, 0), 255))
    }
  }
}
