import FrameModel
import FrameSync
import RecordingStore
import Support

/// Makes frame sets of frames as they come, of the first colour and the first depth stream: the same ones as
/// `FrameSetBuilder` writes and `ReplayCursor` reads, for frames that need not be shown at once.
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

  /// Whether anything is done with frames of a stream.
  func uses(_ stream: Int) -> Bool { stream == master || stream == depth || watch.looks(at: stream) }

  /// - Parameter faces: that the device saw in it.
  /// - Returns: the sets that are complete with it.
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
    // What belongs to no set is let go of with what it waited behind.
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
