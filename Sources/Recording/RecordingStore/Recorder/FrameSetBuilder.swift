import FrameModel
import FrameSync

/// Pairs the master stream's frames with those of every other stream except motion, and numbers the
/// frame sets. Each partner stream is paired on its own.
///
/// Damaged and duplicate frames belong to no set; their own events report them. Any other unpaired
/// frame, and any master frame that lacks a partner, is counted in an event of the partner stream.
/// Recording and rebuilding an index give the same sets.
struct FrameSetBuilder {
  private let master: Int
  private let partners: [Int]
  private var pairings: [FramePairing]
  /// By partner stream, decisions that wait for those of the other streams.
  private var decided: [[FramePairing.Decision]]
  private var nextSet = 0
  private var accounts: [PairingAccount]

  init(streams: [StreamDescription]) {
    let master = streams.masterStream
    self.master = master
    partners = streams.indices.filter { $0 != master && streams[$0].kind != .motion }
    pairings = partners.map {
      FramePairing(master: streams[master].rate, partner: streams[$0].rate)
    }
    decided = partners.map { _ in [] }
    accounts = partners.map { PairingAccount(stream: $0) }
  }

  mutating func add(
    stream: Int, number: Int, time: PresentationTime, flags: FrameFlags, to batch: inout IndexBatch
  ) {
    guard flags.isDisjoint(with: [.damaged, .duplicate]) else { return }
    let entry = FramePairing.Entry(number: number, time: time)
    if stream == master {
      if partners.isEmpty {
        batch.frameSets.append(FrameSetRow(number: nextSet, masterFrame: number))
        nextSet += 1
      }
      for index in pairings.indices { decided[index] += pairings[index].addMaster(entry) }
    } else if let index = partners.firstIndex(of: stream) {
      decided[index] += pairings[index].addPartner(entry)
    }
    settle(into: &batch)
  }

  mutating func finish(into batch: inout IndexBatch) {
    for index in pairings.indices { decided[index] += pairings[index].finish() }
    settle(into: &batch)
    for index in partners.indices { batch.events += accounts[index].finish() }
  }

  /// Completes the sets whose master frame every partner stream has decided on.
  private mutating func settle(into batch: inout IndexBatch) {
    for index in pairings.indices {
      for leftover in pairings[index].takeLeftovers() { accounts[index].note(leftover) }
    }
    while !decided.isEmpty, decided.allSatisfy({ !$0.isEmpty }) {
      let set = nextSet
      nextSet += 1
      batch.frameSets.append(FrameSetRow(number: set, masterFrame: decided[0][0].master.number))
      for index in partners.indices {
        let decision = decided[index].removeFirst()
        batch.events += accounts[index].note(decision)
        guard let partner = decision.partner else { continue }
        batch.partners.append(PartnerRow(frameSet: set, stream: partners[index], frame: partner.number))
      }
    }
  }
}
