import COpenNI2
import Support

/// OpenNI 2's functions, loaded when first used. All are nil where the library is missing.
var openNI: copenni2_functions { OpenNI2Library.loaded.functions }

/// The loaded library. It is never shut down, since that crashes now and then in version 2.2.0.33.
enum OpenNI2Library {
  private static let version: Int32 = 2002

  fileprivate static let loaded: (functions: copenni2_functions, missing: RetakeError?) = {
    var functions = copenni2_functions()
    guard let reason = copenni2_load(&functions) else { return (functions, nil) }
    return (
      copenni2_functions(),
      RetakeError(
        .unsupported, "OpenNI's cameras need OpenNI 2, which could not be loaded: \(String(cString: reason)).",
        hint: "install Debian's package libopenni2-0")
    )
  }()

  private static let initialized: RetakeError? = {
    if let missing = loaded.missing { return missing }
    guard openNI.oniInitialize(version) != COPENNI2_OK else { return nil }
    return RetakeError(
      .device, "OpenNI 2 could not be initialised\(words).",
      hint: "check that its drivers in OpenNI2/Drivers can be read")
  }()

  /// Why no camera can be used; nil if the library was loaded.
  static var missing: RetakeError? { loaded.missing }

  /// - Throws: `.unsupported` where the library is missing.
  static func initialize() throws(RetakeError) { if let error = initialized { throw error } }

  /// The library's words for this thread's last error, for the end of a sentence.
  static var words: String {
    let text = openNI.oniGetExtendedError().map { String(cString: $0) } ?? ""
    let line = text.split(whereSeparator: \.isNewline).first.map { String($0.prefix(200)) } ?? ""
    return line.allSatisfy(\.isWhitespace) ? "" : ": \(line.drop(while: \.isWhitespace))"
  }

  struct Camera {
    let uri: String
    let summary: String

    init(_ info: OniDeviceInfo) {
      uri = Self.text(info.uri)
      summary = "\(Self.text(info.vendor)) \(Self.text(info.name)), through OpenNI 2"
    }

    private static func text<Characters>(_ characters: Characters) -> String {
      withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
  }

  /// Connected cameras, in the library's order.
  static func cameras() throws(RetakeError) -> [Camera] {
    try initialize()
    var (list, count): (UnsafeMutablePointer<OniDeviceInfo>?, Int32) = (nil, 0)
    guard openNI.oniGetDeviceList(&list, &count) == COPENNI2_OK, let list else { return [] }
    defer { _ = openNI.oniReleaseDeviceList(list) }
    return (0..<max(0, Int(count))).map { Camera(list[$0]) }
  }
}
