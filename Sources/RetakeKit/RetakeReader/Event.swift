package import FrameModel
package import RecordingStore

/// An irregularity: frames that are unpaired, dropped, late, damaged or missing.
public struct Event: Hashable, Sendable {
  /// Index of the stream.
  public let stream: Int
  /// Where it happened: "device", "queue", "encoder", "disk", "pairing" or "preroll".
  public let stage: String
  /// "dropped", "damaged", "late", "unpaired", …: the guide Losses.md lists them.
  public let reason: String
  /// Number in its stream of the affected frame or, if that frame is lost, of the next frame kept.
  public let frameNumber: Int
  /// Frames; packets for "lost-packets".
  public let count: Int
  public let presentationNanoseconds: Int64
  /// Whether the recording lacks something that the camera saw.
  public let isLoss: Bool

  package init(_ event: FrameEvent) {
    (stream, stage, reason) = (event.stream, event.stage.rawValue, event.reason.rawValue)
    (frameNumber, count, isLoss) = (event.frameNumber, event.count, event.isLoss)
    presentationNanoseconds = event.presentation.nanoseconds
  }
}

/// A moment to find again.
public struct Mark: Hashable, Sendable {
  /// One line; may be empty.
  public let label: String
  public let presentationNanoseconds: Int64

  package init(_ mark: FrameModel.Mark) {
    (label, presentationNanoseconds) = (mark.label, mark.presentation.nanoseconds)
  }
}

/// The estimated offset of depth against colour.
public struct Alignment: Hashable, Sendable {
  /// By how much depth has to move, right and down, in thousandths of a depth pixel.
  public let x: Int
  public let y: Int
  /// Of x and y, in thousandths of a depth pixel.
  public let uncertainty: Int

  package init(_ alignment: ColorAlignment) {
    (x, y, uncertainty) = (alignment.x, alignment.y, alignment.uncertainty)
  }
}
