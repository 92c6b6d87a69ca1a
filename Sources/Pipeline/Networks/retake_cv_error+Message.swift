import COpenCV

extension retake_cv_error {
  /// OpenCV's reason as part of a sentence, without a full stop.
  package var message: String {
    let text = withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    return trimmed.hasSuffix(".") ? String(trimmed.dropLast()) : trimmed.isEmpty ? "no reason is given" : trimmed
  }
}

/// Limit for the child process that tries out a model; a slower model is useless, or never ends.
package let modelTrialLimitSeconds: UInt32 = 120
