/// A frame rendered with one setting, for a report.
package struct ReportPicture: Hashable, Sendable {
  package enum Role: String, CaseIterable, Hashable, Sendable {
    case best
    case worst
    /// The preset with the fixed parameters, without any swept value.
    case current
  }

  package var role: Role
  package var setting: Int
  package var recording: Int
  package var frame: Int
  /// PNG files, at most 480 pixels wide.
  package var composite: [UInt8]
  package var matte: [UInt8]

  package init(role: Role, setting: Int, recording: Int, frame: Int, composite: [UInt8], matte: [UInt8]) {
    (self.role, self.setting, self.recording, self.frame) = (role, setting, recording, frame)
    (self.composite, self.matte) = (composite, matte)
  }

  func isOfSame(_ other: ReportPicture) -> Bool {
    (setting, recording, frame) == (other.setting, other.recording, other.frame)
  }
}
