import FrameModel
import Parameters
import Support

/// Options of a camera through OpenNI 2: `openni2[:index or URI][?video=…&depth=…&size=…&fps=…]`.
package struct OpenNI2Options: Sendable {
  package enum Video: String, ParameterChoice {
    case color, infrared, none
  }

  package enum Depth: String, ParameterChoice {
    case on, registered, none
  }

  /// An index, or the library's name of a device, such as "1d27/0609@1/6" or "Dummy".
  package let place: String
  package let video: Video
  package let depth: Depth
  package let size: PictureSize?
  package let rate: Int?

  package static let parameters = OpenNI2Parameters()

  package init(_ specification: DeviceSpecification) throws(RetakeError) {
    let (values, names) = (try specification.values(Self.parameters), Self.parameters)
    place = specification.place.isEmpty ? "0" : specification.place
    guard !place.lowercased().hasSuffix(".oni") else {
      throw RetakeError(.usage, "\(place) is a recording, not a camera.", hint: "bring it in with 'retake import'")
    }
    (video, depth, size, rate) = (values[names.video], values[names.depth], values[names.size], values[names.rate])
    guard video != .none || depth != .none else {
      throw RetakeError(
        .usage, "Device '\(specification.text)' disables all streams.", hint: "leave out video=none or depth=none")
    }
    guard depth != .registered || video == .color else {
      throw RetakeError(
        .usage, "Depth cannot be registered to colour, since video=\(video.rawValue) records no colour.",
        hint: "use depth=on")
    }
  }
}

package struct OpenNI2Parameters: ParameterGroup {
  let video = Parameter<OpenNI2Options.Video>("video", help: "these cameras send either colour or infrared")
  let depth = Parameter<OpenNI2Options.Depth>(
    "depth", help: "registered: moved onto colour by the camera, if it can")
  let size = Parameter<PictureSize?>(
    "size", ifGiven: .size(largestSide: FrameLayout.largestSide),
    help: "of all streams; by default the size nearest to 640x480")
  let rate = Parameter<Int?>(
    "fps", ifGiven: .integer(1...1000), help: "frame rate of all streams; by default the highest up to 30")
}
