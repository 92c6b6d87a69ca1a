import FaceDetection
import Foundation
import FrameModel
import RecordingStore

/// Records one camera in real time with and without a face detector, and reports the CPU use of the
/// process and of the detector. The frames are made beforehand.
enum FaceBenchmark {
  static func run(folder: String, seconds: Int, color: String, depth: String) throws {
    let camera = try LoopingCamera(seed: 1, color: color, depth: depth)
    let without = try record(folder + "/without.retake", camera, seconds: seconds, faces: .device)
    let detector = try FaceDetectorSpecification("lbp").detector()!
    let finder = try FaceFinder(detector, color: camera.streams[0], depth: camera.streams[1])
    let with = try record(
      folder + "/with.retake", camera, seconds: seconds, faces: .detector(finder, stream: 0, depthStream: 1))
    let faces = with.status.faces
    print(
      """
        \(color) and \(depth) at 640x480 and 30 fps, for \(seconds) s, with \(finder.detector):
        drops: \(Goal.atMost(0, Double(with.status.droppedCount))); of \(with.status.frameCounts[0]) frames \
      \(faces.lookedCount) looked at, \(faces.faceFrameCount) with a face, \(faces.skippedCount) skipped
        CPU \(Goal.atMost(0.5, with.cores)) cores, of them \(Stopwatch.text(with.cores - without.cores)) for the faces
      """)
  }

  private static func record(
    _ path: String, _ camera: LoopingCamera, seconds: Int, faces: FaceRecording
  ) throws -> (status: RecorderStatus, cores: Double) {
    let rig = PacedRig([camera], seconds: seconds)
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(
      folder: RecordingFolder(path: path), streams: rig.streams, options: options, faces: faces)
    let ended = DispatchSemaphore(value: 0)
    let start = MonotonicTime.now()
    let cpu = Stopwatch.cpuSeconds()
    try rig.start(delivering: recorder.sink(firstStream: 0, isLive: true) { _ in ended.signal() })
    ended.wait()
    rig.stop()
    let status = recorder.finish()
    if let failure = status.failure { throw failure }
    let elapsed = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    return (status, (Stopwatch.cpuSeconds() - cpu) / elapsed)
  }
}
