/// What was delivered so far, exactly.
///
/// Every frame set that play came to is one of the first three: `video`, `colorThrottled`, `colorDropped`. Of every video frame
/// whose recording has depth: `video` = `depthDelivered` + `depthHeld` + `depthMissing`. And of every depth frame whose time
/// came up to the last video frame: `depthDue` = `depthDelivered` + `depthDropped` + `depthLacking` + `depthSuperseded`.
package struct ReplayCounts: Hashable, Sendable {
  /// Video frames that were given.
  package var video = 0
  /// Left out by the throttle.
  package var colorThrottled = 0
  /// Lost by a fault.
  package var colorDropped = 0
  /// Of the video frames: the one before once more; out of order.
  package var colorDuplicated = 0
  package var colorSwapped = 0

  /// Video frames with new depth.
  package var depthDelivered = 0
  package var depthHeld = 0
  /// Video frames without new depth, although it was due: the recording has none there.
  package var depthMissing = 0

  /// Depth frames whose time came, be it with a frame set that was left out.
  package var depthDue = 0
  /// Lost by a fault.
  package var depthDropped = 0
  /// The recording has none there.
  package var depthLacking = 0
  /// A newer one came before or with it, or a nearer one before the next video frame.
  package var depthSuperseded = 0
  /// Of those delivered: the one before once more; out of order; stuck.
  package var depthDuplicated = 0
  package var depthSwapped = 0
  package var depthStuck = 0

  /// Video frames at which a detector that saw none had the last word, by a fault.
  package var facesLost = 0

  /// Frame sets that play came to.
  package var played: Int { video + colorThrottled + colorDropped }

  package init() {}

  static func += (a: inout ReplayCounts, b: ReplayCounts) {
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
