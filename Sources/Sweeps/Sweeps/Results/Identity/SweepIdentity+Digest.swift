import Kernels

extension SweepIdentity {
  /// XXH3-128 of everything that results depend on, 32 hexadecimal digits. Leaves out paths, the
  /// command line, and the reasons for absent scores, which may contain paths.
  package var digest: String {
    var text = CanonicalText()
    text.add("retake sweep 1")
    text.add(version)
    if let pipelineRevision { text.add("pipeline revision \(pipelineRevision)") }
    text.add(preset)
    text.add(tried)
    text.add(scores.map(\.name))
    text.add(defaultSetting ?? -1)
    text.add(settings.count)
    for setting in settings {
      text.add(setting.number)
      text.add(setting.digest)
      text.add(setting.parameters.count)
      for parameter in setting.parameters {
        text.add(parameter.name)
        text.add(parameter.value)
      }
    }
    text.add(recordings.count)
    for recording in recordings {
      text.add(recording.number)
      text.add(recording.id)
      for number in [
        recording.frames.lowerBound, recording.frames.upperBound, recording.every, recording.width, recording.height,
      ] { text.add(number) }
      text.add(recording.truth)
      if let count = recording.truthFrameCount { text.add("truth frames \(count)") }
      if let tolerance = recording.boundaryTolerance { text.add("boundary tolerance \(tolerance)") }
      text.add(recording.absences.map(\.score.name))
    }
    return text.digest
  }
}

/// Writes lengths before fields, so that different lists never give the same text.
private struct CanonicalText {
  private let checksum = RunningChecksum()

  mutating func add(_ field: String) {
    let bytes = Array("\(field.utf8.count):\(field)\n".utf8)
    bytes.withUnsafeBytes { checksum.add($0) }
  }

  mutating func add(_ number: Int) { add("\(number)") }

  mutating func add(_ fields: [String]) {
    add(fields.count)
    for field in fields { add(field) }
  }

  var digest: String { checksum.hex }
}
