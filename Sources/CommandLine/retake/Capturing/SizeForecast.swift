import FrameModel
import RecordingStore

/// Predicts a recording's data rate from stream sizes, rates and usual compression ratios.
struct SizeForecast {
  let bytesPerSecond: Double

  init(_ streams: [StreamDescription]) {
    bytesPerSecond = streams.reduce(0) { sum, stream in
      let raw = Double(stream.layout.packed.byteCount) * stream.rate.framesPerSecond
      return sum + raw / Self.usualRatio(stream)
    }
  }

  /// Raw bytes per stored byte, for ordinary rooms and cameras. Tools/bench measures it.
  private static func usualRatio(_ stream: StreamDescription) -> Double {
    switch stream.layout.format {
    case _ where stream.kind == .alpha: 30
    case .rgb24: 2.2
    case .yuyv, .nv12: 2.5
    case .grey8, .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8: 1.9
    // `byteCount` of JPEG is an upper limit, about twenty times what cameras send.
    case .jpeg: 20
    case .grey16, .depthMillimeters16, .kinectRaw11, .disparityFloat32: 12
    case .motion: 1
    }
  }

  /// - Parameter ring: of a recording that goes on for ever; the disk counts only where it has no room for the ring.
  func sentence(freeByteCount: Int?, ring: RingOptions? = nil) -> String {
    let rate =
      "About \(Format.bytes(Int(bytesPerSecond))) a second, \(Format.bytes(Int(bytesPerSecond * 3600))) an hour"
    if let ring, let byteCount = byteCount(of: ring), fits(ring, freeByteCount) {
      let span = ring.nanoseconds.map { Double($0) / 1e9 } ?? Double(byteCount) / max(bytesPerSecond, 1)
      return "\(rate); the ring keeps the last \(Self.duration(span)) of it, \(ring.byteCount == nil ? "about " : "")"
        + "\(Format.bytes(byteCount))."
    }
    guard let freeByteCount, bytesPerSecond > 0 else { return rate + "." }
    return "\(rate); the disk has room for \(Self.duration(Double(freeByteCount) / bytesPerSecond))."
  }

  func sentence(nearMarks window: MarkWindowOptions) -> String {
    let span = Double(window.prerollNanoseconds + window.postrollNanoseconds) / 1e9
    return "Nothing is written before a mark, which keeps \(Self.duration(span)): about "
      + "\(Format.bytes(Int(bytesPerSecond * span)))."
  }

  /// Bytes that a ring takes, marks aside; nil if unknown.
  private func byteCount(of ring: RingOptions) -> Int? {
    ring.byteCount ?? ring.nanoseconds.map { Int(min(bytesPerSecond * Double($0) / 1e9, 1e18)) }
  }

  /// Whether a ring's own size ends before the disk does.
  func fits(_ ring: RingOptions, _ freeByteCount: Int?) -> Bool {
    guard let byteCount = byteCount(of: ring) else { return false }
    return byteCount < freeByteCount ?? 0
  }

  /// A warning for a ring that a single mark would fill by more than half; nil if there is room.
  func sentence(of ring: RingOptions) -> String? {
    guard let byteCount = ring.byteCount, bytesPerSecond > 0 else { return nil }
    let held = Double(byteCount) / bytesPerSecond
    let kept = Double(ring.prerollNanoseconds + ring.postrollNanoseconds) / 1e9
    guard kept > held / 2 else { return nil }
    return
      "The ring holds about \(Self.duration(held)), and each mark keeps \(Self.duration(kept)) of it: the recording "
      + "ends when marks fill it. Give a larger --ring, or less --preroll and --postroll."
  }

  static func duration(_ seconds: Double) -> String {
    switch seconds {
    case ..<120: "\(Int(seconds)) s"
    case ..<7200: "\(Int(seconds / 60)) minutes"
    case ..<172_800: "\(Int(seconds / 3600)) hours"
    default: "\(Int(min(seconds / 86_400, 1e6))) days"
    }
  }
}
