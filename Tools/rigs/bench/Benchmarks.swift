import Foundation
import FrameModel
import RecordingStore
import Support

/// The program behind Tools/bench. Results go to standard output.
@main
enum Benchmarks {
  private static let usage = """
    retake-bench codecs RECORDING...                 codecs beside libzstd
    retake-bench chain RECORDING CONTENDER FOLDER    masking beside opencv-chain.cpp
    retake-bench presets RECORDING...                every preset on one thread
    retake-bench mattes RECORDING...                 stages of Retake's own presets on one thread
    retake-bench threads RECORDING...                truedepth-backdrop on one thread and on two
    retake-bench replay RECORDING CONTENDER FOLDER [BACKGROUND]   to digests of every stage, beside zstd and opencv-chain.cpp
    retake-bench sweep RECORDING FOLDER              a hundred settings with all scores, beside as many replays
    retake-bench search SEEDS SHARE,SHARE,… RESULTS...    the search on tables of whole sweeps, see rigs/search
    retake-bench unpack RECORDING FOLDER PAIRS       raw frames, colour and depth in turn, for store and other programs
    retake-bench store CONTENDER FOLDER OUTPUT PAIRS writes raw frames as retake, zstd or copy does
    retake-bench cameras FOLDER SECONDS CAMERAS      records simulated Kinects in real time
    retake-bench overload FOLDER SECONDS CAMERAS ... the same with more and more
    retake-bench faces FOLDER SECONDS COLOR DEPTH    the same of one camera, with a face detector beside it
    retake-bench seek RECORDING                      random frames by number and by time
    retake-bench day FOLDER HOURS                    records so many hours of very small frames, and finds them again
    """

  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    do {
      switch (arguments.popFirst(), Array(arguments)) {
      case ("codecs", let paths):
        for path in paths {
          print("\(path):")
          let recording = try Recording(path: path)
          try CodecBenchmark.run(recording)
        }
      case ("chain", let words) where words.count == 3:
        try ChainBenchmark.run(Recording(path: words[0]), contender: words[1], folder: words[2])
      case ("presets", let paths):
        for path in paths { try PipelineBenchmark.presets(Recording(path: path)) }
      case ("mattes", let paths):
        for path in paths { try MatteBenchmark.run(Recording(path: path)) }
      case ("threads", let paths):
        for path in paths { try PipelineBenchmark.threads(Recording(path: path)) }
      case ("replay", let words) where words.count == 3 || words.count == 4:
        try ReplayBenchmark.run(
          Recording(path: words[0]), contender: words[1], folder: words[2], background: words.dropFirst(3).first)
      case ("sweep", let words) where words.count == 2:
        try SweepBenchmark.run(Recording(path: words[0]), folder: words[1])
      case ("search", let words) where words.count >= 3:
        for path in words.dropFirst(2) {
          try SearchBenchmark.run(
            path, seedCount: max(1, Int(words[0]) ?? 20),
            shares: words[1].split(separator: ",").compactMap { Double($0) })
        }
      case ("unpack", let words) where words.count == 3:
        try RawPairs.unpack(Recording(path: words[0]), to: words[1], count: Int(words[2]) ?? 0)
      case ("store", let words) where words.count == 4:
        try StoreContender.run(words[0], RawPairs(folder: words[1]), to: words[2], count: Int(words[3]) ?? 0)
      case ("cameras", let words) where words.count == 3:
        try CameraBenchmark.run(folder: words[0], seconds: Int(words[1]) ?? 0, cameraCount: Int(words[2]) ?? 0)
      case ("overload", let words) where words.count >= 3:
        try CameraBenchmark.runOverload(
          folder: words[0], seconds: Int(words[1]) ?? 0, cameraCounts: words.dropFirst(2).compactMap { Int($0) })
      case ("faces", let words) where words.count == 4:
        try FaceBenchmark.run(folder: words[0], seconds: Int(words[1]) ?? 0, color: words[2], depth: words[3])
      case ("seek", let words) where words.count == 1:
        try SeekBenchmark.run(Recording(path: words[0]))
      case ("day", let words) where words.count == 2:
        try DayBenchmark.run(folder: words[0], hours: Double(words[1]) ?? 0)
        try DayBenchmark.seek(Recording(path: words[0]))
      default:
        FileHandle.standardError.write(Data("error: These arguments are not valid. There are:\n\(usage)\n".utf8))
        exit(64)
      }
    } catch {
      FileHandle.standardError.write(Data("error: \((error as? RetakeError)?.message ?? "\(error)")\n".utf8))
      exit(1)
    }
  }
}
