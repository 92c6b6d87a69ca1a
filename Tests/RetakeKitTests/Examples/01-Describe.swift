import RetakeReader

/// What a recording holds, a line each.
func describe(_ path: String) throws -> [String] {
  let recording = try Recording(path: path)
  let summary = try recording.summary()
  var lines = zip(recording.streams, summary.streams).map { stream, counts in
    "\(stream.name): \(stream.width)x\(stream.height) \(stream.format), \(counts.frameCount) frames"
  }
  for mark in try recording.marks() { lines.append("mark '\(mark.label)'") }
  for event in try recording.events() where event.isLoss { lines.append("\(event.count) \(event.reason)") }
  return lines
}
