import COpenCV
import Support

/// OpenCV's functions, loaded when a detector or a network first needs them.
package struct OpenCVLibrary: Sendable {
  package let functions: retake_opencv

  private static let loaded: Result<OpenCVLibrary, RetakeError> = {
    var error = retake_cv_error()
    if let functions = retake_opencv_load(&error) { return .success(OpenCVLibrary(functions: functions.pointee)) }
    return .failure(
      RetakeError(
        .unsupported, "OpenCV could not be loaded: \(error.message).", hint: hint(forReason: error.message)))
  }()

  /// - Throws: `.unsupported` that names the missing package.
  package static func load() throws(RetakeError) -> OpenCVLibrary { try loaded.get() }

  /// Why OpenCV cannot be used; nil if it can.
  package static var missing: RetakeError? {
    if case .failure(let error) = loaded { error } else { nil }
  }

  /// Such as "4.6.0".
  package var version: String { functions.retake_cv_version().map { String(cString: $0) } ?? "" }

  /// - Parameter reason: the loader's words, such as "libopencv_dnn.so.406: cannot open shared object file: …".
  package static func hint(forReason reason: String) -> String {
    let file = reason.prefix { $0 != ":" }.split(separator: "/").last ?? ""
    guard file.hasPrefix("libopencv_"), let end = file.firstRange(of: ".so.") else {
      return "libRetakeOpenCV.so must lie beside the program: copy it too, or make a link to the program; "
        + "in a checkout, 'swift build --product RetakeOpenCV' makes it"
    }
    let (name, version) = (file[..<end.lowerBound], file[end.upperBound...])
    // Debian's package of libopencv_objdetect.so.406 is libopencv-objdetect406; it depends on the others.
    return "install Debian's package libopencv-objdetect\(version)"
      + (name == "libopencv_objdetect" ? "" : ", which depends on \(name.replacing("_", with: "-"))\(version)")
  }
}
