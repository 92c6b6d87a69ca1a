import Support

/// The pictures of a folder that could not be delivered, for the error at its end.
package struct LostPictures {
  private var first: RetakeError?
  private var others: [String] = []
  private var otherCount = 0
  private static let namedCount = 20

  package init() {}

  package mutating func note(_ name: String, _ error: RetakeError) {
    guard first != nil else {
      // A name that is nearly the same is another picture's.
      first =
        error.code == .notFound
        ? RetakeError(error.code, error.message, hint: "all other pictures were imported") : error
      return
    }
    otherCount += 1
    if others.count < Self.namedCount { others.append(name) }
  }

  /// Nil if none is lost.
  package var failure: RetakeError? {
    guard otherCount > 0 else { return first }
    let more = otherCount > others.count ? " and \(otherCount - others.count) more" : ""
    return first?.saying("Not imported either: \(others.joined(separator: ", "))\(more).")
  }
}

extension RetakeError {
  /// With another sentence behind the message.
  package func saying(_ sentence: String) -> RetakeError {
    RetakeError(code, message + (message.hasSuffix(".") ? " " : ". ") + sentence, hint: hint)
  }
}
