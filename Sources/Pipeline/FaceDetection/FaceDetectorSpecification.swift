import FrameModel
import Glibc
import Networks
import Support

/// A face detector as users name it: `lbp`, `haar?minimum=60`, `yunet:FILE.onnx?score=0.8`, …
package struct FaceDetectorSpecification: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The device's own faces if it reports any; else, for a live camera, `lbp` if installed.
    case auto
    /// Only the device's own faces.
    case recorded
    /// No faces; the device's own are discarded too.
    case none
    case lbp
    case haar
    case yunet

    /// Those that detect faces in pictures, as a stored recording needs.
    package static let searching: [Kind] = [.lbp, .haar, .yunet]
  }

  package let text: String
  package let kind: Kind
  private let place: String
  private var options = CascadeOptions()
  private var smallestScore = 0.7

  /// - Parameter kinds: those that the error suggests.
  /// - Throws: `.usage` that names the valid choices.
  package init(_ text: String, suggesting kinds: [Kind] = Kind.allCases) throws(RetakeError) {
    self.text = text
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let words = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = Kind(rawValue: String(words[0])) else {
      throw RetakeError(.usage, "There is no face detector '\(words[0])'.", hint: Self.advice(kinds))
    }
    self.kind = kind
    place = words.count == 2 ? String(words[1]) : ""
    let isCascade = kind == .lbp || kind == .haar
    if kind == .yunet && place.isEmpty {
      throw RetakeError(
        .usage, "The face detector yunet needs an ONNX file.",
        hint: "give its path, for example yunet:/models/face_detection_yunet_2022mar.onnx")
    }
    if !place.isEmpty && !isCascade && kind != .yunet {
      throw RetakeError(.usage, "'\(kind.rawValue)' takes no file, but '\(text)' names '\(place)'.")
    }
    guard halves.count == 2 else { return }
    var seen: Set<String> = []
    for pair in halves[1].split(separator: "&") {
      let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2, seen.insert(words[0]).inserted else {
        throw RetakeError(
          .usage, "'\(pair)' in '\(text)' is not a valid option, or is given twice.",
          hint: "write options as name=value and join them with &")
      }
      try set(words[0], words[1], isCascade: isCascade)
    }
  }

  package static func advice(_ kinds: [Kind]) -> String {
    "choose one of \(kinds.map { $0 == .yunet ? "yunet:FILE" : $0.rawValue }.joined(separator: ", "))"
  }

  private mutating func set(_ name: String, _ value: String, isCascade: Bool) throws(RetakeError) {
    switch name {
    case "scale" where isCascade: options.scale = try number(name, value, in: 1.01...2, "1.01 to 2")
    case "minimum" where isCascade:
      let sides = 16...FrameLayout.largestSide
      options.minimum = try number(name, value, in: sides, "16 to \(sides.upperBound) pixels")
    case "neighbors" where isCascade: options.neighbors = try number(name, value, in: 1...100, "1 to 100")
    case "score" where kind == .yunet: smallestScore = try number(name, value, in: 0...1, "0 to 1")
    default:
      let known = isCascade ? "scale, minimum and neighbors" : kind == .yunet ? "score" : "no options"
      throw RetakeError(
        .usage, "The face detector '\(kind.rawValue)' has no option '\(name)'.", hint: "it takes \(known)")
    }
  }

  private func number<Number: LosslessStringConvertible>(
    _ name: String, _ value: String, in range: ClosedRange<Number>, _ rangeText: String
  ) throws(RetakeError) -> Number {
    guard let number = Number(value), range.contains(number) else {
      throw RetakeError(.usage, "'\(name)=\(value)' in '\(text)' must be from \(rangeText).")
    }
    return number
  }

  /// - Returns: nil for kinds that search no pictures.
  /// - Throws: `.unsupported` without OpenCV, `.notFound` and `.corrupt` for its files.
  package func detector() throws(RetakeError) -> (any FaceDetector)? {
    let path = place.isEmpty ? nil : place
    switch kind {
    case .auto, .recorded, .none: return nil
    case .lbp: return try CascadeFaceDetector(.lbp, path: path, options: options)
    case .haar: return try CascadeFaceDetector(.haar, path: path, options: options)
    case .yunet: return try YuNetFaceDetector(path: place, smallestScore: smallestScore)
    }
  }

  /// Whether the cascades that `auto` uses are installed.
  package static var hasCascades: Bool {
    access(CascadeFaceDetector.Kind.lbp.file, R_OK) == 0 && access(CascadeFaceDetector.eyesFile, R_OK) == 0
  }

  /// What `auto` lacks, as a clause that says what to install; nil if it can search.
  package static var missing: String? {
    if let missing = OpenCVLibrary.missing { return missing.hint }
    return hasCascades ? nil : "install Debian's package opencv-data"
  }
}
