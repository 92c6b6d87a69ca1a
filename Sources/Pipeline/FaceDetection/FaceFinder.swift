import FrameModel
import Support

/// Finds, tracks and measures faces in one colour stream.
///
/// It searches near known faces first, which is much faster; everywhere if one is not found there, in
/// every third frame if there is none, and now and then for others. With depth, only faces of a fitting size count.
package final class FaceFinder: FaceObserver, @unchecked Sendable {
  // Unchecked: serves one thread at a time, as `FaceObserver` requires.
  package var detector: String { faceDetector.name }

  private let faceDetector: any FaceDetector
  private let image: GreyImage
  private let depthView: DepthView?
  private let sizes: FaceSizes
  private var advice = FaceAdvice()
  private var tracks: [FaceTrack] = []
  private var looksSinceEverywhere = FaceFinder.everywhereInterval
  /// Frames since the last search that were skipped or unreadable.
  private var unseenFrameCount = 0
  /// How far a face may move from one frame to the next, in its widths.
  private let reach: Double

  /// Frames between searches everywhere while faces are tracked.
  static let everywhereInterval = 30
  /// The same while none is: these searches cost most.
  static let idleInterval = 3
  static let mostTracks = 4
  /// Boxes that overlap less than this are different faces.
  private static let sameFace = 0.25
  /// A brisk walk across the picture, 2.5 m/s, in face widths of 16 cm.
  private static let widthsPerSecond = 15.0
  /// Frames without a hit after which a face is not looked for any farther away.
  private static let longestReach = 3
  /// Between the widths of a face before and after it moved.
  private static let widthRatio = 1.4

  /// - Parameter depth: a stream with the same view; nil for none, and then no yaw or pitch.
  /// - Throws: `.unsupported` for colour without pictures; `.corrupt` for an unsuitable detector.
  package init(
    _ detector: any FaceDetector, color: StreamDescription, depth: StreamDescription?
  ) throws(RetakeError) {
    faceDetector = detector
    image = try GreyImage(color.layout, usefulSide: detector.usefulSide)
    depthView = depth.flatMap { DepthView(depth: $0, color: color) }
    sizes = FaceSizes(image)
    reach = max(0.75, Self.widthsPerSecond / color.rate.framesPerSecond)
    try detector.prepare(for: image)
  }

  package func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation] {
    do throws(RetakeError) {
      try image.read(color)
    } catch {
      unseenFrameCount += 1
      throw error
    }
    depthView?.show(depth)
    // Return the buffer to its pool.
    defer { depthView?.show(nil) }
    try track()
    try turn()
    let faces = tracks.filter(\.isConfirmed).map(observation)
    advice.note(faceCount: faces.count, hasDepth: depthView?.hasPicture == true, brightness: image.brightness)
    return faces
  }

  /// One sentence on what to try if most frames so far have no face; nil otherwise.
  /// - Parameter option: of the command that names the detector.
  package func advice(option: String) -> String? {
    advice.sentence(faceDetector.remedies(in: image, hasDepth: !advice.lacksDepth), option: option)
  }

  package func skip(_ frameCount: Int) { unseenFrameCount += frameCount }

  // MARK: Boxes

  private func track() throws(RetakeError) {
    var isSeen = tracks.map { _ in false }
    for position in tracks.indices where tracks[position].missed == 0 {
      let found = try faceDetector.faces(in: image, .near(tracks[position].box))
      if let face = nearest(found, to: position) {
        tracks[position].see(face)
        isSeen[position] = true
      }
    }
    looksSinceEverywhere += 1
    let interval = tracks.isEmpty ? Self.idleInterval : Self.everywhereInterval
    if !isSeen.allSatisfy(\.self) || looksSinceEverywhere >= interval {
      looksSinceEverywhere = 0
      try lookEverywhere(&isSeen)
    }
    for position in isSeen.indices where !isSeen[position] { tracks[position].miss(frameCount: unseenFrameCount + 1) }
    unseenFrameCount = 0
    tracks.removeAll(where: \.isGone)
    removeDoubles()
  }

  private func lookEverywhere(_ isSeen: inout [Bool]) throws(RetakeError) {
    var search = FaceSearch.everywhere
    if let depthView, depthView.hasPicture {
      sizes.read(depthView)
      search = .sized(sizes)
    }
    let found = try faceDetector.faces(in: image, search)
    var isTaken = found.map { face in
      isSeen.indices.contains { isSeen[$0] && tracks[$0].box.overlap(with: face.box) > Self.sameFace }
    }
    for position in isSeen.indices where !isSeen[position] {
      let free = found.indices.filter { !isTaken[$0] }
      guard let face = nearest(free.map { found[$0] }, to: position) else { continue }
      tracks[position].see(face)
      isSeen[position] = true
      for i in free where found[i].box.overlap(with: face.box) > Self.sameFace { isTaken[i] = true }
    }
    // While other faces are known, a new face must be found twice.
    let isFirst = tracks.isEmpty
    for (position, face) in found.enumerated()
    where !isTaken[position] && tracks.count < Self.mostTracks {
      isSeen.append(true)
      tracks.append(FaceTrack(face, isTrusted: isFirst && tracks.isEmpty))
    }
  }

  /// The face that overlaps a track most; without one, the nearest of about its size that it can have moved to and that no
  /// other track overlaps.
  private func nearest(_ faces: [DetectedFace], to position: Int) -> DetectedFace? {
    let (track, box) = (tracks[position], tracks[position].box)
    let same = faces.filter { $0.box.overlap(with: box) > Self.sameFace }.max {
      ($0.box.overlap(with: box), $1.box.x) < ($1.box.overlap(with: box), $0.box.x)
    }
    if let same { return same }
    let reach = reach * Double(min(track.missed + unseenFrameCount + 1, Self.longestReach)) * box.width
    func distance(_ face: DetectedFace) -> Double {
      max(abs(face.box.centerX - box.centerX), abs(face.box.centerY - box.centerY))
    }
    return faces.filter { face in
      let ratio = face.box.width / box.width
      return distance(face) <= reach && ratio <= Self.widthRatio && ratio * Self.widthRatio >= 1
        && !tracks.indices.contains { $0 != position && tracks[$0].box.overlap(with: face.box) > Self.sameFace }
    }.min { (distance($0), $0.box.x) < (distance($1), $1.box.x) }
  }

  /// The older of two tracks on one face stays.
  private func removeDoubles() {
    for younger in tracks.indices.dropFirst().reversed() {
      let isDouble = (0..<younger).contains { tracks[$0].box.overlap(with: tracks[younger].box) > 0.5 }
      if isDouble { tracks.remove(at: younger) }
    }
  }

  // MARK: Pose

  private func turn() throws(RetakeError) {
    for position in tracks.indices where tracks[position].missed == 0 {
      let track = tracks[position]
      let roll = try faceDetector.roll(
        in: image, of: DetectedFace(box: track.box, confidence: track.confidence, roll: track.seenRoll))
      var angles: (yaw: Double, pitch: Double)?
      if depthView?.hasPicture == true {
        let (points, lookedAt) = points(track.box)
        angles = FacePlane.angles(points, lookedAt: lookedAt, roll: roll ?? track.roll.value ?? 0)
      }
      tracks[position].turn(roll: roll, yaw: angles?.yaw, pitch: angles?.pitch)
    }
  }

  private func points(_ box: FaceObservation.Box) -> (points: [DepthView.Point], lookedAt: Int) {
    guard let depthView else { return ([], 0) }
    let scale = Double(image.reduction)
    return depthView.points(
      centerX: box.centerX * scale, centerY: box.centerY * scale,
      radiusX: FacePlane.radius * box.width * scale, radiusY: FacePlane.radius * box.height * scale)
  }

  private func observation(_ track: FaceTrack) -> FaceObservation {
    let scale = Double(image.reduction)
    return FaceObservation(
      box: FaceObservation.Box(
        x: track.box.x * scale, y: track.box.y * scale, width: track.box.width * scale, height: track.box.height * scale
      ),
      confidence: track.confidence, roll: track.roll.value, pitch: track.pitch.value, yaw: track.yaw.value,
      detector: detector, framesSinceSeen: track.missed)
  }
}
