import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `retake devices --probe`: what a camera really delivers.
/// One after the other, since cameras in real time need the machine to be quick.
@Suite(.serialized, .long) struct DeviceProbeTests {
  private func streams(_ json: [String: Any]) throws -> [[String: Any]] {
    try #require(json["streams"] as? [[String: Any]])
  }

  @Test func `it says rate, jitter, clock, format and what recording would cost`() throws {
    let device = "simulated?alpha=0&noise=0&backlog=1000"
    let result = try CommandLineTool.run(
      ["devices", "--probe", device, "--size", "160x120", "--seconds", "1500ms", "--json"])
    let json = try CommandLineTool.json(result.text)
    #expect(json["device"] as? String == device + "&size=160x120")
    #expect(json["is_live"] as? Bool == true)
    let streams = try streams(json)
    #expect(streams.map { $0["name"] as? String } == ["color", "depth"])
    #expect(streams.map { $0["format"] as? String } == ["RGB24", "Z16"])
    for stream in streams {
      #expect(stream["width"] as? Int == 160 && stream["nominal_rate"] as? String == "30")
      #expect(stream["clock_hertz"] as? Int == 1_000_000 && stream["clock_bits"] as? Int == 64)
      #expect((1...60).contains(try #require(stream["frames"] as? Int)))
      let jitter = try #require(stream["jitter_median_ms"] as? Double)
      #expect(try jitter >= 0 && jitter <= #require(stream["jitter_p99_ms"] as? Double))
      #expect(try #require(stream["first_frame_ms"] as? Double) > 0)
      let (raw, stored) = (stream["raw_bytes_per_second"] as? Double, stream["stored_bytes_per_second"] as? Double)
      #expect(try #require(stored) > 0 && stored! < #require(raw))
      #expect(try #require(stream["encoding_cores"] as? Double) > 0)
      #expect((stream["settings"] as? [String: Any])?["noise"] as? String == "0")
    }
    #expect(try #require(json["process_cores"] as? Double) > 0)
  }

  @Test func `it agrees with what the recorder then writes`() throws {
    let device = "simulated?pace=fast&frames=40&size=160x120"
    let probe = try CommandLineTool.json(
      CommandLineTool.run(["devices", "--probe", device, "--seconds", "60s", "--json"]).text)
    let folder = try TemporaryFolder()
    let path = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=40&size=160x120")
    let info = try CommandLineTool.json(CommandLineTool.run(["info", path, "--json"]).text)
    #expect(probe["is_live"] as? Bool == false && probe["process_cores"] == nil)
    for (probed, recorded) in zip(try streams(probe), try streams(info)) {
      #expect(probed["frames"] as? Int == 40 && recorded["frames"] as? Int == 40)
      // The end of the data ended it, not the time.
      let seconds = 40.0 / 30
      let raw = try #require(probed["raw_bytes_per_second"] as? Double)
      #expect(try abs(raw * seconds - Double(#require(recorded["raw_bytes"] as? Int))) < 0.01 * raw)
      let stored = try #require(probed["stored_bytes_per_second"] as? Double)
      // A chunk file adds some hundred bytes a frame: its times, its number, its checksum.
      let added = Double(try #require(recorded["stored_bytes"] as? Int)) - stored * seconds
      #expect((0...40 * 200).contains(added), "\(added)")
      #expect(try abs(#require(probed["measured_fps"] as? Double) - 30) < 0.01)
    }
  }

  @Test func `lost frames are named, and the exit code says so`() throws {
    let result = try CommandLineTool.run(
      ["devices", "--probe", "simulated?pace=fast&frames=100&drop=0.1&damage=0.1&size=32x24&alpha=0"], expecting: 3)
    #expect(result.text.contains("color frames dropped") && result.text.contains("depth frames damaged"))
    #expect(
      result.text.contains("Recording this device takes about ") && result.text.contains("of a core for encoding"))
    #expect(result.text.contains("STREAM") && result.text.contains("clock of 1 MHz, 64 bits"))
    #expect(result.text.contains("seed=1"))
  }

  @Test func `a camera that goes away or brings nothing is said`() throws {
    let gone = try CommandLineTool.run(
      ["devices", "--probe", "simulated?unplug=10:1000&size=32x24"], expecting: 3)
    #expect(gone.errors.contains("was unplugged") && gone.text.contains("color"))
    let silent = try CommandLineTool.run(
      ["devices", "--probe", "simulated?stall=0:1000&size=32x24", "--seconds", "300ms"], expecting: 1)
    #expect(silent.errors.contains("simulated delivered no frame in "), "\(silent.errors)")
    #expect(silent.errors.contains("hint: ") && silent.output.isEmpty)
  }

  @Test func `flags without a device to probe are an error`() throws {
    for options in [["--seconds", "3s"], ["--size", "3x3"], ["--probe", "simulated", "--seconds", "0"]] {
      try CommandLineTool.run(["devices"] + options, expecting: 64)
    }
    try CommandLineTool.run(["devices", "--probe", "webcam"], expecting: 64)
    try CommandLineTool.run(["devices", "--probe", "simulated?fps=x"], expecting: 64)
  }
}
