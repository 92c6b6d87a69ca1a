import FrameModel
import RecordingStore

/// Called by Tools/bench with recordings to measure on.
@main
enum Benchmarks {
  static func main() throws {
    for path in CommandLine.arguments.dropFirst() {
      print("\(path):")
      let recording = try Recording(path: path)
      try CodecBenchmark.run(recording)
      try PipelineBenchmark.run(recording)
    }
  }
}
