import FrameModel

/// A frame set to process now, with the depth that look-ahead chose for it.
struct TimedFrames {
  var frames: FrameSet
  /// Faces of the frame set in which the depth frame arrived.
  var depthFaces: [FaceObservation]
  /// The depth frame after the one in force, if it has arrived.
  var nextDepth: Frame?
}

/// Delays video by `frameCount` frames so that later depth can be used (E.25). Each video frame
/// gets the nearest depth frame in time that arrived up to `frameCount` frames later. It never gets
/// an older one than the frame before; of two equally near, the earlier is used.
///
/// Holds the buffers of at most `frameCount` + 1 colour frames and two more depth frames.
struct LookAhead {
  private struct Depth {
    let frame: Frame
    let faces: [FaceObservation]
    var time: Int64 { frame.timestamps.presentation.nanoseconds }
  }

  private let frameCount: Int
  private var sets: Ring<FrameSet>
  /// Depth frames that arrived after the one in force.
  private var later: Ring<Depth>
  private var facesInForce: [FaceObservation] = []
  private var timeInForce: Int64?

  /// - Parameter frameCount: delay in frames; 0 disables it, and each depth frame is used when it
  ///   arrives.
  init(frameCount: Int) {
    self.frameCount = frameCount
    sets = Ring(capacity: frameCount + 1)
    later = Ring(capacity: frameCount + 2)
  }

  /// - Returns: the next frame set to process; nil while the delay fills up.
  mutating func push(_ frames: FrameSet) -> TimedFrames? {
    guard frameCount > 0 else { return TimedFrames(frames: frames, depthFaces: frames.faces, nextDepth: nil) }
    if let depth = frames.depth {
      // Overflows only if depth is stamped far later than video and is therefore never the nearest.
      if later.isFull { later.removeFirst() }
      later.append(Depth(frame: depth, faces: frames.faces))
    }
    sets.append(frames)
    return sets.isFull ? takeFirst() : nil
  }

  /// Returns the delayed frame sets after the last `push`, one per call.
  mutating func drain() -> TimedFrames? { sets.isEmpty ? nil : takeFirst() }

  private mutating func takeFirst() -> TimedFrames {
    var frames = sets.removeFirst()
    frames.depth = takeNearest(frames.color.timestamps.presentation.nanoseconds)
    return TimedFrames(
      frames: frames, depthFaces: timeInForce == nil ? frames.faces : facesInForce,
      nextDepth: later.isEmpty ? nil : later[0].frame)
  }

  /// - Returns: nil if the depth in force stays.
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

  /// The distance of any two times, without overflow.
  private static func distance(_ a: Int64, _ b: Int64) -> UInt64 {
    a > b ? UInt64(bitPattern: a &- b) : UInt64(bitPattern: b &- a)
  }
}

/// A FIFO queue of fixed capacity, allocated once.
private struct Ring<Element> {
  private var places: [Element?]
  private var first = 0
  private(set) var count = 0

  init(capacity: Int) { places = Array(repeating: nil, count: capacity) }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == places.count }

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
