import Support

/// Receives a device's frames, on the device's threads.
package protocol CaptureSink: Sendable {
  /// Takes ownership of the frame. Returns at once for a live device, otherwise when there is room.
  func deliver(_ frame: CapturedFrame)
  /// Reports a loss for which there is no frame to deliver.
  func report(_ loss: CaptureLoss)
  /// No more frames will come: the end of a data set, or an error.
  func finished(_ error: RetakeError?)
}

/// Frames that were lost inside the device or its driver, or lost packets of frames.
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
