import FrameModel
import Support

/// Writes a target's seeds as a libFuzzer corpus.
enum SeedCorpus {
  static func write(_ seeds: [[UInt8]], to folder: String, _ name: String) throws(RetakeError) {
    let target = "\(folder)/\(name)"
    try Folder.make(target)
    // Different encoding efforts often give the same payload.
    var known: Set<[UInt8]> = []
    for (number, seed) in seeds.enumerated() where known.insert(seed).inserted {
      try FileBytes.write(seed, to: "\(target)/seed-\(number)")
    }
  }
}
