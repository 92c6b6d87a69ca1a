/// The person alone: premultiplied colour and alpha, and distance, for every pixel of `box`.
///
/// Parts are reliefs on planes, painted from far to near. Where a pixel's ray meets the plane, the
/// position is corrected by the relief's height there, twice for the head. This moves the nose
/// against the cheeks when the head turns.
final class PersonCanvas {
  let lens: Pinhole
  /// Area that the last `draw` may have touched. Outside it the buffers are undefined.
  private(set) var box = PixelBox.empty
  /// Red, green, blue (0 to 255) times alpha, alpha (0 to 1).
  let layers: UnsafeMutablePointer<SIMD4<Float>>
  /// Metres along the optical axis, 0 where the person covers less than half of the pixel.
  let distances: UnsafeMutablePointer<Float>

  /// The key light is above the camera to the viewer's left, the fill light to the right.
  private static let keyLight = Vector3(-0.46, -0.52, -0.72).normalized
  private static let fillLight = Vector3(0.80, -0.10, -0.60).normalized

  init(lens: Pinhole) {
    self.lens = lens
    let count = lens.width * lens.height
    layers = .allocate(capacity: count)
    layers.initialize(repeating: .zero, count: count)
    distances = .allocate(capacity: count)
    distances.initialize(repeating: 0, count: count)
  }

  deinit {
    layers.deallocate()
    distances.deallocate()
  }

  func draw(_ parts: [Figure.Part]) {
    let boxes = parts.map { bounds(of: $0.map, at: $0.place) }
    box = boxes.reduce(.empty) { $1.isEmpty ? $0 : $0.union($1) }
    guard !box.isEmpty else { return }
    for y in box.minY..<box.maxY {
      let start = y * lens.width + box.minX
      (layers + start).update(repeating: .zero, count: box.maxX - box.minX)
      (distances + start).update(repeating: 0, count: box.maxX - box.minX)
    }
    for (part, area) in zip(parts, boxes) where !area.isEmpty {
      paint(part.map, at: part.place, in: area, refinements: part.refinements)
    }
  }

  private func bounds(of map: ReliefMap, at place: PartPlacement) -> PixelBox {
    var low = SIMD2<Float>(repeating: .greatestFiniteMagnitude)
    var high = SIMD2<Float>(repeating: -.greatestFiniteMagnitude)
    for u in [map.bounds.minU, map.bounds.maxU] {
      for v in [map.bounds.minV, map.bounds.maxV] {
        for height in [0, map.peak] {
          let pixel = lens.project(place.point(u, v, height))
          low = pointwiseMin(low, pixel)
          high = pointwiseMax(high, pixel)
        }
      }
    }
    return PixelBox(
      minX: Int(low.x.clamped(0, Float(lens.width))), minY: Int(low.y.clamped(0, Float(lens.height))),
      maxX: Int((high.x + 1).clamped(0, Float(lens.width))),
      maxY: Int((high.y + 1).clamped(0, Float(lens.height))))
  }

  private func paint(_ map: ReliefMap, at place: PartPlacement, in area: PixelBox, refinements: Int) {
    let projection = PartProjection(map, place, lens)
    let key = Self.local(Self.keyLight, place)
    let fill = Self.local(Self.fillLight, place)
    let depth = SIMD4(
      place.across.z / map.density, place.along.z / map.density, place.outward.z,
      place.origin.z + place.across.z * map.bounds.minU + place.along.z * map.bounds.minV)
    let lastColumn = Float(map.width - 1) - 0.01
    let lastRow = Float(map.height - 1) - 0.01
    let stride = map.width
    let layers = self.layers
    let distances = self.distances
    let width = lens.width

    map.texels.withUnsafeBufferPointer { buffer in
      guard let texels = buffer.baseAddress else { return }
      for y in area.minY..<area.maxY {
        let line = projection.row(y)
        let span = line.span(area.minX, area.maxX, columns: lastColumn, rows: lastRow)
        var x = span.lowerBound
        while x < span.upperBound {
          defer { x += 1 }
          let at = line.plus(Float(x))
          let scale = 1 / at.w
          let baseU = at.u * scale
          let baseV = at.v * scale
          guard baseU >= 0, baseV >= 0, baseU < lastColumn, baseV < lastRow else { continue }
          var column = baseU
          var row = baseV
          var texel = Self.sample(texels, stride, column, row)
          var refinement = texel[7] > 0 ? refinements : 0
          while refinement > 0 {
            column = baseU + texel[7] * at.raiseU * scale
            row = baseV + texel[7] * at.raiseV * scale
            column = column > 0 ? (column < lastColumn ? column : lastColumn) : 0
            row = row > 0 ? (row < lastRow ? row : lastRow) : 0
            texel = Self.sample(texels, stride, column, row)
            refinement -= 1
          }
          let coverage = texel[3]
          guard coverage > 0.002 else { continue }
          let keyShare = texel[4] * key.x + texel[5] * key.y + texel[6] * key.z + 0.25
          let fillShare = texel[4] * fill.x + texel[5] * fill.y + texel[6] * fill.z
          let light = 102 + 126.5 * (keyShare > 0 ? keyShare : 0) + 40.8 * (fillShare > 0 ? fillShare : 0)
          var paint = texel.lowHalf * light
          paint = paint.replacing(with: 255, where: paint .> 255)
          paint.w = 1
          let i = y * width + x
          layers[i] += (paint - layers[i]) * coverage
          if coverage >= 0.5 {
            distances[i] = depth.w + depth.x * column + depth.y * row + depth.z * texel[7]
          }
        }
      }
    }
  }

  private static func local(_ direction: Vector3, _ place: PartPlacement) -> Vector3 {
    Vector3(direction.dot(place.across), direction.dot(place.along), direction.dot(place.outward))
  }

  /// Bilinear interpolation. The caller keeps the position inside the map.
  @inline(__always)
  private static func sample(
    _ texels: UnsafePointer<SIMD8<Float>>, _ stride: Int, _ column: Float, _ row: Float
  ) -> SIMD8<Float> {
    let x = Int32(column)
    let y = Int32(row)
    let tx = column - Float(x)
    let ty = row - Float(y)
    let first = texels + (Int(y) &* stride &+ Int(x))
    let second = first + stride
    let upper = first[0] + (first[1] - first[0]) * tx
    let lower = second[0] + (second[1] - second[0]) * tx
    return upper + (lower - upper) * ty
  }
}

/// Maps pixels to a part's texels.
///
/// A ray r meets the relief at u = (V×C)·r / (U×V)·r and v = (C×U)·r / (U×V)·r, with C the plane's
/// origin raised by the height: Cramer's rule on u U + v V + C = s r. Numerators and denominator
/// are linear in the pixel's column, so each takes two numbers per row.
private struct PartProjection {
  /// Numerators (in texels), their increase per metre of height, and the denominator (> 0).
  struct Terms {
    var u: Float
    var v: Float
    var raiseU: Float
    var raiseV: Float
    var w: Float
  }

  struct Row {
    var start: Terms
    var step: Terms

    @inline(__always) func plus(_ x: Float) -> Terms {
      Terms(
        u: start.u + step.u * x, v: start.v + step.v * x, raiseU: start.raiseU + step.raiseU * x,
        raiseV: start.raiseV + step.raiseV * x, w: start.w + step.w * x)
    }

    /// The pixels whose plane coordinates can lie in 0..<columns and 0..<rows, give or take one.
    func span(_ low: Int, _ high: Int, columns: Float, rows: Float) -> Range<Int> {
      var first = Float(low)
      var last = Float(high)
      let edges: [(Float, Float)] = [
        (start.u, step.u), (start.v, step.v), (columns * start.w - start.u, columns * step.w - step.u),
        (rows * start.w - start.v, rows * step.w - step.v),
      ]
      // At each edge, a linear function of the column changes its sign.
      for (value, slope) in edges {
        if slope.magnitude < 1e-9 {
          if value < 0 { return low..<low }
        } else if slope > 0 {
          first = max(first, -value / slope - 1)
        } else {
          last = min(last, -value / slope + 2)
        }
      }
      guard first < last else { return low..<low }
      let begin = Int(first)
      return begin..<max(begin, Int(last))
    }
  }

  private let u: Vector3
  private let v: Vector3
  private let raiseU: Vector3
  private let raiseV: Vector3
  private let w: Vector3
  private let lens: Pinhole

  init(_ map: ReliefMap, _ place: PartPlacement, _ lens: Pinhole) {
    let normal = place.across.cross(place.along)
    // Negated if the axes are mirrored, so that the denominator is positive.
    let sign: Float = normal.dot(place.origin) < 0 ? -1 : 1
    w = normal * sign
    u = (place.along.cross(place.origin) * sign - w * map.bounds.minU) * map.density
    v = (place.origin.cross(place.across) * sign - w * map.bounds.minV) * map.density
    raiseU = place.along.cross(place.outward) * (sign * map.density)
    raiseV = place.outward.cross(place.across) * (sign * map.density)
    self.lens = lens
  }

  func row(_ y: Int) -> Row {
    let ray = lens.ray(0.5, Float(y) + 0.5)
    let inverse = 1 / lens.focalX
    return Row(
      start: Terms(
        u: u.dot(ray), v: v.dot(ray), raiseU: raiseU.dot(ray), raiseV: raiseV.dot(ray), w: w.dot(ray)),
      step: Terms(
        u: u.x * inverse, v: v.x * inverse, raiseU: raiseU.x * inverse, raiseV: raiseV.x * inverse,
        w: w.x * inverse))
  }
}
