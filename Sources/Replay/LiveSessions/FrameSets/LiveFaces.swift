import FrameModel
import RecordingStore
import Support
import Synchronization

/// Who looks for faces in what is shown.
package enum LiveFaces: Sendable {
  /// As while recording.
  case own(FaceRecording)
  /// Whoever looks for the recording that is made at the same time: nobody looks twice.
  case shared(FaceRelay)
}

/// A detector whose answers others hear too.
package final class FaceRelay: FaceObserver {
  private let observer: any FaceObserver
  private let latest = Mutex<[FaceObservation]?>(nil)

  package init(_ observer: any FaceObserver) { self.observer = observer }

  package var detector: String { observer.detector }

  package func skip(_ frameCount: Int) { observer.skip(frameCount) }

  package func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation] {
    let faces = try observer.faces(in: color, depth: depth)
    latest.withLock { $0 = faces }
    return faces
  }

  /// What was seen since the last call; nil where nobody has looked.
  func take() -> [FaceObservation]? {
    latest.withLock { latest in
      defer { latest = nil }
      return latest
    }
  }
}

/// Keeps the faces in force for live frame sets, by the rule of a replay: what was seen in the last frame that was looked at
/// holds, for as many sets as a replay looks back.
struct LiveFaceWatch {
  private static let holdLimit = 256
  private let faces: LiveFaces
  private let watch: FaceWatch?
  private let isLive: Bool
  /// Of frames whose set is not complete: what the device, or who looks, saw.
  private var seen: [(number: Int, faces: [FaceObservation])] = []
  private var inForce: (set: Int, faces: [FaceObservation])?

  init(_ faces: LiveFaces, isLive: Bool) {
    self.faces = faces
    self.isLive = isLive
    if case .own(let recording) = faces { watch = FaceWatch(recording) } else { watch = nil }
  }

  var failure: RetakeError? { watch?.failure }

  func looks(at stream: Int) -> Bool { watch?.stream == stream || watch?.depthStream == stream }

  mutating func offer(_ frame: Frame, deviceFaces: [FaceObservation], isMaster: Bool) {
    if let watch {
      let captured = CapturedFrame(
        streamIndex: frame.stream, layout: frame.layout, buffer: frame.buffer, byteCount: frame.byteCount,
        deviceSequence: frame.deviceSequence, deviceTick: frame.timestamps.deviceTick,
        arrival: frame.timestamps.arrival,
        flags: frame.flags)
      watch.offer(
        captured, number: frame.number, at: frame.timestamps.presentation, stream: frame.stream, isLive: isLive)
      for result in watch.takeResults() where !result.isSkipped { seen.append((result.frameNumber, result.faces)) }
    } else if case .own(.device) = faces, isMaster {
      seen.append((frame.number, deviceFaces))
    } else if case .shared(let relay) = faces, isMaster, let latest = relay.take() {
      seen.append((frame.number, latest))
    }
  }

  /// What counts for a master frame whose set is complete.
  mutating func faces(of frame: Frame, set: Int) -> [FaceObservation] {
    while let first = seen.first, first.number <= frame.number {
      inForce = (set, first.faces)
      seen.removeFirst()
    }
    if let latest = inForce, set - latest.set > Self.holdLimit { inForce = nil }
    return inForce?.faces ?? []
  }

  func finish() { _ = watch?.finish() }
}
