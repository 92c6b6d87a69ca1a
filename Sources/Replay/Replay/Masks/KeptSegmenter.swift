import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Segmentation
import Support

/// Returns masks kept beside a recording. Missing ones are computed by a network and kept. A replay
/// with kept masks is exact on every processor and does not run the network.
package final class KeptSegmenter: PersonSegmenter {
  package let maskSize: (width: Int, height: Int)
  package let answer: SegmentationAnswer
  package let identity: MaskIdentity
  package let model: String

  package struct Counts: Hashable, Sendable {
    package var found = 0
    package var computed = 0
    /// Frames for which the network failed.
    package var failed = 0

    package init(found: Int = 0, computed: Int = 0, failed: Int = 0) {
      (self.found, self.computed, self.failed) = (found, computed, failed)
    }
  }
  package private(set) var counts = Counts()

  private let reader: KeptMaskReader?
  private let openNetwork: () throws(RetakeError) -> ONNXSegmenter
  private var network: ONNXSegmenter?
  private var writer: KeptMaskWriter?
  private let note: (String) -> Void
  private var damageCount = 0
  private let checksum = RunningChecksum()
  private var written: Set<Int> = []

  /// XXH3-128 of all returned masks, each after its frame number.
  package var maskDigest: String { checksum.hex }

  /// - Parameters:
  ///   - writer: returns nil if no masks are to be kept.
  ///   - note: called with one sentence at a time for the user.
  ///   - network: opens the network when it is first needed.
  init(
    _ identity: MaskIdentity, model: String, reader: KeptMaskReader?,
    writer: (_ size: (width: Int, height: Int), SegmentationAnswer) throws(RetakeError) -> KeptMaskWriter?,
    note: @escaping (String) -> Void, network: @escaping () throws(RetakeError) -> ONNXSegmenter
  ) throws(RetakeError) {
    self.identity = identity
    self.model = model
    self.reader = reader
    self.note = note
    openNetwork = network
    if let reader, let kept = SegmentationAnswer(rawValue: reader.stream.answer) {
      maskSize = (reader.stream.width, reader.stream.height)
      answer = kept
    } else {
      let opened = try network()
      self.network = opened
      (maskSize, answer) = (opened.maskSize, opened.answer)
    }
    self.writer = try writer(maskSize, answer)
    noteDamage()
  }

  deinit { finish() }

  package func segment(
    _ frame: Frame, _ picture: PixelPlane<UInt8>, into mask: UnsafeMutablePointer<UInt8>
  ) throws(RetakeError) -> Bool {
    if let reader, try reader.read(frame.number, into: mask) {
      counts.found += 1
      add(frame, mask)
      return true
    }
    noteDamage()
    let network = try openedNetwork(for: frame)
    guard network.segment(frame, picture, into: mask) else {
      counts.failed += 1
      if counts.failed == 1 {
        note("\(model) failed on frame \(frame.number): \(network.failure). Such frames are left out.")
      }
      return false
    }
    counts.computed += 1
    add(frame, mask)
    keep(frame, mask)
    return true
  }

  private func add(_ frame: Frame, _ mask: UnsafeMutablePointer<UInt8>) {
    withUnsafeBytes(of: Int64(frame.number).littleEndian) { checksum.add($0) }
    checksum.add(UnsafeRawBufferPointer(start: mask, count: maskSize.width * maskSize.height))
  }

  private func openedNetwork(for frame: Frame) throws(RetakeError) -> ONNXSegmenter {
    if let network { return network }
    let opened: ONNXSegmenter
    do throws(RetakeError) {
      opened = try openNetwork()
    } catch {
      guard error.code == .notFound else { throw error }
      throw RetakeError(
        .notFound, "No mask of frame \(frame.number) is kept, and its model \(model) is missing.",
        hint: "give the model's file with mask.model=FILE.onnx, or replay only frames whose masks are kept")
    }
    guard opened.maskSize == maskSize, opened.answer == answer else {
      throw RetakeError(
        .corrupt, "The output of \(model) differs in size or kind from its kept masks.",
        hint: "remove the recording's folder masks/\(identity.key) to compute them again")
    }
    network = opened
    return opened
  }

  private func keep(_ frame: Frame, _ mask: UnsafeMutablePointer<UInt8>) {
    // A repeated frame is kept once.
    guard let writer, written.insert(frame.number).inserted else { return }
    do throws(RetakeError) {
      try writer.append(frame, UnsafeRawBufferPointer(start: mask, count: maskSize.width * maskSize.height))
    } catch {
      self.writer = nil
      note("Masks could not be kept: \(error.message)")
    }
  }

  /// Finishes writing the computed masks. Masks that cannot be kept are computed again next time.
  package func finish() {
    guard let writer else { return }
    do throws(RetakeError) {
      try writer.finish()
    } catch {
      self.writer = nil
      note("Masks could not be kept: \(error.message)")
    }
  }

  private func noteDamage() {
    guard let reader, reader.damage.count > damageCount else { return }
    if damageCount == 0 { note("A kept mask is damaged and is computed again: \(reader.damage[0])") }
    damageCount = reader.damage.count
  }
}
