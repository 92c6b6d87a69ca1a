import CV4L2

package struct VideoControl: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case integer, boolean, menu, bitmask, button
    case integerMenu = "integer-menu"
  }
  package struct MenuItem: Hashable, Sendable {
    package var value: Int64
    package var name: String
    package init(_ value: Int64, _ name: String) {
      self.value = value
      self.name = name
    }
  }

  package var id: UInt32
  /// As the driver writes it: "Exposure, Auto".
  package var title: String
  package var kind: Kind
  package var minimum: Int64
  package var maximum: Int64
  package var step: UInt64 = 1
  package var defaultValue: Int64 = 0
  package var isWide = false
  /// V4L2_CTRL_FLAG_…
  package var flags: UInt32 = 0
  package var menu: [MenuItem] = []

  package init(
    id: UInt32, title: String, kind: Kind, minimum: Int64, maximum: Int64, step: UInt64 = 1, defaultValue: Int64 = 0,
    isWide: Bool = false, flags: UInt32 = 0, menu: [MenuItem] = []
  ) {
    (
      self.id, self.title, self.kind, self.minimum, self.maximum, self.step, self.defaultValue, self.isWide, self.flags,
      self.menu
    ) = (id, title, kind, minimum, maximum, step, defaultValue, isWide, flags, menu)
  }

  /// As on the command line, formed like v4l2-ctl's names: "exposure_auto".
  package var name: String { Self.name(of: title) }

  /// Lower-case letters and digits, with one underscore for anything between them.
  package static func name(of title: String) -> String {
    title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "_")
  }

  package func has(_ flag: Int32) -> Bool { flags & UInt32(bitPattern: flag) != 0 }

  package var isWritable: Bool {
    !has(Int32(V4L2_CTRL_FLAG_DISABLED)) && !has(Int32(V4L2_CTRL_FLAG_READ_ONLY))
  }
  /// Whether another control, such as an automatic mode, has taken it over, or a stream forbids changing it.
  package var isLocked: Bool { has(Int32(V4L2_CTRL_FLAG_INACTIVE)) || has(Int32(V4L2_CTRL_FLAG_GRABBED)) }
  package var isReadable: Bool {
    kind != .button && !has(Int32(V4L2_CTRL_FLAG_DISABLED)) && !has(Int32(V4L2_CTRL_FLAG_WRITE_ONLY))
  }

  /// Kernel 5.16 renamed some controls; both names are accepted.
  private static let otherNames: [UInt32: [String]] = [
    UInt32(V4L2_CID_EXPOSURE_AUTO): ["exposure_auto", "auto_exposure"],
    UInt32(V4L2_CID_EXPOSURE_ABSOLUTE): ["exposure_absolute", "exposure_time_absolute"],
    UInt32(V4L2_CID_EXPOSURE_AUTO_PRIORITY): ["exposure_auto_priority", "exposure_dynamic_framerate"],
    UInt32(V4L2_CID_AUTO_WHITE_BALANCE): ["white_balance_temperature_auto", "white_balance_automatic"],
    UInt32(V4L2_CID_FOCUS_AUTO): ["focus_auto", "focus_automatic_continuous"],
  ]

  package func isCalled(_ text: String) -> Bool {
    name == text || Self.otherNames[id]?.contains(text) == true
  }

  /// Accepted values, for messages: "0 to 255", "0 (Disabled), 1 (50 Hz)".
  package var values: String {
    switch kind {
    case .boolean: "0 or 1"
    case .button: "1, to press it"
    case .menu, .integerMenu: menu.map { "\($0.value) (\($0.name))" }.joined(separator: ", ")
    case .bitmask: "0 to 0x\(String(UInt64(bitPattern: maximum), radix: 16))"
    case .integer: "\(minimum) to \(maximum)" + (step > 1 ? " in steps of \(step)" : "")
    }
  }

  /// Parses a value; nil if the control does not accept it.
  package func value(_ text: String) -> Int64? {
    switch kind {
    case .boolean: return ["0": 0, "off": 0, "false": 0, "1": 1, "on": 1, "true": 1][text.lowercased()]
    case .button: return text == "1" ? 1 : nil
    case .menu, .integerMenu:
      if let number = Int64(text), menu.contains(where: { $0.value == number }) { return number }
      return menu.first { Self.name(of: $0.name) == Self.name(of: text) }?.value
    case .bitmask:
      let isHex = text.lowercased().hasPrefix("0x")
      guard let bits = isHex ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text) else { return nil }
      return bits & ~UInt64(bitPattern: maximum) == 0 ? Int64(bitPattern: bits) : nil
    case .integer:
      guard let number = Int64(text), number >= minimum, number <= maximum else { return nil }
      return number.subtractingReportingOverflow(minimum).partialValue.magnitude % max(1, step) == 0 ? number : nil
    }
  }
}
