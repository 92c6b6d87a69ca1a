import Support
import Sweeps

struct SweepForecastText {
  private let work: SweepWork
  private let forecast: SweepForecast
  private let isThere: Bool

  init(_ work: SweepWork) throws(RetakeError) {
    self.work = work
    let file = try SweepResultsFile.openIfPresent(work.path, work.identity)
    isThere = file != nil
    forecast = try work.runner(file).forecast()
  }

  var text: String {
    let runs = forecast.runCount
    let part = work.shard.map { " of \(work.identity.settings.count), part \($0)" } ?? ""
    let done = runs - forecast.leftRunCount
    var rows = [
      ["settings", "\(forecast.settingCount)\(part)"],
      ["recordings", "\(forecast.recordingCount)"],
      [
        "runs",
        "\(runs)" + (isThere ? ", \(done) of them done in \(work.path), \(forecast.leftRunCount) left" : ""),
      ],
    ]
    if forecast.failingRunCount > 0 { rows.append(["of which fail", "\(forecast.failingRunCount)"]) }
    let stages = forecast.stages
    rows.append([
      "shared work", "depth \(stages.depth), masks \(stages.mask), blurs \(stages.blur), mattes \(stages.matte)",
    ])
    rows.append(["batches", "\(forecast.batchCount)"])
    rows.append(["memory", "about \(Format.bytes(forecast.byteCount))"])
    rows.append(["time", forecast.seconds.map { "about \(Format.duration($0))" } ?? "none: all runs are done"])
    return Format.table(rows)
  }
}

extension Format {
  /// "12.3 s", "4 min 10 s", "3 h 20 min".
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "-" }
    let whole = Int(seconds.rounded())
    if whole < 60 { return Self.seconds(seconds) }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }
}
