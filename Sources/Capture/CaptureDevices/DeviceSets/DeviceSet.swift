import FrameModel
import Glibc
import Support

/// Devices that run together, on one time line.
package struct DeviceSet: Sendable {
  package let devices: [any CaptureDevice]
  /// All streams, with unique names and devices: the second camera's are "color-1", "depth-1".
  package let streams: [StreamDescription]
  /// As in "v4l2:/dev/video0"; for several devices without a place, "simulated", "simulated#1".
  package let names: [String]

  /// One device as it is, without supervision.
  package init(_ device: any CaptureDevice) { (devices, streams, names) = ([device], device.streams, []) }

  /// Devices as they are, without supervision: all live, or none.
  package init(_ devices: [any CaptureDevice]) {
    (self.devices, streams, names) = (devices, Self.streams(of: devices), [])
  }

  /// - Parameters:
  ///   - specifications: at least one.
  ///   - work: what the devices are used for, in messages.
  ///   - onChange: called when a device is lost or returns, on its thread.
  /// - Throws: `.usage` for a device named twice or no common time line; errors of devices.
  package init(
    _ specifications: [DeviceSpecification], supervision: SupervisionOptions, work: String = "recording",
    onChange: @escaping @Sendable (_ sentence: String) -> Void
  ) throws(RetakeError) {
    let resolved = specifications.map(\.resolved)
    try Self.checkDifferent(specifications, resolved)
    var opened: [any CaptureDevice] = []
    var pinned: [DeviceSpecification] = []
    for (specification, named) in zip(resolved, specifications) {
      try Self.checkDifferent(specification, from: pinned, named)
      let device = try DeviceCatalog.open(specification.text)
      let pin = specification.pinned(to: device.streams)
      try Self.checkDifferent(pin, from: pinned, named)
      opened.append(device)
      pinned.append(pin)
    }
    try Self.checkTimeLine(specifications, opened)
    let names = Self.names(specifications)
    self.names = names
    devices = opened.indices.map { position in
      let (device, name) = (opened[position], names[position])
      // A device without a clock of its own is waited for: it cannot stall or disconnect.
      guard device.isLive else { return device }
      let text = pinned[position].text
      return SupervisedDevice(
        device, name: name, options: supervision,
        reopening: { () throws(RetakeError) in try DeviceCatalog.open(text) },
        onChange: { onChange($0.sentence(name, supervision.policy, work: work)) })
    }
    streams = Self.streams(of: opened)
  }

  package var isLive: Bool { devices.contains { $0.isLive } }
  /// Several sources each have their own arrival 0.
  package var wallClockNanoseconds: Int64 { devices.count == 1 ? devices[0].wallClockNanoseconds : 0 }
  /// Of each stream.
  package var areLive: [Bool] { devices.flatMap { device in device.streams.map { _ in device.isLive } } }

  /// - Parameter sink: called for each device, with the number of its first stream.
  /// - Throws: the error of the first device that does not start; the others are stopped again.
  package func start(
    _ sink: (_ device: any CaptureDevice, _ firstStream: Int) -> any CaptureSink
  ) throws(RetakeError) {
    var firstStream = 0
    for device in devices {
      do throws(RetakeError) {
        try device.start(delivering: sink(device, firstStream))
      } catch {
        stop()
        throw error
      }
      firstStream += device.streams.count
    }
  }

  package func stop() { for device in devices { device.stop() } }

  /// Devices that deliver nothing at the moment, since when, and their streams.
  package var away: [(name: String, since: MonotonicTime, streams: Range<Int>)] {
    var found: [(String, MonotonicTime, Range<Int>)] = []
    var first = 0
    for device in devices {
      let range = first..<first + device.streams.count
      first = range.upperBound
      if let device = device as? SupervisedDevice, let since = device.awaySince {
        found.append((device.name, since, range))
      }
    }
    return found
  }

  private static func checkDifferent(
    _ specifications: [DeviceSpecification], _ resolved: [DeviceSpecification]
  ) throws(RetakeError) {
    var known: Set<String> = []
    // There can be several simulated cameras, but one device for each place.
    for (specification, named) in zip(resolved, specifications) where !specification.place.isEmpty {
      guard known.insert("\(specification.kind):\(realPath(specification))").inserted else { throw twice(named) }
    }
  }

  /// Whether an index and a serial number mean the same Kinect is only known once it is open.
  private static func checkDifferent(
    _ pin: DeviceSpecification, from others: [DeviceSpecification], _ named: DeviceSpecification
  ) throws(RetakeError) {
    guard pin.kind != "kinect" || !others.contains(where: { $0.name == pin.name }) else { throw twice(named) }
  }

  private static func twice(_ specification: DeviceSpecification) -> RetakeError {
    RetakeError(
      .usage, "Device \(specification.name) is given twice.", hint: "'retake devices' lists the other devices")
  }

  /// The place without symbolic links, so that a device is recognised under all its names.
  private static func realPath(_ specification: DeviceSpecification) -> String {
    let place = specification.place
    guard specification.kind != "kinect", let path = realpath(place, nil) else { return place }
    defer { free(path) }
    return String(cString: path)
  }

  private static func checkTimeLine(_ specifications: [DeviceSpecification], _ devices: [any CaptureDevice])
    throws(RetakeError)
  {
    guard let live = devices.firstIndex(where: \.isLive), let waiting = devices.firstIndex(where: { !$0.isLive })
    else { return }
    throw RetakeError(
      .usage,
      "\(specifications[live].text) uses the host's clock, but \(specifications[waiting].text) has a clock of "
        + "its own, so they have no common time line.",
      hint: "record them separately")
  }

  private static func names(_ specifications: [DeviceSpecification]) -> [String] {
    specifications.enumerated().map { position, specification in
      let isAlone = !specifications[..<position].contains { $0.name == specification.name }
      return isAlone ? specification.name : "\(specification.name)#\(position)"
    }
  }

  private static func streams(of devices: [any CaptureDevice]) -> [StreamDescription] {
    devices.enumerated().flatMap { position, device in
      device.streams.map { stream in
        guard position > 0 else { return stream }
        var renamed = stream
        renamed.name += "-\(position)"
        renamed.device += "#\(position)"
        return renamed
      }
    }
  }
}
