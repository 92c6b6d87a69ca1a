import FrameModel

package enum StreamComparison {
  /// The first difference that makes it another device; nil if it can continue the recording.
  package static func difference(_ old: [StreamDescription], _ new: [StreamDescription]) -> String? {
    guard old.map(\.name) == new.map(\.name) else {
      return "its streams are \(names(new)), not \(names(old))"
    }
    for (before, after) in zip(old, new) {
      // Another unit has its own calibration. A camera is also identified by its port.
      guard before.device == after.device else { return "it is \(after.device), not \(before.device)" }
      guard before.kind == after.kind, before.layout == after.layout, before.rate == after.rate,
        before.clock == after.clock
      else { return "its \(before.name) is \(words(after)), not \(words(before))" }
    }
    return nil
  }

  static func isPart(_ new: [StreamDescription], of old: [StreamDescription]) -> Bool {
    let found = old.filter { before in new.contains { $0.name == before.name } }
    return found.count < old.count && difference(found, new) == nil
  }

  static func changedSettings(_ old: [StreamDescription], _ new: [StreamDescription]) -> [String] {
    zip(old, new).flatMap { before, after in
      var changes: [String] = []
      for setting in after.settings {
        let was = before.settings[setting.name]
        guard was != setting.value else { continue }
        changes.append("\(after.name) \(setting.name) \(setting.value)" + (was.map { ", was \($0)" } ?? ""))
      }
      return changes
    }
  }

  private static func names(_ streams: [StreamDescription]) -> String {
    streams.map(\.name).joined(separator: ", ")
  }

  private static func words(_ stream: StreamDescription) -> String {
    let layout = stream.layout
    return
      "\(stream.kind.rawValue) \(layout.format.rawValue) \(layout.width)x\(layout.height) at \(stream.rate) fps "
      + "with a \(stream.clock.bits)-bit clock of \(stream.clock.hertz) Hz"
  }
}
