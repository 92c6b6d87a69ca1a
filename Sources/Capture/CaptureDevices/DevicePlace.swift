import FrameModel

/// Which device a name means, however it is written.
extension DeviceSpecification {
  /// With the whole place where a person gave part of it: "v4l2" and "v4l2:0" are "v4l2:/dev/video0", "kinect" is
  /// "kinect:0". What cannot be understood stays as it is; opening it says why.
  package var resolved: DeviceSpecification {
    switch kind {
    case "v4l2":
      guard let options = try? V4L2Options(self), let path = try? V4L2Device.path(of: options) else { return self }
      return at(path)
    case "kinect":
      guard let options = try? KinectOptions(self), case .index(let index) = options.place else { return self }
      return at("\(index)")
    default: return self
    }
  }

  /// The very device that was opened, since a Kinect's index is another's when one is unplugged.
  /// - Parameter streams: what it said of itself.
  package func pinned(to streams: [StreamDescription]) -> DeviceSpecification {
    guard kind == "kinect",
      let serial = streams.lazy.flatMap(\.settings).first(where: { $0.name == "serial" })?.value,
      // Some models have zeros for a number.
      serial.contains(where: { $0 != "0" })
    else { return self }
    let pinned = at(serial)
    return (try? KinectOptions(pinned))?.place == .serial(serial) ? pinned : self
  }

  /// The same options for the device at another place.
  private func at(_ place: String) -> DeviceSpecification {
    let options = text.firstIndex(of: "?").map { String(text[$0...]) } ?? ""
    return (try? DeviceSpecification("\(kind):\(place)\(options)")) ?? self
  }
}
