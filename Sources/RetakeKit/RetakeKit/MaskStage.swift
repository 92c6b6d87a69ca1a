public import RetakeReader

/// A way to find the person that a program provides beside the built-in ones.
///
/// Give it to `Parameters(preset:stages:)`. It is then a choice of `mask.kind` and `mask.second`,
/// and its parameters are called `mask.NAME.PARAMETER`; both can be swept. Digests and bug bundles
/// contain name, revision and parameters.
///
/// A mask must depend on its inputs and parameters only: no clock, no random numbers without a seed.
/// Otherwise replays do not give the same digests.
public protocol MaskStage: Sendable {
  /// Up to 40 lower-case letters, digits and hyphens: "chroma-key". Not that of a built-in mask.
  var name: String { get }
  /// Raise it when the same input gives another mask. 0 to 10⁹.
  var revision: Int { get }
  /// In the order of listings.
  var parameters: [StageParameter] { get }
  /// Whether it needs prepared depth. A recording without depth is then refused.
  var needsDepth: Bool { get }

  /// Called once for each replay, and for each setting of a sweep.
  /// - Throws: any error; the replay or the setting then fails with its sentence.
  func makeMasker(_ setup: MaskSetup) throws -> any Masker
}

extension MaskStage {
  public var parameters: [StageParameter] { [] }
  public var needsDepth: Bool { false }
}

/// Makes the masks of one replay, in the order of its frames. May keep state between frames. Called
/// by one thread at a time, not always by the same one.
public protocol Masker: AnyObject {
  /// Size of its masks in pixels, 1 to 16384 each, and the same for all frames. Masks are stretched
  /// over the video, but masks of the depth's size lie as depth does.
  var width: Int { get }
  var height: Int { get }

  /// - Parameter mask: `width * height` bytes in rows without padding, 0 for background to 255 for
  ///   the person. With `.new` all of them count; otherwise none does.
  /// - Throws: any error; this frame then has no mask, and the replay fails with its sentence.
  func mask(_ input: StageInput, into mask: UnsafeMutableBufferPointer<UInt8>) throws -> MaskResult
}

/// What became of a frame's mask.
public enum MaskResult: Sendable {
  case new
  /// The last mask holds.
  case unchanged
  /// There is none for this frame: `composite.without-mask` decides.
  case missing
}

/// What a stage is made for.
public struct MaskSetup: Sendable {
  /// Size of the colour pictures in pixels.
  public let videoWidth: Int
  public let videoHeight: Int
  /// Size of prepared depth in pixels; nil if the replay prepares none.
  public let depthWidth: Int?
  public let depthHeight: Int?
  let values: [String: String]

  /// The value of one of the stage's own parameters, by its own name: "threshold".
  /// - Precondition: the stage declares it as a number, integer, flag or choice respectively.
  public func number(_ name: String) -> Double { value(name) { Double($0) } }
  public func integer(_ name: String) -> Int { value(name) { Int($0) } }
  public func flag(_ name: String) -> Bool { value(name) { Bool($0) } }
  public func choice(_ name: String) -> String { value(name) { $0 } }

  private func value<Value>(_ name: String, _ parse: (String) -> Value?) -> Value {
    guard let value = values[name].flatMap(parse) else {
      preconditionFailure("the stage does not declare '\(name)' as a parameter of this type")
    }
    return value
  }
}

/// A frame as a stage gets it.
public struct StageInput: Sendable {
  /// Number of the frame set.
  public let frame: Int
  public let presentationNanoseconds: Int64
  /// `rgb24` of the video's size.
  public let color: Image
  /// Prepared depth, `depthMillimeters16`; nil before the first, or if the stage does not need it.
  public let depth: Image?
  /// Whether depth is new with this frame; otherwise the last one holds.
  public let depthIsNew: Bool
  /// Of this frame, in pixels of the video.
  public let faces: [Face]
}
