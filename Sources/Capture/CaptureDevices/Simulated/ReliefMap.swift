/// A part of the body as a picture with depth: for every place on a plane its colour, coverage, height above the
/// plane and normal. Painted once; drawn in every frame from wherever the pose puts the plane.
struct ReliefMap: Sendable {
  /// What a painter says of one place.
  struct Sample {
    /// Under even light, 0 to 1. Also defined beside the part, so that edges do not darken when filtered.
    var color: Vector3
    /// 0 to 1.
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
  /// The largest height, in metres.
  let peak: Float
  /// Per texel: red, green, blue, coverage, normal u, v, n, height. Row by row from the top.
  let texels: [SIMD8<Float>]

  /// - Parameters:
  ///   - texel: the side of a texel in metres.
  ///   - paint: the part at (u, v), u to the right and v down, in metres.
  ///   - retouch: changes the finished samples, for what is drawn in strokes and not place by place.
  init(
    _ bounds: Bounds, texel: Float, paint: (_ u: Float, _ v: Float) -> Sample,
    retouch: (inout Canvas) -> Void = { _ in }
  ) {
    let width = Swift.max(4, Int((bounds.maxU - bounds.minU) / texel) + 1)
    let height = Swift.max(4, Int((bounds.maxV - bounds.minV) / texel) + 1)
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
        peak = Swift.max(peak, sample.height)
        let left = samples[row * width + Swift.max(column - 1, 0)].height
        let right = samples[row * width + Swift.min(column + 1, width - 1)].height
        let above = samples[Swift.max(row - 1, 0) * width + column].height
        let below = samples[Swift.min(row + 1, height - 1) * width + column].height
        // A cliff's slope has no end; 3 : 1 is where its light has faded to an edge's.
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

  /// Samples that can still be changed.
  struct Canvas {
    let bounds: Bounds
    let texel: Float
    let width: Int
    let height: Int
    var samples: [Sample]

    /// Draws a soft dot over what is there, no lower than `height`.
    mutating func stamp(
      _ u: Float, _ v: Float, radius: Float, opacity: Float, color: Vector3, height relief: Float
    ) {
      // Thinner than a texel it keeps a texel's size and gives of its opacity.
      let r = Swift.max(radius, texel * 0.75)
      let share = opacity * Swift.min(1, radius / r)
      let x = (u - bounds.minU) / texel
      let y = (v - bounds.minV) / texel
      let reach = r / texel
      let firstRow = Swift.max(Int((y - reach).rounded(.up)), 0)
      let lastRow = Swift.min(Int((y + reach).rounded(.down)), height - 1)
      let firstColumn = Swift.max(Int((x - reach).rounded(.up)), 0)
      let lastColumn = Swift.min(Int((x + reach).rounded(.down)), width - 1)
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
          if weight > 0.1 { samples[i].height = Swift.max(samples[i].height, relief) }
        }
      }
    }
  }
}
