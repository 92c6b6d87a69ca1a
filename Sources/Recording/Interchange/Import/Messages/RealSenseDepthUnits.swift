import Support

/// Depth units that RealSense's SDK writes into its recordings, one for each sensor.
struct RealSenseDepthUnits {
  /// By the sensor's topic prefix, such as "/device_0/sensor_0/". Nil for a unit that
  /// changed or makes no sense.
  private var micrometers: [String: Int?] = [:]
  private static let sensorLimit = 64
  private static let unitsMicrometers = 1.0...100_000

  /// - Returns: nil if the topic is not of RealSense's SDK, which then writes millimetres as ROS does.
  /// - Throws: `.unsupported` for a unit that cannot be used.
  func unit(ofTopic topic: String) throws(RetakeError) -> Int? {
    guard let sensor = Self.sensor(topic), let entry = micrometers[sensor] else { return nil }
    guard let unit = entry else {
      throw RetakeError(
        .unsupported, "the depth unit of \(sensor) changes, or is not a whole number of micrometres",
        hint: "record it with a constant depth unit")
    }
    return unit
  }

  mutating func note(_ message: UnsafeRawBufferPointer, _ channel: ImageMessageReader.Channel) {
    guard let sensor = Self.sensor(channel.topic),
      let meters = (try? Self.meters(message, channel)) ?? nil,
      micrometers[sensor] != nil || micrometers.count < Self.sensorLimit
    else { return }
    let unit = (meters * 1_000_000).rounded()
    // The SDK keeps a Float, or its decimals.
    let isValid = Self.unitsMicrometers.contains(unit) && abs(meters * 1_000_000 - unit) <= 0.001 * unit
    let value = isValid ? Int(unit) : nil
    if let known = micrometers[sensor], known != value {
      micrometers[sensor] = .some(nil)
    } else {
      micrometers[sensor] = .some(value)
    }
  }

  /// - Returns: nil for a message of something else.
  private static func meters(_ message: UnsafeRawBufferPointer, _ channel: ImageMessageReader.Channel)
    throws(RetakeError) -> Double?
  {
    let isROS1 = channel.messageEncoding == "ros1"
    guard isROS1 || channel.messageEncoding == "cdr" else { return nil }
    let type = channel.schema.split(separator: "/").last
    if channel.topic.hasSuffix("/option/Depth_Units/value") || channel.topic.hasSuffix("/option/Depth Units/value") {
      var fields = isROS1 ? CDRReader(version1: message) : try CDRReader(message)
      if type == "Float32" { return Double(Float(bitPattern: try fields.uint32())) }
      // The SDK's .db3 has options as text, of a type that depends on its version.
      return Double(try fields.string())
    }
    // Versions 1 and 2 of the SDK's files list options by name.
    guard channel.topic.hasSuffix("/property"), type == "KeyValue" else { return nil }
    var fields = isROS1 ? CDRReader(version1: message) : try CDRReader(message)
    guard try fields.string() == "Depth Units" else { return nil }
    return Double(try fields.string())
  }

  /// The first two parts of a topic such as "/device_0/sensor_0/Depth_0/image/data".
  private static func sensor(_ topic: String) -> String? {
    let parts = topic.split(separator: "/", maxSplits: 2)
    guard parts.count == 3, parts[0].hasPrefix("device_"), parts[1].hasPrefix("sensor_") else { return nil }
    return "/\(parts[0])/\(parts[1])/"
  }
}
