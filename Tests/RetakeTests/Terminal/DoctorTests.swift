import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What `retake doctor` says of the machine.
@Suite(.long) struct DoctorTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func findings(_ environment: [String: String]) throws -> [String: [String: Any]] {
    let report = try CommandLineTool.json(CommandLineTool.run(["doctor", "--json"], environment: environment).text)
    #expect(report["format_version"] as? Int == 1)
    #expect((report["version"] as? String)?.isEmpty == false && report["commit"] is String)
    let list = try #require(report["findings"] as? [[String: Any]])
    for finding in list {
      for key in ["name", "state", "detail", "purpose"] { #expect(finding[key] is String, "\(finding)") }
      #expect((finding["state"] as? String == "ok") == (finding["remedy"] == nil), "\(finding)")
    }
    return Dictionary(list.map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
  }

  @Test func `what is installed is there, with versions`() throws {
    let found = try findings([:])
    for name in ["OpenCV", "opencv-data", "libfreenect", "OpenNI 2", "libv4l2", "ffmpeg", "disk"] {
      #expect(found[name]?["state"] as? String == "ok", "\(name): \(found[name] ?? [:])")
    }
    #expect((found["OpenCV"]?["detail"] as? String)?.first?.isNumber == true)
    #expect(try CommandLineTool.run(["doctor"]).text.hasPrefix("retake "))
  }

  @Test func `what is missing has a purpose and a package, and is no failure`() throws {
    for library in [
      "libopencv_objdetect.so.406", "libfreenect.so.0.5", "libfreenect.so", "libOpenNI2.so.0", "libOpenNI2.so",
      "libv4l2.so.0",
    ] {
      try Data().write(to: URL(filePath: folder.path(library)))
    }
    let environment = ["LD_LIBRARY_PATH": folder.path(""), "PATH": folder.path("")]
    let found = try findings(environment)
    for (name, package) in [
      ("OpenCV", "libopencv-objdetect406"), ("libfreenect", "libfreenect0.5"), ("OpenNI 2", "libopenni2-0"),
      ("libv4l2", "libv4l-0"), ("ffmpeg", "ffmpeg"),
    ] {
      #expect(found[name]?["state"] as? String == "missing", "\(found[name] ?? [:])")
      #expect(found[name]?["remedy"] as? String == "install Debian's package \(package)")
    }
    let text = try CommandLineTool.run(["doctor"], environment: environment).text
    #expect(
      text.contains("for face detection") && text.contains("hint: install Debian's package libfreenect0.5"), "\(text)")
  }

  @Test func `a folder that cannot be written is a problem`() throws {
    // Root may write anywhere but here.
    let result = try ChildProcess.run("/bin/sh", ["-c", "cd /proc && exec \"$0\" doctor", Checkout.retake])
    #expect(result.status == 1)
    #expect(result.text.contains("problem  disk"), "\(result.text)")
    #expect(result.text.contains("record into another folder") || result.text.contains("free some space"))
  }
}
