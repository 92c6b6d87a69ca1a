import FrameModel
import FrameSync

/// Pairs the master stream's frames with those of every other video-like stream, and gives each set its number.
///
/// The master is the first colour stream, or the first stream where there is none. Frames that are damaged or sent twice
/// belong to no set. The same frames in the same order give the same sets, while recording and when an index is made
/// again.
struct FrameSetBuilder {
  private let master: Int
  private let partners: [Int]
  private var pairings: [FramePairing]
  /// Decisions of each partner stream that wait for the others'.
  private var decided: [[FramePairing.Decision]]
  private var nextSet = 0
  /// Unpaired frames in a row are one event.
  private var openEvents: [FrameEvent?]

  init(streams: [StreamDescription]) {
    let master = streams.masterStream
    self.master = master
    partners = streams.indices.filter { $0 != master && streams[$0].kind != .motion }
    pairings = partners.map {
      FramePairing(
        toleranceNanoseconds: FramePairing.defaultToleranceNanoseconds(streams[master].rate, streams[$0].rate)
      )
    }
    decided = partners.map { _ in [] }
    openEvents = partners.map { _ in nil }
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
    for index in partners.indices { closeEvent(index, into: &batch) }
  }

  /// A set is complete when every partner stream has decided on its master frame.
  private mutating func settle(into batch: inout IndexBatch) {
    while !decided.isEmpty, decided.allSatisfy({ !$0.isEmpty }) {
      let set = nextSet
      nextSet += 1
      batch.frameSets.append(FrameSetRow(number: set, masterFrame: decided[0][0].master.number))
      for index in partners.indices {
        let decision = decided[index].removeFirst()
        if let partner = decision.partner {
          batch.partners.append(
            PartnerRow(frameSet: set, stream: partners[index], frame: partner.number))
          closeEvent(index, into: &batch)
        } else {
          noteMissing(index, decision.master)
        }
      }
    }
  }

  private mutating func noteMissing(_ index: Int, _ master: FramePairing.Entry) {
    if openEvents[index] == nil {
      openEvents[index] = FrameEvent(
        stream: partners[index], stage: .pairing, reason: .unpaired, frameNumber: master.number, count: 0,
        presentation: master.time)
    }
    openEvents[index]!.count += 1
  }

  private mutating func closeEvent(_ index: Int, into batch: inout IndexBatch) {
    if let event = openEvents[index] { batch.events.append(event) }
    openEvents[index] = nil
  }
}
