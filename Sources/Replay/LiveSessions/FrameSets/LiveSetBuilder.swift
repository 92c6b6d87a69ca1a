import FrameModel
import FrameSync
import RecordingStore
import Support

/// Builds frame sets from arriving frames of the first colour and the first depth stream. Unless
/// `isLive`, the sets are those that `FrameSetBuilder` writes and `ReplayCursor` reads.
struct LiveSetBuilder {
  private let master: Int
  private let depth: Int?
  private var pairing: FramePairing?
  private var watch: LiveFaceWatch
  private var colors: [Frame] = []
  private var depths: [Frame] = []
  private var nextSet = 0

  init(_ streams: [StreamDescription], depth: Int?, isLive: Bool, faces: LiveFaces) {
    let master = streams.masterStream
    self.master = master
    self.depth = depth
    pairing = depth.map {
      FramePairing(
        master: streams[master].rate, partner: streams[$0].rate, promptness: isLive ? .likely : .certain)
    }
    watch = LiveFaceWatch(faces, isLive: isLive)
  }

  var faceFailure: RetakeError? { watch.failure }

  func uses(_ stream: Int) -> Bool { stream == master || stream == depth || watch.looks(at: stream) }

  /// - Parameter faces: the device's own face detections in `frame`.
  /// - Returns: the sets that `frame` completes.
  mutating func add(_ frame: Frame, _ faces: [FaceObservation]) -> [FrameSet] {
    watch.offer(frame, deviceFaces: faces, isMaster: frame.stream == master)
    guard frame.flags.isDisjoint(with: [.damaged, .duplicate]) else { return [] }
    let entry = FramePairing.Entry(number: frame.number, time: frame.timestamps.presentation)
    if frame.stream == master {
      guard pairing != nil else { return [set(frame, nil)] }
      colors.append(frame)
      return settle(pairing!.addMaster(entry))
    } else if frame.stream == depth {
      depths.append(frame)
      return settle(pairing!.addPartner(entry))
    }
    return []
  }

  mutating func finish() -> [FrameSet] {
    let sets = pairing == nil ? [] : settle(pairing!.finish())
    watch.finish()
    return sets
  }

  private mutating func settle(_ decisions: [FramePairing.Decision]) -> [FrameSet] {
    var sets: [FrameSet] = []
    for decision in decisions {
      guard let position = colors.firstIndex(where: { $0.number == decision.master.number }) else { continue }
      let color = colors.remove(at: position)
      let partner = decision.partner.flatMap { partner in depths.first { $0.number == partner.number } }
      sets.append(set(color, partner))
    }
    // Releases paired depth frames, and unpaired ones that are too old to be paired.
    for decision in decisions {
      if let partner = decision.partner { depths.removeAll { $0.number == partner.number } }
    }
    for leftover in pairing!.takeLeftovers() { depths.removeAll { $0.number == leftover.partner.number } }
    return sets
  }

  private mutating func set(_ color: Frame, _ depth: Frame?) -> FrameSet {
    defer { nextSet += 1 }
    return FrameSet(index: nextSet, color: color, depth: depth, faces: watch.faces(of: color, set: nextSet))
  }
}
