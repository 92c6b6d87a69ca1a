import ArgumentParser
import Interchange
import RecordingStore
import Replay
import Support

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Stores the cameras' calibration, or estimates and corrects how far depth is displaced.",
    discussion: """
      retake calibrate session.retake
      retake calibrate session.retake --dry-run
      retake calibrate session.retake --calibration lenses.yaml

      Compares where near surfaces end in depth with where colours change, in up to \(AlignmentEstimator.frameLimit) frame \
      sets all over the recording. The offset is stored in alignment.json in the recording's folder; frames are not \
      changed. Replays, sweeps and bundles then move depth by it, rounded to whole depth pixels; depth.shift-x and \
      depth.shift-y add to it.

      With --calibration nothing is estimated: lenses and places of the cameras are read from a file and stored in \
      calibration.json in the recording's folder. Replays then register depth to colour by them, and exports write them.
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Option(
    help: """
      Store the lenses and places in this file: YAML, a camera matrix as text, Open3D's JSON, an Azure Kinect's raw \
      calibration, or tum:freiburg1, 2 or 3.
      """, completion: .file())
  var calibration: String?
  @Flag(help: "Remove the lenses and places that --calibration stored.") var removeCalibration = false
  @Flag(help: "Replace lenses and places that are stored already.") var force = false
  @Flag(help: "Report the offset without storing it.") var dryRun = false
  @Flag(help: "Remove the stored offset, so that replays use depth as it was recorded.") var remove = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if remove && (dryRun || json) {
      throw ValidationError("--remove estimates nothing: leave out --dry-run and --json.")
    }
    if calibration != nil || removeCalibration {
      guard !dryRun, !remove, !json, calibration == nil || !removeCalibration else {
        throw ValidationError("--calibration and --remove-calibration stand alone: leave out the other options.")
      }
    } else if force {
      throw ValidationError("--force is for --calibration: leave it out.")
    }
  }

  func run() throws {
    if removeCalibration {
      // Also one with which the recording cannot be opened.
      let folder = RecordingFolder(path: recording)
      try folder.checkIsRecording()
      let isStored = try CalibrationStore(folder).exists()
      try CalibrationStore(folder).remove()
      return messages.say(isStored ? "The stored calibration is removed." : "No calibration is stored.")
    }
    if let calibration { return try store(calibration) }
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    if remove {
      let isStored = try source.alignment() != nil
      try source.removeAlignment()
      return messages.say(isStored ? "The stored offset is removed." : "No offset is stored.")
    }
    let stop = StopSignal()
    let bar = ProgressBar("calibrate", isQuiet: messages.quiet)
    let report = try AlignmentEstimator(source).run { done, total in
      bar.update(done, of: total)
      return !stop.isSet
    }
    bar.end()
    let alignment = report.alignment
    if !dryRun { try AlignmentFile(source.folder).write(alignment) }
    if json {
      var object = alignment.json
      object.add(["edges": report.edgeCount, "is_stored": !dryRun])
      return try print(object.versioned.text)
    }
    guard !messages.quiet else { return }
    try print(alignment.sentence)
    let (x, y) = alignment.pixels
    let isNothing = x == 0 && y == 0
    let effect =
      if isNothing {
        ": less than half a pixel, which replays leave as it is"
      } else if dryRun {
        "; the same by hand: --set depth.shift-x=\(x) --set depth.shift-y=\(y)"
      } else {
        ": replays move depth \(abs(x)) px \(x < 0 ? "left" : "right") and \(abs(y)) px \(y < 0 ? "up" : "down")"
      }
    try print((dryRun ? "not stored" : "stored") + effect)
  }
}

extension CalibrateCommand {
  private func store(_ path: String) throws {
    let file = try CalibrationFile(path: path)
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let stored = CalibrationStore(source.folder)
    guard try force || !stored.exists() else {
      throw RetakeError(
        .inputOutput, "\(recording) has a stored calibration.",
        hint: "--force replaces it, --remove-calibration removes it")
    }
    try stored.write(try file.calibrations(of: source.recordedStreams))
    guard !messages.quiet else { return }
    for line in CalibrationText(try Recording.opened(recording, isQuiet: true)).lines { try print(line) }
  }
}

extension ColorAlignment {
  /// "depth lies 1.9 px left of and 2.8 px above colour (± 0.3 depth px, from 64 frame sets)"
  var sentence: String {
    func pixels(_ thousandths: Int) -> String { Format.decimals(Double(abs(thousandths)) / 1000, 1) }
    return "depth lies \(pixels(x)) px \(x < 0 ? "right" : "left") of and \(pixels(y)) px \(y < 0 ? "below" : "above") "
      + "colour (± \(pixels(uncertainty)) depth px, from \(frameCount) frame set\(frameCount == 1 ? "" : "s"))"
  }

  /// Whether it is certain that colour and depth are more than a pixel apart.
  var isOff: Bool { max(abs(x), abs(y)) - uncertainty > 1000 }

  var json: JSONObject {
    func pixels(_ thousandths: Int) -> Double { Double(thousandths) / 1000 }
    return JSONObject([
      "shift_x": pixels(x), "shift_y": pixels(y), "uncertainty": pixels(uncertainty), "frame_sets": frameCount,
      "moved_x": self.pixels.x, "moved_y": self.pixels.y,
    ])
  }
}
