import GRDB
import Support

extension SweepResultsFile {
  /// Merges files of one sweep, such as its shards, into a new file, in one transaction.
  ///
  /// A run that is in two files must be the same in both; only its cost may differ, and the first
  /// counts.
  /// - Throws: `.usage` for a file of another sweep; `.corrupt` for a run that differs between
  ///   files; `.inputOutput` if `path` exists.
  package static func merge(_ paths: [String], into path: String) throws(RetakeError) -> MergeReport {
    guard let first = paths.first else {
      throw RetakeError(.usage, "There are no files to merge.", hint: "give the files of the shards")
    }
    let identity = try open(first).identity
    for other in paths.dropFirst() {
      guard let difference = identity.difference(from: try open(other).identity) else { continue }
      throw RetakeError(
        .usage, "\(other) has the results of another sweep than \(first): \(difference.words).",
        hint: "merge files of one sweep; 'retake sweep compare' compares two")
    }
    let lock = try ResultsLock.createOrTakeEmpty(path)
    do throws(RetakeError) {
      // A file that is no database must not be overwritten either.
      guard let database = try? ResultsDatabase.open(path, isReadOnly: false), (try? database.isEmpty()) == true else {
        throw ResultsLock.exists(path)
      }
      let report: MergeReport
      do throws(RetakeError) {
        report = try merge(paths, identity, into: database)
      } catch {
        lock.removeFile()
        throw error
      }
      try database.close(isWriter: true)
      lock.release()
      return report
    } catch {
      lock.release()
      throw error
    }
  }

  private static func merge(_ paths: [String], _ identity: SweepIdentity, into output: ResultsDatabase)
    throws(RetakeError) -> MergeReport
  {
    try output.write { database in
      try ResultsDatabase.makeTables(identity, database)
      // The first input that has each run.
      var origins: [RunKey: Int] = [:]
      var inputs: [MergeReport.Input] = []
      for (place, path) in paths.enumerated() {
        let input = try open(path)
        var newCount = 0
        let keys = try input.finishedRuns().sorted()
        for key in keys {
          guard let run = try input.run(key) else { continue }
          if let origin = origins[key] {
            let known = try ResultsDatabase.run(key, identity, database)
            guard known?.outcome == run.outcome else {
              throw conflict(key, identity, paths[origin], path)
            }
          } else {
            try ResultsDatabase.insert([run], identity, output.path, database)
            origins[key] = place
            newCount += 1
          }
        }
        try input.close()
        inputs.append(MergeReport.Input(path: path, runCount: keys.count, newCount: newCount))
      }
      let missing = identity.runKeys.filter { origins[$0] == nil }
      return MergeReport(inputs: inputs, runCount: origins.count, missing: missing)
    }
  }

  private static func conflict(_ key: RunKey, _ identity: SweepIdentity, _ a: String, _ b: String) -> RetakeError {
    RetakeError(
      .corrupt,
      "The run of setting \(key.setting) over \(identity.recordings[key.recording].path) is not the same in \(a) and \(b).",
      hint: "one of them is damaged, or was made by another version of Retake: run the sweep again")
  }
}

extension SweepIdentity {
  package var runKeys: [RunKey] {
    settings.indices.flatMap { setting in
      recordings.indices.map { RunKey(setting: setting, recording: $0) }
    }
  }
}
