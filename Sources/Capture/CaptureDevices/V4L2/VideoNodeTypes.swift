import CV4L2
import FrameModel

/// A four-character format code. The highest bit means big-endian.
package struct FourCC: Hashable, Sendable, CustomStringConvertible {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// - Parameter text: four ASCII characters: "YUYV", "Y16 ".
  package init(_ text: StaticString) {
    rawValue = text.withUTF8Buffer { bytes in
      bytes.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }
  }

  /// As v4l2-ctl prints it: "YUYV", but "Y16-BE" without a space.
  package var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: (rawValue & 0x7fff_ffff) >> (8 * $0)) }
    let text = String(decoding: bytes.map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    let trimmed = String(text.reversed().drop { $0 == " " }.reversed())
    return rawValue >> 31 == 0 ? trimmed : trimmed + "-BE"
  }
}

package struct VideoCapability: Hashable, Sendable {
  package var driver: String
  package var card: String
  package var bus: String
  /// V4L2_CAP_… of this node; of the whole device only if the driver does not report the node's.
  package var flags: UInt32

  package init(driver: String, card: String, bus: String, flags: UInt32) {
    (self.driver, self.card, self.bus, self.flags) = (driver, card, bus, flags)
  }

  package var capturesVideo: Bool {
    flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 && flags & UInt32(V4L2_CAP_VIDEO_M2M) == 0
  }
  package var streams: Bool { flags & UInt32(V4L2_CAP_STREAMING) != 0 }

  /// "Vivid (vivid, platform:vivid-000)".
  package var summary: String { "\(card) (\(driver), \(bus))" }
}

package struct VideoInput: Hashable, Sendable {
  package var index: Int
  package var name: String
  /// Why the input cannot deliver: "no signal". Nil if the driver reports no problem.
  package var problem: String?
  /// Rate of the signal at a digital input; nil elsewhere.
  package var signalRate: FrameRate?

  package init(index: Int, name: String, problem: String? = nil, signalRate: FrameRate? = nil) {
    (self.index, self.name, self.problem, self.signalRate) = (index, name, problem, signalRate)
  }
}

package struct VideoFormatEntry: Hashable, Sendable {
  package var code: FourCC
  package var name: String
  /// Converted by libv4l2 from another format.
  package var isEmulated: Bool

  package init(_ code: FourCC, name: String, isEmulated: Bool = false) {
    (self.code, self.name, self.isEmulated) = (code, name, isEmulated)
  }
}

extension PictureSize {
  /// Longest plausible side, whatever a driver claims.
  static let longestSide = 65_535
  var area: Int { min(width, Self.longestSide) * min(height, Self.longestSide) }
  /// In area.
  func distance(from other: PictureSize) -> Int { Int(clamping: (area - other.area).magnitude) }
  var isPossible: Bool { (1...Self.longestSide).contains(width) && (1...Self.longestSide).contains(height) }
}

package enum VideoSizes: Hashable, Sendable {
  /// Empty if the driver does not say.
  case list([PictureSize])
  case range(from: PictureSize, to: PictureSize, step: PictureSize)

  package func contains(_ size: PictureSize) -> Bool {
    switch self {
    case .list(let sizes): return sizes.isEmpty || sizes.contains(size)
    case .range: return nearest(to: size) == size
    }
  }

  /// Nearest by area in a list (the larger of equals), or per side in a range; nil if unknown.
  package func nearest(to size: PictureSize) -> PictureSize? {
    switch self {
    case .list(let sizes):
      return sizes.min { ($0.distance(from: size), -$0.area) < ($1.distance(from: size), -$1.area) }
    case .range(let from, let to, let step):
      return PictureSize(
        Self.nearest(to: size.width, from: from.width, to: to.width, step: step.width),
        Self.nearest(to: size.height, from: from.height, to: to.height, step: step.height))
    }
  }

  private static func nearest(to side: Int, from: Int, to: Int, step: Int) -> Int {
    guard to > from else { return from }
    let step = max(1, step)
    return from + (max(from, min(to, side)) - from) / step * step
  }
}

package enum VideoRates: Hashable, Sendable {
  /// Empty if the driver does not say.
  case list([FrameRate])
  case range(from: FrameRate, to: FrameRate)

  package func contains(_ rate: FrameRate) -> Bool {
    switch self {
    case .list(let rates): rates.isEmpty || rates.contains { $0.isNearly(rate) }
    case .range(let from, let to):
      // Some drivers list the fastest first.
      rate.framesPerSecond >= min(from.framesPerSecond, to.framesPerSecond) * 0.998
        && rate.framesPerSecond <= max(from.framesPerSecond, to.framesPerSecond) * 1.002
    }
  }

  /// The highest rate up to a limit, or else the lowest; nil if none is known.
  package func best(upTo limit: FrameRate) -> FrameRate? {
    switch self {
    case .list(let rates):
      let sorted = rates.sorted { $0.framesPerSecond < $1.framesPerSecond }
      return sorted.last { $0.framesPerSecond <= limit.framesPerSecond * 1.002 } ?? sorted.first
    case .range(let first, let second):
      let (from, to) = first.framesPerSecond <= second.framesPerSecond ? (first, second) : (second, first)
      if limit.framesPerSecond < from.framesPerSecond { return from }
      return limit.framesPerSecond > to.framesPerSecond ? to : limit
    }
  }
}

extension FrameRate {
  /// Drivers round intervals to 100 ns and more, and 30 and 30000/1001 are the same request.
  package func isNearly(_ other: FrameRate) -> Bool {
    (framesPerSecond - other.framesPerSecond).magnitude <= 0.002 * other.framesPerSecond
  }
}

/// A format as a driver set it.
package struct VideoFormat: Hashable, Sendable {
  package var code: FourCC
  package var size: PictureSize
  /// Row stride; 0 for compressed formats.
  package var bytesPerRow: Int
  /// Largest size of a frame.
  package var byteCount: Int
  /// V4L2_FIELD_…
  package var field: UInt32
  /// V4L2_COLORSPACE_…, V4L2_YCBCR_ENC_…, V4L2_QUANTIZATION_…, V4L2_XFER_FUNC_…; 0: default.
  package var colorspace: UInt32 = 0
  package var encoding: UInt32 = 0
  package var quantization: UInt32 = 0
  package var transfer: UInt32 = 0

  package init(_ code: FourCC, _ size: PictureSize, bytesPerRow: Int, byteCount: Int, field: UInt32 = 1) {
    (self.code, self.size, self.bytesPerRow, self.byteCount, self.field) = (code, size, bytesPerRow, byteCount, field)
  }
}

package struct VideoBufferState: Hashable, Sendable {
  package var index: Int
  package var byteCount: Int
  /// V4L2_BUF_FLAG_…
  package var flags: UInt32
  package var sequence: UInt32
  /// Unsigned 64-bit nanoseconds as the kernel counts them, in steps of 1000.
  package var nanoseconds: UInt64

  package init(index: Int, byteCount: Int, flags: UInt32, sequence: UInt32, nanoseconds: UInt64) {
    (self.index, self.byteCount, self.flags, self.sequence, self.nanoseconds) = (
      index, byteCount, flags, sequence, nanoseconds
    )
  }

  package var isDamaged: Bool { flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 }

  /// Microseconds, even if zero or in the future; nil if the driver declares them meaningless.
  package var tick: UInt64? {
    let type = flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    return type == UInt32(V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN) ? nil : nanoseconds / 1000
  }

  /// The clock that frames are timestamped with.
  package var timestampType: String {
    switch flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) {
    case UInt32(V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN): "unknown"
    case UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC): "monotonic"
    case UInt32(V4L2_BUF_FLAG_TIMESTAMP_COPY): "copy"
    default: "other"
    }
  }

  /// The moment of capture at which a frame is timestamped.
  package var timestampSource: String {
    switch flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) {
    case UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_EOF): "end-of-frame"
    case UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE): "start-of-exposure"
    default: "other"
    }
  }
}
