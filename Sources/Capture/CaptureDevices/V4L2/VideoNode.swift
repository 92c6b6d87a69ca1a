import FrameModel

/// What V4L2 lets one do with an open video node, without its C: what lies below belongs to the kernel, what lies above is
/// tested with drivers that are written in Swift.
///
/// Used by one thread at a time.
package protocol VideoNode: AnyObject {
  func capability() throws(KernelError) -> VideoCapability
  /// The current input; nil where the driver has no notion of inputs.
  func input() -> VideoInput?
  func select(input: Int) throws(KernelError)

  /// Formats for video capture, in the driver's order.
  func formats() -> [VideoFormatEntry]
  func sizes(of format: FourCC) -> VideoSizes
  func rates(of format: FourCC, _ size: VideoSize) -> VideoRates
  func format() throws(KernelError) -> VideoFormat
  /// - Returns: what the driver really set, which may be anything.
  func setFormat(_ format: FourCC, _ size: VideoSize) throws(KernelError) -> VideoFormat
  /// Nil where the driver does not know.
  func rate() -> FrameRate?
  /// - Returns: what the driver really set; nil where it does not know.
  func setRate(_ rate: FrameRate) throws(KernelError) -> FrameRate?

  /// Every control that has a number for its value, and buttons.
  func controls() -> [VideoControl]
  func value(of control: VideoControl) throws(KernelError) -> Int64
  func set(_ control: VideoControl, to value: Int64) throws(KernelError)

  /// - Returns: how many buffers there are, which may be fewer or more. None are let go of with 0.
  func requestBuffers(_ count: Int) throws(KernelError) -> Int
  /// The state of a buffer that has never been queued: its flags say how it will be stamped.
  func bufferState(_ index: Int) throws(KernelError) -> VideoBufferState
  /// A buffer's memory, valid until `close`.
  func map(_ index: Int) throws(KernelError) -> UnsafeRawBufferPointer
  func queue(_ index: Int) throws(KernelError)
  func startStreaming() throws(KernelError)
  func stopStreaming()
  func wait(milliseconds: Int) -> VideoReadiness
  /// - Throws: EAGAIN when no buffer is filled.
  func dequeue() throws(KernelError) -> VideoBufferState

  /// Unmaps what was mapped. May be called more than once.
  func close()
}

/// A system call's `errno`.
package struct KernelError: Error, Hashable, Sendable {
  package let number: Int32
  package init(_ number: Int32) { self.number = number }
}

package enum VideoReadiness: Sendable {
  /// Nothing came in time.
  case nothing
  case filled
  /// The queue is broken or the device is gone; taking a buffer says which.
  case broken
}
