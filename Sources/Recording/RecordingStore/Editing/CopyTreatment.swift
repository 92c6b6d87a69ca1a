import ChunkFormat
import FrameModel
import Support

/// What a copy of a recording has in the place of some of its frames and faces. Numbers, times, events and marks are the
/// copy's own business. Serves one copy, on one thread, in the order of the recording's chunk files.
package protocol CopyTreatment: AnyObject {
  /// The copy's: as many as the recording's, of the same kinds, sizes and formats.
  var streams: [StreamDescription] { get }
  /// Says what is done; it enters the copy's id.
  var name: String { get }

  /// - Returns: the frame for the copy, with its codec, length and checksum.
  /// - Throws: `.corrupt` for a frame that cannot be read: it is left out, and the copy's report says so.
  func treated(
    _ message: FrameMessage, payload: UnsafeRawBufferPointer, stream: Int
  ) throws(RetakeError) -> (message: FrameMessage, payload: [UInt8])
  /// What the copy says of faces in a frame.
  func treated(_ faces: FacesMessage) -> FacesMessage
}
