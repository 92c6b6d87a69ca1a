/// A body part as an image with depth: colour, coverage, height and normal at every place of a
/// plane. Painted once, and drawn in every frame wherever the pose puts the plane.
struct ReliefMap: Sendable {
  struct Sample {
    /// Under even light, 0 to 1. Also defined outside the part, so that filtered edges stay light.
    var color: Vector3
    var coverage: Float
    /// Metres above the plane, towards the viewer.
    var height: Float
  }

  /// Metres on the plane.
  struct Bounds {
    var minU: Float
    var maxU: Float
    var minV: Float
    var maxV: Float
  }

  let bounds: Bounds
  /// Texels per metre.
  let density: Float
  let width: Int
  let height: Int
  let peak: Float
  /// Per texel: red, green, blue, coverage, normal u, v, n, height. Row by row from the top.
  let texels: [SIMD8<Float>]

  /// Paints the part at every (u, v), `texel` metres apart, with u to the right and v down. Then
  /// `retouch` draws strokes over the result.
  init(
    _ bounds: Bounds, texel: Float, paint: (_ u: Float, _ v: Float) -> Sample,
    retouch: (inout Canvas) -> Void = { _ in }
  ) {
    let width = max(4, Int((bounds.maxU - bounds.minU) / texel) + 1)
    let height = max(4, Int((bounds.maxV - bounds.minV) / texel) + 1)
    var samples: [Sample] = []
    samples.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        samples.append(paint(bounds.minU + Float(column) * texel, bounds.minV + Float(row) * texel))
      }
    }
    var canvas = Canvas(bounds: bounds, texel: texel, width: width, height: height, samples: samples)
    retouch(&canvas)
    samples = canvas.samples

    var texels: [SIMD8<Float>] = []
    texels.reserveCapacity(width * height)
    var peak: Float = 0
    for row in 0..<height {
      for column in 0..<width {
        let sample = samples[row * width + column]
        peak = max(peak, sample.height)
        let left = samples[row * width + max(column - 1, 0)].height
        let right = samples[row * width + min(column + 1, width - 1)].height
        let above = samples[max(row - 1, 0) * width + column].height
        let below = samples[min(row + 1, height - 1) * width + column].height
        // Limits the slope of steps to 3 : 1, where shading is already that of an edge.
        let slopeU = ((right - left) / (2 * texel)).clamped(-3, 3)
        let slopeV = ((below - above) / (2 * texel)).clamped(-3, 3)
        let normal = Vector3(-slopeU, -slopeV, 1).normalized
        texels.append(
          SIMD8(
            sample.color.x, sample.color.y, sample.color.z, sample.coverage, normal.x, normal.y, normal.z,
            sample.height))
      }
    }
    self.bounds = bounds
    self.width = width
    self.height = height
    self.peak = peak
    self.texels = texels
    density = 1 / texel
  }

  struct Canvas {
    let bounds: Bounds
    let texel: Float
    let width: Int
    let height: Int
    var samples: [Sample]

    /// Draws a soft dot over existing samples, raising them to at least `height`.
    mutating func stamp(
      _ u: Float, _ v: Float, radius: Float, opacity: Float, color: Vector3, height relief: Float
    ) {
      // A dot thinner than a texel is drawn at a texel's size with less opacity.
      let r = max(radius, texel * 0.75)
      let share = opacity * min(1, radius / r)
      let x = (u - bounds.minU) / texel
      let y = (v - bounds.minV) / texel
      let reach = r / texel
      let firstRow = max(Int((y - reach).rounded(.up)), 0)
      let lastRow = min(Int((y + reach).rounded(.down)), height - 1)
      let firstColumn = max(Int((x - reach).rounded(.up)), 0)
      let lastColumn = min(Int((x + reach).rounded(.down)), width - 1)
      guard firstRow <= lastRow, firstColumn <= lastColumn else { return }
      for row in firstRow...lastRow {
        for column in firstColumn...lastColumn {
          let weight = Shape.spot(Float(column) - x, Float(row) - y, reach, reach) * share
          let i = row * width + column
          guard weight > 0 else { continue }
          let before = samples[i].coverage
          let after = before + (1 - before) * weight
          samples[i].color = samples[i].color.mixed(with: color, weight / after)
          samples[i].coverage = after
          if weight > 0.1 { samples[i].height = max(samples[i].height, relief) }
        }
      }
    }
  }
}
