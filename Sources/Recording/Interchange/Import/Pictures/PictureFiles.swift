import CaptureDevices
import FrameModel
import Media
import Support

/// Picture files of one stream, a frame each.
struct PictureFiles: PictureLane {
  let pictures: [TimedPicture]
  let coding: PictureCoding
  let unit: DepthUnit?
  /// What colour of 8 bits lacks of the pictures, by the first of them.
  let leftOut: [String]
  private let table: DepthSamplesTable?
  private static let largestByteCount = 1 << 28
  /// Pictures that are tried for one that is intact.
  private static let trialCount = 100

  var times: [Int64] { pictures.map(\.nanoseconds) }
  let missingCount = 0
  var kind: StreamKind { unit == nil ? .color : .depth }

  /// - Parameters:
  ///   - unit: of depth; nil for colour.
  ///   - isLargestInvalid: 65535 in depth means that nothing was measured.
  /// - Throws: `.unsupported` if the pictures are not of this kind; errors of the first picture.
  init(_ pictures: [TimedPicture], depth unit: DepthUnit?, isLargestInvalid: Bool = false) throws(RetakeError) {
    self.pictures = pictures
    self.unit = unit
    table = unit.map { DepthSamplesTable($0, isLargestInvalid: isLargestInvalid) }
    let found = try Self.firstCoding(pictures)
    guard let unit else {
      guard !found.coding.layout.format.isDepth else {
        throw RetakeError(
          .unsupported, "\(found.path) has grey samples of 16 bits, which is no colour.",
          hint: "give depth pictures with --depth")
      }
      (coding, leftOut) = (
        found.coding, found.leftOut.map { "left out of the color pictures, such as \(found.path): \($0)" }
      )
      return
    }
    leftOut = []
    guard found.coding.coding == .png(.grey16) else {
      throw RetakeError(
        .unsupported, "\(found.path) is not a PNG with grey samples of 16 bits, so it is no depth.",
        hint: "give pictures of 16-bit depth with --depth")
    }
    let layout = found.coding.layout
    coding = PictureCoding(
      layout: try FrameLayout(unit.format, width: layout.width, height: layout.height), coding: .png(.grey16))
  }

  /// The first picture that can be read determines the stream's size and format.
  private static func firstCoding(_ pictures: [TimedPicture]) throws(RetakeError) -> (
    coding: PictureCoding, leftOut: [String], path: String
  ) {
    var failure: RetakeError?
    for path in pictures.lazy.compactMap(\.path).prefix(trialCount) {
      do throws(RetakeError) {
        return try withImage(path) { image throws(RetakeError) in
          let coding = try PictureCoding(of: image)
          return (coding, try coding.leftOut(of: image), path)
        }
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? RetakeError(.notFound, "There are no pictures.", hint: "check the folder")
  }

  static func withImage<Result>(
    _ path: String, _ body: (ImageMessage) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    let bytes = try FileBytes.read(path, limit: largestByteCount)
    return try bytes.withRawBytes { bytes throws(RetakeError) in
      do throws(RetakeError) {
        return try body(ImageMessage(stampNanoseconds: nil, encoding: "", form: .compressed, data: bytes))
      } catch {
        throw RetakeError(error.code, "\(path) cannot be imported: \(error.message)", hint: error.hint)
      }
    }
  }

  func reader() -> any PictureReader { Reader(self) }

  fileprivate func frame(
    _ path: String, _ slot: PictureSlot, waitingUnless isStopping: () -> Bool
  ) throws(RetakeError) -> CapturedFrame? {
    let frame = try Self.withImage(path) { image throws(RetakeError) -> CapturedFrame? in
      let found = try PictureCoding(of: image)
      let (width, height) = (coding.layout.width, coding.layout.height)
      guard found.coding == coding.coding, (found.layout.width, found.layout.height) == (width, height) else {
        throw RetakeError(
          .unsupported, "it is not of \(width)x\(height) pixels in the format of its stream's first picture",
          hint: "all pictures of a stream must have the same size and format")
      }
      return try slot.memory.frame(
        of: image, coding, stream: slot.stream, tick: slot.tick, arrival: slot.arrival, isSuspect: false,
        waitingUnless: isStopping)
    }
    if let frame {
      table?.apply(UnsafeMutableRawBufferPointer(rebasing: frame.buffer.mutableBytes[..<frame.byteCount]))
    }
    return frame
  }
}

private final class Reader: PictureReader {
  private let files: PictureFiles
  private var position = 0
  private var lost = LostPictures()

  init(_ files: PictureFiles) { self.files = files }

  func next(_ slot: PictureSlot, waitingUnless isStopping: () -> Bool) throws(RetakeError) -> PictureOutcome {
    let picture = files.pictures[position]
    position += 1
    guard let path = picture.path else {
      lost.note(
        "picture \(picture.number), which is missing",
        RetakeError(.notFound, "Picture \(picture.number) of the \(files.kind.rawValue) pictures is missing."))
      return .lost(1)
    }
    do throws(RetakeError) {
      guard let frame = try files.frame(path, slot, waitingUnless: isStopping) else { return .stopped }
      return .frame(frame)
    } catch {
      lost.note(path, error)
      return .lost(1)
    }
  }

  func conclude() -> RetakeError? { lost.failure }
}
