import Parameters
import Support

/// Parameter assignments on top of a preset that feed a recording to the pipeline as a particular
/// device would.
package struct DeviceProfile: Hashable, Sendable {
  package let name: String
  package let help: String
  /// Assignments of `ReplayParameters` and of the depth filters that the device applies itself.
  package let assignments: [String]

  package static let all = [
    DeviceProfile(
      name: "iphone-7-plus",
      help: "stereo depth: 320 pixels wide, 24 depth frames per 30 video frames, smoothed, holes filled",
      assignments: ["depth.rate=4/5", "depth.width=320"] + filtered),
    DeviceProfile(
      name: "iphone-x", help: "TrueDepth camera: 640 pixels wide, depth with every video frame, smoothed, holes filled",
      assignments: ["depth.rate=1/1", "depth.width=640"] + filtered),
    DeviceProfile(
      name: "kinect-v1", help: "640 pixels wide, depth with every video frame, holes not filled, sensor noise added",
      assignments: ["depth.rate=1/1", "depth.width=640", "fault.depth-noise=1"]),
    DeviceProfile(
      name: "thermal-throttle",
      help: "from throttle.from on (default frame 30), half of all frames: 30 frames per second become 15",
      assignments: ["throttle.from=30", "throttle.rate=1/2"]),
  ]

  /// Depth filtering that these phones apply if an app enables it.
  private static let filtered = ["depth.temporal=smooth", "depth.holes=farthest"]

  /// - Throws: `.usage` naming the nearest profile.
  package static func named(_ name: String) throws(RetakeError) -> DeviceProfile {
    if let profile = all.first(where: { $0.name == name }) { return profile }
    let names = all.map(\.name)
    throw RetakeError(
      .usage, "There is no profile '\(name)'.",
      hint: "\(Spelling.guess(name, in: names))There are: \(names.joined(separator: ", "))")
  }

  package func apply(to parameters: inout ParameterSet) throws(RetakeError) {
    for assignment in assignments { try parameters.set(assignment) }
  }
}
