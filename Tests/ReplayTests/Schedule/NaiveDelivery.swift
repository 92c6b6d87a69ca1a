import Parameters
import Replay
import Support

/// What is delivered, played out over a whole recording from its first frame set on, as the documents say it and with nothing that
/// is clever: devices make frames, frames get lost, late and mixed up, and a program takes them in order.
struct NaiveDelivery {
  struct Depth: Equatable {
    var turn: Int
    var content: DeliveredContent
    var arrival: Int
    var isDropped: Bool
    var isLacking: Bool
    var isOvertaken = false
  }

  let schedule: DeliverySchedule
  let count: Int
  /// Recorded frame sets that come, and what each shows.
  private(set) var colors: [Int: DeliveredContent] = [:]
  private(set) var throttled: Set<Int> = []
  private(set) var dropped: Set<Int> = []
  private(set) var depths: [Depth] = []
  /// Video frames that a detector looks at.
  private(set) var looks: [Int] = []

  /// - Parameter depthless: frame sets that were recorded without depth.
  init(_ schedule: DeliverySchedule, count: Int, depthless: Set<Int>) {
    self.schedule = schedule
    self.count = count
    let faults = schedule.faults
    // The cameras make frames.
    let passing = (0..<count).filter { schedule.throttle.passes($0) }
    throttled = Set(0..<count).subtracting(passing)
    let lost = lostFrames(.colorDrop, faults.colorDrops)
    let shown = contents(of: passing, faults.color)
    for (number, content) in zip(passing, shown) {
      if lost.contains(number) { dropped.insert(number) } else { colors[number] = content }
    }
    for (ordinal, number) in passing.enumerated()
    where schedule.faces.hasTurn(ordinal) && colors[number] != nil { looks.append(number) }

    let due = passing.enumerated().filter { schedule.depth.isDepthDue(onVideoFrame: $0.offset) }.map(\.element)
    var held = contents(of: due, faults.depth)
    if let stuck = due.firstIndex(where: { faults.stuckDepth.contains($0) }) {
      for i in stuck..<due.count where faults.stuckDepth.contains(due[i]) && i > stuck {
        held[i] = held[stuck]
        held[i].isStuck = true
      }
    }
    let lostDepth = lostFrames(.depthDrop, faults.depthDrops)
    for (number, content) in zip(due, held) {
      let late = faults.random.number(.depthJitter, number, upTo: faults.depthJitter)
      depths.append(
        Depth(
          turn: number, content: content, arrival: number + schedule.depthLatency + late,
          isDropped: lostDepth.contains(number), isLacking: depthless.contains(content.number)))
    }
    // A frame is late when one that was taken after it is there already.
    for i in depths.indices where !depths[i].isDropped && !depths[i].isLacking {
      depths[i].isOvertaken = depths[(i + 1)...].contains {
        !$0.isDropped && !$0.isLacking && $0.arrival <= depths[i].arrival
      }
    }
  }

  private func lostFrames(_ kind: FaultRandom.Kind, _ bursts: FaultBursts) -> Set<Int> {
    var lost: Set<Int> = []
    for number in 0..<count where schedule.faults.random.happens(kind, number, bursts.chance) {
      lost.formUnion(number..<number + bursts.length)
    }
    return lost
  }

  /// Of deliveries, in order: neighbours change places, and some repeat the one before.
  private func contents(of deliveries: [Int], _ faults: OrderFaults) -> [DeliveredContent] {
    let random = schedule.faults.random
    var contents = deliveries.map { DeliveredContent(number: $0) }
    for first in stride(from: 0, to: deliveries.count - 1, by: 2)
    where random.happens(faults.swapKind, deliveries[first], faults.swap) {
      contents.swapAt(first, first + 1)
      contents[first].isSwapped = true
      contents[first + 1].isSwapped = true
    }
    for i in contents.indices
    where i % 64 != 0 && random.happens(faults.duplicateKind, deliveries[i], faults.duplicate) {
      contents[i] = contents[i - 1]
      contents[i].isDuplicate = true
    }
    return contents
  }

  /// A video frame that a program gets.
  struct Played {
    var number: Int
    /// New depth, or where play begins the depth that holds.
    var depth: DeliveredContent?
    /// The video frame whose faces hold.
    var look: Int?
  }

  /// What a program gets that plays a part in some order, once.
  func play(_ order: PlayOrder) -> (sets: [Played], counts: ReplayCounts) {
    let part = order.isReversed ? Array(order.frames.reversed()) : Array(order.frames)
    var counts = ReplayCounts()
    var sets: [Played] = []
    var waiting: [Depth] = []
    for (position, number) in part.enumerated() {
      waiting += depths.filter { $0.arrival == number }
      guard position % order.every == 0 else { continue }
      guard let color = colors[number] else {
        if throttled.contains(number) { counts.colorThrottled += 1 } else { counts.colorDropped += 1 }
        continue
      }
      counts.video += 1
      counts.colorDuplicated += color.isDuplicate ? 1 : 0
      counts.colorSwapped += color.isSwapped ? 1 : 0
      counts.depthDue += waiting.count
      counts.depthDropped += waiting.count { $0.isDropped }
      counts.depthLacking += waiting.count { !$0.isDropped && $0.isLacking }
      let whole = waiting.filter { !$0.isDropped && !$0.isLacking }
      let arrived = whole.filter { !$0.isOvertaken }.min { abs($0.arrival - number) < abs($1.arrival - number) }
      counts.depthSuperseded += whole.count - (arrived == nil ? 0 : 1)
      var depth = arrived?.content
      if let depth {
        counts.depthDelivered += 1
        counts.depthDuplicated += depth.isDuplicate ? 1 : 0
        counts.depthSwapped += depth.isSwapped ? 1 : 0
        counts.depthStuck += depth.isStuck ? 1 : 0
      } else if waiting.contains(where: { !$0.isDropped && $0.isLacking }) {
        counts.depthMissing += 1
      } else {
        counts.depthHeld += 1
      }
      waiting = []
      if sets.isEmpty, depth == nil {
        let before = depths.filter { !$0.isDropped && !$0.isLacking && !$0.isOvertaken && $0.arrival < number }
        depth = before.max { $0.arrival < $1.arrival }?.content
      }
      let look = looks.last { $0 + schedule.facesLatency <= number }
      if let look, schedule.faults.lostFaces.contains(look) { counts.facesLost += 1 }
      sets.append(Played(number: number, depth: depth, look: look))
    }
    return (sets, counts)
  }
}

extension SeededGenerator {
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(below: elements.count)] }

  /// Any parameters of a replay; about half of them at their defaults.
  mutating func replayParameters(frames: Int) throws -> ParameterSet {
    var set = ParameterSet(ReplayParameters.all)
    func fraction(_ random: inout SeededGenerator) -> String {
      let q = 1 + random.next(below: random.pick([1, 2, 3, 5, 30]))
      return "\(1 + random.next(below: q))/\(q)"
    }
    for declaration in ReplayParameters.all where next(below: 2) == 0 {
      let text: String
      switch declaration.name {
      case "fault.depth-noise": text = pick(["0", "1", "2.5"])
      case "depth.phase": text = "\(next(below: 12) - 1)"
      case "depth.latency", "faces.latency": text = "\(next(below: 6))"
      case "fault.depth-jitter": text = "\(next(below: 5))"
      case "fault.seed": text = "\(next(below: 1_000_000))"
      case let name where name.hasSuffix("-burst"): text = "\(1 + next(below: 4))"
      case let name where name.hasSuffix("from"): text = "\(next(below: frames + 2) - 1)"
      case let name where name.hasSuffix("-frames"): text = "\(1 + next(below: frames))"
      default:
        if case .fraction = declaration.domain {
          text = fraction(&self)
        } else {
          text = pick(["0", "0.1", "0.3", "0.5", "1"])
        }
      }
      try set.set(declaration.name, to: text)
    }
    return set
  }
}
