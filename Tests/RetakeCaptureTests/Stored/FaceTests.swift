import CommandTestSupport
import TestSupport
import Testing

@Suite(.long) struct FaceTests {
  @Test func `cascade detectors find the simulated person's face`() throws {
    let folder = try TemporaryFolder()
    let pictures = Sample.count(of: 60, usual: 20)
    let options = "frames=\(pictures)&fps=\(pictures == 60 ? 2 : 1)"
    let recording = try CommandLineTool.recordSimulated(folder, "a.retake", options)
    let frames = folder.path("frames")
    try CommandLineTool.run(["replay", recording, "--tap", "original", "--output", "png:\(frames)"])
    let script = Checkout.root + "/Tests/RetakeCaptureTests/check_face.py"
    let check = try ChildProcess.run(Checkout.python, [script, frames])
    #expect(check.status == 0, "\(check.text)\(check.errors)")
  }
}
