import FrameModel

/// An open V4L2 node without its C types; tests implement it in Swift. Not thread-safe.
package protocol VideoNode: AnyObject {
  func capability() throws(KernelError) -> VideoCapability
  /// Nil if the driver has no inputs.
  func input() -> VideoInput?
  func select(input: Int) throws(KernelError)

  func formats() -> [VideoFormatEntry]
  func sizes(of format: FourCC) -> VideoSizes
  func rates(of format: FourCC, _ size: PictureSize) -> VideoRates
  func format() throws(KernelError) -> VideoFormat
  /// - Returns: what the driver set, which may be anything.
  func setFormat(_ format: FourCC, _ size: PictureSize) throws(KernelError) -> VideoFormat
  /// Nil if the driver does not know.
  func rate() -> FrameRate?
  /// - Returns: what the driver set; nil if it does not know.
  func setRate(_ rate: FrameRate) throws(KernelError) -> FrameRate?

  /// Every control with a numeric value, and buttons.
  func controls() -> [VideoControl]
  func value(of control: VideoControl) throws(KernelError) -> Int64
  func set(_ control: VideoControl, to value: Int64) throws(KernelError)

  /// Requests buffers, of which the driver may give fewer or more. 0 releases them.
  func requestBuffers(_ count: Int) throws(KernelError) -> Int
  /// State of a buffer that was never queued; its flags say how it will be timestamped.
  func bufferState(_ index: Int) throws(KernelError) -> VideoBufferState
  /// A buffer's memory, valid until `close`.
  func map(_ index: Int) throws(KernelError) -> UnsafeRawBufferPointer
  func queue(_ index: Int) throws(KernelError)
  func startStreaming() throws(KernelError)
  func stopStreaming()
  func wait(milliseconds: Int) -> VideoReadiness
  /// - Throws: EAGAIN if no buffer is filled.
  func dequeue() throws(KernelError) -> VideoBufferState

  /// Unmaps the buffers and closes the node. Idempotent.
  func close()
}

/// The `errno` of a system call.
package struct KernelError: Error, Hashable, Sendable {
  package let number: Int32
  package init(_ number: Int32) { self.number = number }
}

package enum VideoReadiness: Sendable {
  case nothing
  case filled
  /// The queue is broken or the device is gone; `dequeue` reports which.
  case broken
}
