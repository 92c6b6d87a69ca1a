/// What to try where a detector finds no face in most frames.
struct FaceAdvice {
  private(set) var searchedCount = 0
  private(set) var missedCount = 0
  /// Frames without a face that are dark, or that depth said nothing of.
  private(set) var darkCount = 0
  private(set) var withoutDepthCount = 0

  /// Mean of the luma, 0 to 255, below which a picture is dark.
  static let darkness = 40

  /// - Parameter brightness: mean of the luma; read only for a frame without a face.
  mutating func note(faceCount: Int, hasDepth: Bool, brightness: () -> Int) {
    searchedCount += 1
    guard faceCount == 0 else { return }
    missedCount += 1
    if brightness() < Self.darkness { darkCount += 1 }
    if !hasDepth { withoutDepthCount += 1 }
  }

  /// Whether most frames without a face had no depth either.
  var lacksDepth: Bool { 2 * withoutDepthCount > missedCount }

  /// - Parameter option: of the command that names the detector.
  /// - Returns: nil if at least half of the frames have a face, or nothing is left to try.
  func sentence(_ remedies: [FaceRemedy], option: String) -> String? {
    guard 2 * missedCount > searchedCount else { return nil }
    var attempts = 2 * darkCount > missedCount ? ["more light"] : []
    attempts += remedies.map { "\(option) '\($0.specification)', which \($0.effect)" }
    guard let last = attempts.popLast() else { return nil }
    let all = attempts.isEmpty ? last : attempts.joined(separator: ", ") + ", or " + last
    return
      "No face was found in \(missedCount) of \(searchedCount) searched frames; if people face the camera there, try \(all)."
  }
}
