import FrameModel

extension DeviceSpecification {
  /// Completes the place: "v4l2" and "v4l2:0" become "v4l2:/dev/video0", "kinect" becomes
  /// "kinect:0". Unresolvable specifications stay as they are; opening them reports why.
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

  /// Replaces a Kinect's index by its serial: the index changes when another is unplugged.
  package func pinned(to streams: [StreamDescription]) -> DeviceSpecification {
    guard kind == "kinect",
      let serial = streams.flatMap(\.settings)["serial"],
      // Some models report a serial number of zeros.
      serial.contains(where: { $0 != "0" })
    else { return self }
    let pinned = at(serial)
    return (try? KinectOptions(pinned))?.place == .serial(serial) ? pinned : self
  }

  private func at(_ place: String) -> DeviceSpecification {
    let options = text.firstIndex(of: "?").map { String(text[$0...]) } ?? ""
    return (try? DeviceSpecification("\(kind):\(place)\(options)")) ?? self
  }
}
