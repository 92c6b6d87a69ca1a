import FrameModel

/// A frame set when its time has come, with what look-ahead knows of the time after it.
struct TimedFrames {
  var frames: FrameSet
  /// Faces of the video frame that the depth came with.
  var depthFaces: [FaceObservation]
  /// The depth frame after the one in force, where it is known.
  var nextDepth: Frame?
}

/// Holds video back for so many frames that depth which comes later can be used (E.25): each video frame gets the depth
/// that is nearest to it in time, of what came until so many frames after it, and never an older one than the frame before
/// had. Of two that are as near the earlier counts.
///
/// The frames it holds keep their buffers: at most `frameCount` + 1 colour frames, and two depth frames more.
struct LookAhead {
  private struct Depth {
    let frame: Frame
    let faces: [FaceObservation]
    var time: Int64 { frame.timestamps.presentation.nanoseconds }
  }

  private let frameCount: Int
  /// Frame sets that wait.
  private var sets: Ring<FrameSet>
  /// Depth that came after the one in force.
  private var later: Ring<Depth>
  private var facesInForce: [FaceObservation] = []
  private var timeInForce: Int64?

  /// - Parameter frameCount: 0: nothing is held back, and every depth frame is used when it comes.
  init(frameCount: Int) {
    self.frameCount = frameCount
    sets = Ring(capacity: frameCount + 1)
    later = Ring(capacity: frameCount + 2)
  }

  /// - Returns: nil while it waits.
  mutating func push(_ frames: FrameSet) -> TimedFrames? {
    guard frameCount > 0 else { return TimedFrames(frames: frames, depthFaces: frames.faces, nextDepth: nil) }
    if let depth = frames.depth {
      // Only where depth is stamped far later than video, and so never the nearest, does more than the room come up.
      if later.isFull { later.removeFirst() }
      later.append(Depth(frame: depth, faces: frames.faces))
    }
    sets.append(frames)
    return sets.isFull ? takeFirst() : nil
  }

  /// What still waits when no more comes, one at each call.
  mutating func drain() -> TimedFrames? { sets.isEmpty ? nil : takeFirst() }

  private mutating func takeFirst() -> TimedFrames {
    var frames = sets.removeFirst()
    frames.depth = takeNearest(frames.color.timestamps.presentation.nanoseconds)
    return TimedFrames(
      frames: frames, depthFaces: timeInForce == nil ? frames.faces : facesInForce,
      nextDepth: later.isEmpty ? nil : later[0].frame)
  }

  /// - Returns: nil where the depth in force stays.
  private mutating func takeNearest(_ time: Int64) -> Frame? {
    var nearest: Int?
    var least = timeInForce.map { Self.distance($0, time) } ?? .max
    for i in 0..<later.count {
      let distance = Self.distance(later[i].time, time)
      guard distance < least || (nearest == nil && timeInForce == nil) else { continue }
      (nearest, least) = (i, distance)
    }
    guard let nearest else { return nil }
    for _ in 0..<nearest { later.removeFirst() }
    let depth = later.removeFirst()
    (timeInForce, facesInForce) = (depth.time, depth.faces)
    return depth.frame
  }

  /// Of any two times at all.
  private static func distance(_ a: Int64, _ b: Int64) -> UInt64 {
    a > b ? UInt64(bitPattern: a &- b) : UInt64(bitPattern: b &- a)
  }
}

/// First in, first out, in memory that was taken once.
private struct Ring<Element> {
  private var places: [Element?]
  private var first = 0
  private(set) var count = 0

  init(capacity: Int) { places = Array(repeating: nil, count: capacity) }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == places.count }

  /// The i-th of those that are there.
  subscript(i: Int) -> Element { places[(first + i) % places.count]! }

  mutating func append(_ element: Element) {
    places[(first + count) % places.count] = element
    count += 1
  }

  @discardableResult mutating func removeFirst() -> Element {
    let element = places[first]!
    places[first] = nil
    first = (first + 1) % places.count
    count -= 1
    return element
  }
}
