import Support

/// Where a device's frames go. Called on the device's threads.
package protocol CaptureSink: Sendable {
  /// Takes the frame over. Returns at once for a live device, and when there is room for any other.
  func deliver(_ frame: CapturedFrame)
  /// Something was lost before there was a frame to deliver.
  func report(_ loss: CaptureLoss)
  /// No more frames will come: the end of a data set, or an error.
  func finished(_ error: RetakeError?)
}

/// Frames that were lost inside the device or its driver, so that nothing could be delivered; or packets of frames, which
/// the device counts.
package struct CaptureLoss: Hashable, Sendable {
  package var streamIndex: Int
  package var reason: FrameEvent.Reason
  package var count: Int
  package var arrival: MonotonicTime

  package init(streamIndex: Int, reason: FrameEvent.Reason, count: Int, arrival: MonotonicTime) {
    self.streamIndex = streamIndex
    self.reason = reason
    self.count = count
    self.arrival = arrival
  }
}
