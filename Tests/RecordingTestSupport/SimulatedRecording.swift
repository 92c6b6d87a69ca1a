import CaptureDevices
import Foundation
import FrameModel
import RecordingStore
import TestSupport

/// A recording of the simulated camera, made in this process.
package struct SimulatedRecording {
  package let folder: TemporaryFolder
  package let recording: Recording

  /// - Parameter options: of the camera.
  package init(_ options: String) throws {
    folder = try TemporaryFolder()
    let camera = try SimulatedCamera(DeviceSpecification("simulated?pace=fast&\(options)"))
    var recorderOptions = RecorderOptions()
    recorderOptions.keepFreeByteCount = 0
    let path = folder.path("a.retake")
    let recorder = try Recorder(
      folder: RecordingFolder(path: path), streams: camera.streams, options: recorderOptions)
    let isDone = DispatchSemaphore(value: 0)
    try camera.start(delivering: recorder.sink(firstStream: 0, isLive: false) { _ in isDone.signal() })
    isDone.wait()
    camera.stop()
    if let failure = recorder.finish().failure { throw failure }
    recording = try Recording(path: path)
  }

  /// Turns a byte in the middle of a frame.
  package func damage(_ row: FrameRow) throws {
    let path = recording.folder.chunkFilePath(row.chunkFile)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[row.place.offset + row.place.length / 2] ^= 0x55
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
