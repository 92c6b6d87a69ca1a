import FrameModel

/// Chooses which frames of live devices to drop under load: whole moments of a device, so that the
/// remaining frames are paired, and the same share of every device.
///
/// A moment is a frame of the device's leading stream (its first colour stream, otherwise its
/// first) with the nearest frames of its other streams. The dropped share grows with the load, from
/// none at 75 % to all at 100 %. A lasting overload therefore settles at a rate that can be
/// written.
package struct DropPolicy {
  private static let firstLoad = 0.75

  private struct Moment {
    /// Arrival of the leading frame, or of the first frame if the leading one has not arrived.
    var nanoseconds: Int64
    var isTaken: Bool
    var isLed: Bool
  }

  private struct Device {
    let name: String
    var lead: Int
    var periodNanoseconds: Int64
    var moment: Moment?
    /// Whether the previous moment was accepted; one of its frames may arrive late.
    var wasTaken = true
    /// Accumulated drop share; at 1, the next moment is dropped.
    var debt: Double
  }

  private var devices: [Device] = []
  /// The device of each stream; nil for motion streams, whose samples are small.
  private var deviceOfStream: [Int?] = []

  package init(streams: [StreamDescription]) {
    for (number, stream) in streams.enumerated() {
      guard stream.kind != .motion else {
        deviceOfStream.append(nil)
        continue
      }
      if let position = devices.firstIndex(where: { $0.name == stream.device }) {
        deviceOfStream.append(position)
        if stream.kind == .color && streams[devices[position].lead].kind != .color {
          devices[position].lead = number
          devices[position].periodNanoseconds = stream.rate.periodNanoseconds
        }
        continue
      }
      deviceOfStream.append(devices.count)
      // Devices start at different debts, otherwise all would drop the same moment.
      let golden = Double(devices.count) * 0.618_033_988_75
      devices.append(
        Device(
          name: stream.device, lead: number, periodNanoseconds: stream.rate.periodNanoseconds,
          debt: golden - golden.rounded(.down)))
    }
  }

  /// Returns whether to accept a frame.
  /// - Parameters:
  ///   - arrival: the frame's arrival, which decides its moment.
  ///   - load: share in use of what may be queued; at 1 or above, no new moment is accepted.
  package mutating func takes(stream: Int, arrival: MonotonicTime, load: Double) -> Bool {
    guard let position = deviceOfStream[stream] else { return load < 1 }
    let time = arrival.nanoseconds
    let isLead = devices[position].lead == stream
    let period = devices[position].periodNanoseconds
    guard let moment = devices[position].moment else { return begin(position, time, isLed: isLead, load) }
    let age = time - moment.nanoseconds
    if isLead {
      guard !moment.isLed, age < period * 3 / 4 else { return begin(position, time, isLed: true, load) }
      devices[position].moment = Moment(nanoseconds: time, isTaken: moment.isTaken, isLed: true)
      return moment.isTaken
    }
    if moment.isLed && age < -period / 2 { return devices[position].wasTaken }
    guard age < (moment.isLed ? period / 2 : period * 3 / 4) else { return begin(position, time, isLed: false, load) }
    return moment.isTaken
  }

  private mutating func begin(_ position: Int, _ time: Int64, isLed: Bool, _ load: Double) -> Bool {
    devices[position].wasTaken = devices[position].moment?.isTaken ?? true
    let share = min(1, max(0, (load - Self.firstLoad) / (1 - Self.firstLoad)))
    devices[position].debt += share
    let isTaken = devices[position].debt < 1
    if !isTaken { devices[position].debt -= 1 }
    devices[position].moment = Moment(nanoseconds: time, isTaken: isTaken, isLed: isLed)
    return isTaken
  }
}
