import MattePipeline
import Networks
import Support

/// Converts a network's floats, of any value including NaN, to 8 bits per pixel.
package struct NetworkAnswer: Hashable {
  let width: Int
  let height: Int
  let channels: Int
  /// Whether the channels of a pixel are adjacent (NHWC).
  let isInterleaved: Bool
  let kind: NetworkSettings.Kind
  private let channel: Int
  private let activation: NetworkSettings.Activation
  private let shape: [Int]

  /// Smaller outputs come from networks that classify the picture as a whole.
  private static let sides = 8...4096
  private static let mostLabels = 256

  /// - Parameters:
  ///   - shape: of the network's output, outermost side first.
  ///   - layout: of its input; the output has the same.
  /// - Throws: `.unsupported` for an output that is not a mask; `.usage` for a channel it lacks.
  package init(
    shape: [Int], _ settings: NetworkSettings, layout: NetworkSettings.Layout, tensor: ONNXFile.Tensor, path: String
  ) throws(RetakeError) {
    self.shape = shape
    isInterleaved = layout == .nhwc && shape.count == 4
    switch shape.count {
    case 2: (channels, height, width) = (1, shape[0], shape[1])
    case 3 where shape[0] == 1: (channels, height, width) = (1, shape[1], shape[2])
    case 4 where shape[0] == 1 && isInterleaved: (channels, height, width) = (shape[3], shape[1], shape[2])
    case 4 where shape[0] == 1: (channels, height, width) = (shape[1], shape[2], shape[3])
    default: throw Self.wrongShape(shape, path)
    }
    guard Self.sides.contains(width), Self.sides.contains(height), (1...Self.mostLabels).contains(channels) else {
      throw Self.wrongShape(shape, path)
    }
    kind = settings.kind ?? (channels > 1 && settings.channel == nil ? .scores : tensor.isIntegral ? .labels : .matte)
    activation = settings.activation
    channel = settings.channel ?? channels - 1
    guard channel < channels else {
      throw RetakeError(
        .usage, "\(path) outputs \(Self.text(shape)), which has no channel \(channel).",
        hint: "output.channel counts from 0 to \(channels - 1)")
    }
    guard channels == 1 ? kind != .scores : kind != .labels else {
      throw RetakeError(
        .unsupported,
        "\(path) outputs \(Self.text(shape)), which cannot be \(kind.rawValue): "
          + (channels == 1 ? "scores have one channel per label." : "labels have a single channel."),
        hint: "set output.kind in \(NetworkSettings.path(besides: path)) to what the network outputs")
    }
  }

  private static func wrongShape(_ shape: [Int], _ path: String) -> RetakeError {
    RetakeError(
      .unsupported, "\(path) outputs \(text(shape)) numbers, which is not a mask.",
      hint:
        "expected 1xLABELSxHEIGHTxWIDTH scores, 1xHEIGHTxWIDTH labels or a 1x1xHEIGHTxWIDTH matte, with sides "
        + "of \(sides.lowerBound) to \(sides.upperBound) pixels; output.name selects one of several outputs"
    )
  }

  private static func text(_ shape: [Int]) -> String { shape.map { "\($0)" }.joined(separator: "x") }

  var answer: SegmentationAnswer { kind == .matte ? .matte : .labels }

  func isShape(_ shape: [Int]) -> Bool { shape == self.shape }

  package func read(_ values: UnsafePointer<Float>, into target: UnsafeMutablePointer<UInt8>) {
    switch kind {
    case .scores: readScores(values, into: target)
    case .labels: for i in 0..<width * height { target[i] = Self.label(values[i]) }
    case .matte: readMatte(values, into: target)
    }
  }

  private var strides: (pixel: Int, channel: Int) { isInterleaved ? (channels, 1) : (1, width * height) }

  /// The first label with the largest score. NaN is never the largest.
  private func readScores(_ values: UnsafePointer<Float>, into target: UnsafeMutablePointer<UInt8>) {
    let (pixel, channel) = strides
    for i in 0..<width * height {
      var best = -Float.infinity
      var label: UInt8 = 0
      for c in 0..<channels {
        let value = values[i * pixel + c * channel]
        if value > best { (best, label) = (value, UInt8(c)) }
      }
      target[i] = label
    }
  }

  private func readMatte(_ values: UnsafePointer<Float>, into target: UnsafeMutablePointer<UInt8>) {
    let (pixel, stride) = strides
    for i in 0..<width * height {
      let value = values[i * pixel + channel * stride]
      switch activation {
      case .none: target[i] = Self.quantised(value)
      case .sigmoid: target[i] = Self.quantised(Float(1 / (1 + PortableMath.exp(Self.exponent(-Double(value))))))
      case .softmax:
        // e^a / Σ e^b = 1 / Σ e^(b − a)
        var sum = 0.0
        for c in 0..<channels {
          sum += PortableMath.exp(Self.exponent(Double(values[i * pixel + c * stride]) - Double(value)))
        }
        target[i] = Self.quantised(Float(1 / sum))
      }
    }
  }

  /// Beyond these limits the result is 0 or 255 anyway; NaN stays NaN.
  private static func exponent(_ value: Double) -> Double { value.isNaN ? value : min(max(value, -60), 60) }

  /// Maps 0 ... 1 to 0 ... 255, rounded to nearest, halves upward; NaN becomes 0.
  package static func quantised(_ value: Float) -> UInt8 {
    guard !value.isNaN else { return 0 }
    return UInt8((min(max(value, 0), 1) * 255).rounded(.toNearestOrAwayFromZero))
  }

  /// Clamped to 0 ... 255 and rounded to nearest; NaN becomes 0.
  package static func label(_ value: Float) -> UInt8 {
    guard !value.isNaN else { return 0 }
    return UInt8(min(max(value, 0), 255).rounded(.toNearestOrAwayFromZero))
  }
}
