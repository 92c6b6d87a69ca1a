import FrameModel
import RecordingStore
import Support
import Synchronization

package enum LiveFaces: Sendable {
  /// A source of its own, as for a recording.
  case own(FaceRecording)
  /// The detector of the simultaneous recording, so that each frame is examined once.
  case shared(FaceRelay)
}

/// A detector that also shares its latest result.
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

  /// Returns the faces found since the last call; nil if no frame was examined.
  func take() -> [FaceObservation]? {
    latest.withLock { latest in
      defer { latest = nil }
      return latest
    }
  }
}

/// Assigns faces to live frame sets by the rule of a replay: the faces of the last examined frame
/// hold for up to `holdLimit` sets.
struct LiveFaceWatch {
  private static let holdLimit = 256
  private let faces: LiveFaces
  private let watch: FaceWatch?
  private let isLive: Bool
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

  /// Returns the faces that hold for a master frame whose set is complete.
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
