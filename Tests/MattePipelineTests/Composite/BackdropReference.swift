import Foundation
import FrameModel

/// truedepth-backdrop in double precision, from the formula (seed system A.4 to A.6) and nothing of the package:
/// 0 < d ≤ cut-off, replicated edges, Gaussian, power, crop, bicubic × (video width / depth width), blend.
struct BackdropReference {
  var sigma = 5.0
  var power = 0.5

  /// Out to 8 σ, where 10⁻¹⁵ of the weight is left.
  private func gaussian(_ image: [Double], width: Int, height: Int) -> [Double] {
    guard sigma > 0 else { return image }
    let radius = Int((8 * sigma).rounded(.up))
    var taps = (-radius...radius).map { Foundation.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = taps.reduce(0, +)
    taps = taps.map { $0 / sum }
    var along = image
    var result = image
    for y in 0..<height {
      for x in 0..<width {
        var value = 0.0
        for k in -radius...radius {
          value += taps[k + radius] * image[y * width + min(max(x + k, 0), width - 1)]
        }
        along[y * width + x] = value
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        var value = 0.0
        for k in -radius...radius {
          value += taps[k + radius] * along[min(max(y + k, 0), height - 1) * width + x]
        }
        result[y * width + x] = value
      }
    }
    return result
  }

  /// Mitchell–Netravali with B = 0, C = 0.75, written as Keys' kernel with a = −0.75.
  private func cubic(_ x: Double) -> Double {
    let (t, a) = (abs(x), -0.75)
    if t >= 2 { return 0 }
    return t < 1 ? (a + 2) * t * t * t - (a + 3) * t * t + 1 : a * (t * t * t - 5 * t * t + 8 * t - 4)
  }

  /// The four samples around a place of a line, edges replicated, and their weights.
  private func taps(at place: Double, length: Int) -> [(index: Int, weight: Double)] {
    (Int(place.rounded(.down)) - 1...Int(place.rounded(.down)) + 2).map { i in
      (min(max(i, 0), length - 1), cubic(place - Double(i)))
    }
  }

  /// 0 ... 1 at the video's size.
  func matte(depth: DepthMap, cutoffMillimeters: UInt16, width: Int, height: Int) -> [Double] {
    let mask = depth.millimeters.map { $0 > 0 && $0 <= cutoffMillimeters ? 1.0 : 0.0 }
    let soft = gaussian(mask, width: depth.width, height: depth.height).map { Foundation.pow($0, power) }
    // The middles of video and depth map coincide; one scale serves both ways.
    let scale = Double(width) / Double(depth.width)
    let columns = (0..<width).map { x in
      taps(
        at: (Double(x) + 0.5 - Double(width) / 2) / scale + Double(depth.width) / 2 - 0.5, length: depth.width
      )
    }
    var result: [Double] = []
    result.reserveCapacity(width * height)
    for y in 0..<height {
      let rows = taps(
        at: (Double(y) + 0.5 - Double(height) / 2) / scale + Double(depth.height) / 2 - 0.5,
        length: depth.height)
      for column in columns {
        var value = 0.0
        for (row, down) in rows {
          for (x, across) in column { value += down * across * soft[row * depth.width + x] }
        }
        result.append(min(max(value, 0), 1))
      }
    }
    return result
  }

  /// 0 ... 255, in the order of RGB bytes.
  func composite(matte: [Double], video: [UInt8], background: [UInt8]) -> [Double] {
    video.indices.map { matte[$0 / 3] * Double(video[$0]) + (1 - matte[$0 / 3]) * Double(background[$0]) }
  }
}

/// Normal distribution's φ⁻¹(0.75): √α = ½ where α = ¼, which a blurred straight edge has that many σ outside.
let contourInSigmas = 0.674489750196082
