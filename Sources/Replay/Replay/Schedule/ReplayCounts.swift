/// Exact counts of deliveries.
///
/// - Frame sets played: `video` + `colorThrottled` + `colorDropped`.
/// - If the recording has depth: `video` = `depthDelivered` + `depthHeld` + `depthMissing`.
/// - Depth frames up to the last video frame: `depthDue` = `depthDelivered` + `depthDropped` +
///   `depthLacking` + `depthSuperseded`.
package struct ReplayCounts: Hashable, Sendable {
  package var video = 0
  package var colorThrottled = 0
  package var colorDropped = 0
  /// Video frames that repeat the one before, or are out of order.
  package var colorDuplicated = 0
  package var colorSwapped = 0

  package var depthDelivered = 0
  package var depthHeld = 0
  /// Video frames without new depth, although due, because the recording lacks it.
  package var depthMissing = 0

  /// Depth frames whose time has come, including those due with frame sets left out.
  package var depthDue = 0
  package var depthDropped = 0
  /// Depth frames that the recording lacks.
  package var depthLacking = 0
  /// Overtaken by a newer depth frame, or by a nearer one before the next video frame.
  package var depthSuperseded = 0
  /// Delivered depth frames that repeat the one before, are out of order, or are stuck.
  package var depthDuplicated = 0
  package var depthSwapped = 0
  package var depthStuck = 0

  /// Video frames without faces because of `fault.faces-lost-from`.
  package var facesLost = 0

  package var played: Int { video + colorThrottled + colorDropped }

  package init() {}

  package static func += (a: inout ReplayCounts, b: ReplayCounts) {
    a.video += b.video
    a.colorThrottled += b.colorThrottled
    a.colorDropped += b.colorDropped
    a.colorDuplicated += b.colorDuplicated
    a.colorSwapped += b.colorSwapped
    a.depthDelivered += b.depthDelivered
    a.depthHeld += b.depthHeld
    a.depthMissing += b.depthMissing
    a.depthDue += b.depthDue
    a.depthDropped += b.depthDropped
    a.depthLacking += b.depthLacking
    a.depthSuperseded += b.depthSuperseded
    a.depthDuplicated += b.depthDuplicated
    a.depthSwapped += b.depthSwapped
    a.depthStuck += b.depthStuck
    a.facesLost += b.facesLost
  }
}
