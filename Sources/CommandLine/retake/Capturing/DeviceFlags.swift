import ArgumentParser
import CaptureDevices
import Support

/// Device options as flags. Each applies to every device that takes it and does not set it itself.
struct DeviceFlags: ParsableArguments {
  @Option(help: "Pixel format of cameras whose device name does not set one: YUYV, MJPG, Y16, …") var format: String?
  @Option(help: "Picture size of these cameras, such as 640x480.") var size: String?
  @Option(help: "Frames per second of these cameras, such as 30 or 30000/1001.") var fps: String?
  @Option(help: "A control to set, as NAME=VALUE: exposure_auto=1. Repeat it for several.") var control: [String] = []

  var isEmpty: Bool { (format ?? size ?? fps) == nil && control.isEmpty }

  mutating func validate() throws {
    for text in control {
      let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
        throw ValidationError("--control takes NAME=VALUE, not '\(text)'.")
      }
      if ["format", "size", "fps"].contains(words[0]) {
        throw ValidationError("'\(words[0])' is not a control; give --\(words[0]) \(words[1]).")
      }
    }
    let names = control.map { $0.prefix { $0 != "=" } }
    if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      throw ValidationError("--control gives '\(names[twice])' twice.")
    }
  }

  static func noDevice(of verb: String) -> RetakeError {
    RetakeError(
      .usage, "Name a camera with --device; 'retake devices' lists them.", hint: "'retake \(verb) --help' explains it")
  }

  /// The devices with the flags applied. A flag that no device takes goes to all, which report it.
  func specifications(_ texts: [String]) throws(RetakeError) -> [DeviceSpecification] {
    var specifications = try texts.map { text throws(RetakeError) in try DeviceSpecification(text) }
    for option in options {
      let takers = specifications.indices.filter {
        DeviceCatalog.takes(option.name, kind: specifications[$0].kind)
      }
      for position in takers.isEmpty ? Array(specifications.indices) : takers {
        specifications[position] = try specifications[position].adding([option])
      }
    }
    return specifications
  }

  private var options: [(name: String, value: String)] {
    var options: [(name: String, value: String)] = []
    if let format { options.append(("format", format)) }
    if let size { options.append(("size", size)) }
    if let fps { options.append(("fps", fps)) }
    for text in control {
      let name = text.prefix { $0 != "=" }
      options.append((String(name), String(text.dropFirst(name.count + 1))))
    }
    return options
  }
}

extension SupervisionOptions.Policy: ExpressibleByArgument {}
