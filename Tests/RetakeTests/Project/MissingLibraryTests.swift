import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// OpenCV, libfreenect, OpenNI 2 and libv4l2 are needed only by what uses them.
@Suite(.long) struct MissingLibraryTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Hides libraries from the program: the loader finds empty files first.
  private func hiding(_ libraries: String...) throws -> [String: String] {
    let hidden = folder.path("hidden")
    try FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: true)
    for library in libraries { try Data().write(to: URL(filePath: "\(hidden)/\(library)")) }
    return ["LD_LIBRARY_PATH": hidden]
  }

  private var everything: [String: String] {
    get throws {
      try hiding(
        "libRetakeOpenCV.so", "libopencv_objdetect.so.406", "libfreenect.so.0.5", "libfreenect.so", "libOpenNI2.so.0",
        "libOpenNI2.so", "libv4l2.so.0")
    }
  }

  @Test func `a simulated camera is recorded and replayed without any of them`() throws {
    let environment = try everything
    let path = folder.path("a.retake")
    try CommandLineTool.run(
      ["record", "--device", "simulated?pace=fast&frames=4", "-o", path, "--keep-free", "0"], environment: environment)
    let whole = try CommandLineTool.run(["replay", path, "--output", "digests:-"])
    let result = try CommandLineTool.run(["replay", path, "--output", "digests:-"], environment: environment)
    #expect(result.text == whole.text && !result.text.isEmpty)
    try CommandLineTool.run(["devices"], environment: environment)
  }

  @Test func `without OpenCV, detectors and networks name its package`() throws {
    let environment = try hiding("libopencv_objdetect.so.406")
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4")
    for arguments in [
      ["faces", path, "--replace"],
      ["record", "--device", "simulated?pace=fast&frames=4", "--faces", "lbp", "-o", folder.path("b.retake")],
    ] {
      let result = try CommandLineTool.run(arguments, expecting: 1, environment: environment)
      let lines = result.errors.split(separator: "\n")
      #expect(
        lines.contains { $0.hasPrefix("error: OpenCV could not be loaded: ") && $0.contains("libopencv_objdetect") },
        "\(result.errors)")
      #expect(lines.last == "hint: install Debian's package libopencv-objdetect406", "\(result.errors)")
    }
  }

  @Test func `without the library beside the program, its name and the command that makes it are given`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4")
    let result = try CommandLineTool.run(
      ["faces", path, "--replace"], expecting: 1, environment: hiding("libRetakeOpenCV.so"))
    #expect(result.errors.contains("swift build --product RetakeOpenCV"), "\(result.errors)")
  }

  @Test func `without libfreenect, a Kinect names its package`() throws {
    let environment = try hiding("libfreenect.so.0.5", "libfreenect.so")
    let result = try CommandLineTool.run(
      ["record", "--device", "kinect:0", "-o", folder.path("a.retake")], expecting: 1, environment: environment)
    #expect(
      result.errors.contains("error: A Kinect needs libfreenect, which could not be loaded: "), "\(result.errors)")
    #expect(result.errors.contains("hint: install Debian's package libfreenect0.5\n"), "\(result.errors)")
    let devices = try CommandLineTool.run(["devices"], environment: environment)
    #expect(devices.text.contains("install Debian's package libfreenect0.5"), "\(devices.text)")
  }

  @Test func `without OpenNI 2, its cameras name its package`() throws {
    let environment = try hiding("libOpenNI2.so.0", "libOpenNI2.so")
    let result = try CommandLineTool.run(
      ["record", "--device", "openni2", "-o", folder.path("a.retake")], expecting: 1, environment: environment)
    #expect(
      result.errors.contains("error: OpenNI's cameras need OpenNI 2, which could not be loaded: "), "\(result.errors)")
    #expect(result.errors.contains("hint: install Debian's package libopenni2-0\n"), "\(result.errors)")
  }

  @Test(arguments: [[], ["libv4l2.so.0"]])
  func `cameras of the kernel need no libv4l2`(_ hidden: [String]) throws {
    let environment = hidden.isEmpty ? [:] : try hiding(hidden[0])
    for path in ["/dev/null", "/nonexistent/video0"] {
      let result = try CommandLineTool.run(
        ["record", "--device", "v4l2:\(path)", "-o", folder.path("a.retake")], expecting: 1, environment: environment)
      #expect(
        result.errors.hasPrefix(
          path == "/dev/null" ? "error: /dev/null is not a video device." : "error: There is no /nonexistent/video0."),
        "\(result.errors)")
    }
  }

  @Test func `the program itself is linked to none of them`() throws {
    let linked = try ChildProcess.run("/usr/bin/ldd", [Checkout.retake]).text
    #expect(linked.contains("libzstd"), "\(linked)")
    for library in ["opencv", "freenect", "OpenNI", "v4l"] { #expect(!linked.contains(library), "\(linked)") }
  }
}
