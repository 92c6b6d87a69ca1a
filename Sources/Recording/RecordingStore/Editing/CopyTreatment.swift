import ChunkFormat
import FrameModel
import Support

/// Replaces frames and faces while a recording is copied, for example to redact them. Does not
/// affect numbers, times, events or marks. Serves one copy, on one thread, in the order of the
/// recording's chunk files.
package protocol CopyTreatment: AnyObject {
  /// Streams of the copy. Their number, kinds, sizes and formats must equal the recording's.
  var streams: [StreamDescription] { get }
  /// Describes the treatment. It is part of the copy's recording id.
  var name: String { get }

  /// - Throws: `.corrupt` for an unreadable frame. The copy omits and reports it.
  func treated(
    _ message: FrameMessage, payload: UnsafeRawBufferPointer, stream: Int
  ) throws(RetakeError) -> (message: FrameMessage, payload: [UInt8])
  func treated(_ faces: FacesMessage) -> FacesMessage
}
