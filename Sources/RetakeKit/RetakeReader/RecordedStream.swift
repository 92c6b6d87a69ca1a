package import FrameModel

/// One stream of a recording: what a camera's colour or depth sensor delivered.
public struct RecordedStream: Hashable, Sendable, Identifiable {
  /// Later versions may add kinds, so a `switch` needs a default.
  public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    public static let color = Kind(rawValue: "color")
    public static let depth = Kind(rawValue: "depth")
    public static let infrared = Kind(rawValue: "infrared")
    /// The person's exact alpha: 0 background, 255 person. Only simulated cameras know it.
    public static let alpha = Kind(rawValue: "alpha")
    /// Accelerometer and tilt.
    public static let motion = Kind(rawValue: "motion")
  }

  /// A fact of the device that affects the pixels, such as exposure or calibration.
  public struct Setting: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// Frames per second as a fraction, such as 30000/1001.
  public struct Rate: Hashable, Sendable, CustomStringConvertible {
    /// 1 to 10⁹ each.
    public let numerator: Int
    public let denominator: Int

    public init(_ numerator: Int, _ denominator: Int = 1) {
      (self.numerator, self.denominator) = (numerator, denominator)
    }

    public var framesPerSecond: Double { Double(numerator) / Double(denominator) }
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
  }

  /// Index in the recording's `streams`.
  public let id: Int
  /// Unique in a recording: "color", "depth", "color-1".
  public let name: String
  public let kind: Kind
  public let format: PixelFormat
  /// Pixels.
  public let width: Int
  public let height: Int
  /// As the camera was asked for; `Recording.summary` has what was measured.
  public let rate: Rate
  /// Driver and device, such as "simulated" or "v4l2:DRIVER:CARD:BUS".
  public let device: String
  /// What the driver told, in its order, calibration included.
  public let settings: [Setting]

  /// The value of a setting, such as "focal-x"; nil without it.
  public func setting(_ name: String) -> String? { settings.first { $0.name == name }?.value }

  package init(_ description: StreamDescription, id: Int) {
    self.id = id
    name = description.name
    kind = Kind(rawValue: description.kind.rawValue)
    format = PixelFormat(rawValue: description.layout.format.rawValue)
    (width, height) = (description.layout.width, description.layout.height)
    rate = Rate(description.rate.numerator, description.rate.denominator)
    device = description.device
    settings = description.settings.map { Setting($0.name, $0.value) }
  }
}
