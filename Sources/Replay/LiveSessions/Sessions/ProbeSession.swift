import CaptureDevices
import FrameModel
import Glibc
import RecordingStore
import Support

/// Streams from a device for a while, without recording, to measure what it delivers.
package enum ProbeSession {
  package struct Result {
    package var report: ProbeReport
    package var elapsedNanoseconds: Int64
    /// CPU time per elapsed time: the number of cores that the process kept busy.
    package var processCores: Double
  }

  /// Runs the device until the time is over, `stop` is set, or the device has no more frames.
  /// - Throws: the error of a device that does not start.
  package static func run(
    _ device: any CaptureDevice, nanoseconds: Int64, _ stop: StopFlag
  ) throws(RetakeError) -> Result {
    let probe = try CaptureProbe(device.streams)
    let start = MonotonicTime.now().nanoseconds
    let startCPU = processNanoseconds()
    try device.start(delivering: probe.sink(isLive: device.isLive))
    while !stop.isSet, !probe.isFinished, MonotonicTime.now().nanoseconds - start < nanoseconds {
      usleep(10_000)
    }
    let elapsed = MonotonicTime.now().nanoseconds - start
    let cores = Double(processNanoseconds() - startCPU) / Double(max(1, elapsed))
    // Unblocks a device that waits for a free buffer. Frames that the probe does not take do not count as lost.
    device.stop()
    return Result(report: probe.finish(), elapsedNanoseconds: elapsed, processCores: cores)
  }

  /// CPU time of this process.
  private static func processNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
