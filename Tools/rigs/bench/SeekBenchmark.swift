import FrameModel
import Glibc
import RecordingStore
import Support

/// Measures random access to frames: index, one read, decoding.
enum SeekBenchmark {
  private static let seekCount = 2000
  private static let goalMilliseconds = 10.0

  static func run(_ recording: Recording) throws {
    let last = try recording.streams.indices.compactMap {
      try recording.frameRow(stream: $0, at: PresentationTime(nanoseconds: .max))
    }
    guard last.count == recording.streams.count else { throw RetakeError(.usage, "A stream has no frames.") }
    let frameCount = last.reduce(0) { $0 + $1.number + 1 }
    print("\(recording.folder.path): \(frameCount) frames; \(seekCount) random ones each, ms")
    for isCold in [false, true] {
      for byTime in [false, true] {
        try run(recording, last, byTime: byTime, isCold: isCold)
      }
    }
  }

  private static func run(
    _ recording: Recording, _ last: [FrameRow], byTime: Bool, isCold: Bool
  ) throws {
    let reader = try FrameReader(recording)
    var generator = SeededGenerator(seed: byTime ? 1 : 2)
    var times: [Double] = []
    let files = try recording.chunkFiles().map(\.number)
    if isCold { for file in files { forget(recording.folder.chunkFilePath(file)) } }
    for _ in 0..<seekCount {
      let stream = generator.next(below: last.count)
      let number = generator.next(below: last[stream].number + 1)
      // Skip the first second, so that every stream has begun.
      let span = Int(last[stream].timestamps.presentation.nanoseconds) - 1_000_000_000
      let time = PresentationTime(nanoseconds: 1_000_000_000 + Int64(generator.next(below: max(1, span))))
      // Also evict what earlier seeks brought into the page cache.
      if isCold { forget(recording.folder.chunkFilePath(files[generator.next(below: files.count)])) }
      let start = MonotonicTime.now()
      let row =
        byTime
        ? try recording.frameRow(stream: stream, at: time) : try recording.frameRow(stream: stream, number: number)
      guard let row else { throw RetakeError(.corrupt, "A frame is missing from the index.") }
      let frame = try reader.frame(row)
      times.append(Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e6)
      guard frame.number == row.number else { throw RetakeError(.corrupt, "The reader returned another frame.") }
    }
    times.sort()
    print(
      """
        by \(byTime ? "time" : "number"), \(isCold ? "from the disk" : "from the page cache"): p50 \
      \(Stopwatch.text(times[times.count / 2])), p99 \
      \(Goal.atMost(goalMilliseconds, times[times.count * 99 / 100])), max \(Stopwatch.text(times[times.count - 1]))
      """)
  }

  /// Evicts a file from the page cache.
  private static func forget(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    close(descriptor)
  }
}
