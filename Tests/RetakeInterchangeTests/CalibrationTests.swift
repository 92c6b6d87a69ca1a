import CommandTestSupport
import Foundation
import FrameModel
import Kernels
import RecordingStore
import TestSupport
import Testing

/// Lenses and places of cameras: into a recording from bags and files, used by replays, out again.
@Suite(.long) struct CalibrationTests {
  private let folder: TemporaryFolder
  private var recording: String { folder.path("a.retake") }
  init() throws { folder = try TemporaryFolder() }

  private func python(_ arguments: String...) throws -> String {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/calibrated_mcap.py"
    let result = try ChildProcess.run(Checkout.python, [script] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result.text
  }

  @discardableResult
  private func importBag(_ name: String = "good", _ options: [String] = []) throws -> String {
    _ = try python("write", folder.path("bag.mcap"), name)
    return try ForeignFiles.importFile(folder.path("bag.mcap"), to: recording, options).errors
  }

  /// The first frame's depth as a replay registers it: a 16-bit PNG.
  private func replayed(_ path: String, _ name: String, _ registration: String = "color") throws -> String {
    let pictures = folder.path(name)
    try CommandLineTool.run([
      "replay", path, "--preset", "truedepth-backdrop", "--set", "depth.registration=\(registration)", "--tap",
      "depth", "--output", "png:\(pictures)",
    ])
    return pictures + "/000000.png"
  }

  private func expectAsOpenCV(_ picture: String, location: SourceLocation = #_sourceLocation) throws {
    let facts = try CommandLineTool.json(try python("check", picture))
    print("OpenCV: \(facts)")
    #expect(try #require(facts["dots"] as? Int) > 60, sourceLocation: location)
    #expect(facts["missing"] as? Int == 0, sourceLocation: location)
    #expect(facts["elsewhere"] as? Int == 0, sourceLocation: location)
    #expect(try #require(facts["pixels"] as? Double) < 0.75, sourceLocation: location)
    #expect(try #require(facts["millimeters"] as? Double) <= 1.5, sourceLocation: location)
  }

  private func info() throws -> [String: Any] {
    try CommandLineTool.json(try CommandLineTool.run(["info", recording, "--json"]).text)
  }

  @Test func `a bag with CameraInfo replays with registration from it, as OpenCV projects`() throws {
    let messages = try importBag()
    #expect(!messages.contains("left out"), "\(messages)")
    try expectAsOpenCV(try replayed(recording, "registered"))
    let calibration = try #require(try info()["calibration"] as? [String: Any])
    #expect(calibration["registration"] as? String == "computed")
    let cameras = try #require(calibration["cameras"] as? [[String: Any]])
    #expect(cameras.map { $0["fx"] as? Double } == [300, 140])
    #expect(cameras.first?["distortion"] as? [Double] == [-0.12, 0.08, 0.0015, 0.0008, -0.02])
    let text = try CommandLineTool.run(["info", recording]).text
    #expect(text.contains("depth to colour: moved by 25.0 -4.0 6.0 mm"), "\(text)")
  }

  @Test(arguments: ["bag", "db3", "json", "bag-driver", "db3-driver", "bag-sdk"])
  func `calibrations of other recorders register depth as OpenCV projects`(kind: String) throws {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/calibrated_bags.py"
    let made = try ChildProcess.run(Checkout.python, [script, folder.path("bag"), kind])
    try #require(made.status == 0, "\(made.errors)")
    let messages = try ForeignFiles.importFile(folder.path("bag"), to: recording).errors
    #expect(!messages.contains("left out"), "\(messages)")
    let streams = try Recording(path: recording).streams
    let lenses = try [300, 301, 158.5, 121.2, 140, 141, 79.2, 60.3].elementsEqual(
      streams.flatMap { stream in
        let lens = try #require(try CameraIntrinsics(stream))
        return [lens[.fx], lens[.fy], lens[.cx], lens[.cy]]
      })
    #expect(lenses, "\(streams.map(\.settings))")
    let place = try #require(try CameraExtrinsics(streams[1]))
    #expect(zip(place.translationMillimeters, [25, -4, 6]).allSatisfy { abs($0 - $1) < 1e-6 })
    try expectAsOpenCV(try replayed(recording, "registered"))
  }

  @Test(arguments: [
    ("no-transform", "there is no static transform between 'depth' and 'color'"),
    ("moving", "there is no static transform between 'depth' and 'color'"),
    (
      "absurd",
      "left out the calibration /camera/color/camera_info of /camera/color/image_raw: The focal length fx = 1000000000.0"
    ),
    ("other-size", "it is for pictures of 640x480, not 320x240"),
    ("fisheye", "lens model 'equidistant' is not supported"),
  ]) func `what cannot be used is said, and the pictures come over`(name: String, words: String) throws {
    let messages = try importBag(name)
    #expect(messages.contains(words), "\(messages)")
    #expect(try Recording(path: recording).summary().streams.map(\.frameCount) == [3, 3])
    let refused = try CommandLineTool.run(
      ["replay", recording, "--set", "depth.registration=color", "--output", "none"], expecting: 1)
    #expect(refused.errors.contains("cannot be registered to colour: the recording lacks"), "\(refused.errors)")
  }

  @Test func `depth that lies over colour already is told as good, not as an error`() throws {
    let path = try CommandLineTool.recordSimulated(folder, "laid.retake", "frames=1")
    let said = try CommandLineTool.run(["calibrate", path, "--calibration", "tum:freiburg3"]).text
    #expect(said.contains("replays: depth lies over colour already\n"), "\(said)")
  }

  @Test func `pictures of one place with other lenses are registered by the lenses alone`() throws {
    try importBag("same-frame")
    let streams = try Recording(path: recording).streams
    #expect(try CameraExtrinsics(streams[1]) == CameraExtrinsics.identity)
  }

  @Test func `a file given at the import or later registers as the bag's own messages do`() throws {
    try importBag()
    let expected = try Data(contentsOf: URL(fileURLWithPath: replayed(recording, "bag")))
    _ = try python("yaml", folder.path("lenses.yaml"))
    let bare = folder.path("bare.retake")
    _ = try python("write", folder.path("bare.mcap"), "absurd")
    try ForeignFiles.importFile(
      folder.path("bare.mcap"), to: folder.path("given.retake"), ["--calibration", folder.path("lenses.yaml")])
    try ForeignFiles.importFile(folder.path("bare.mcap"), to: bare)
    let unregistered = try Data(contentsOf: URL(fileURLWithPath: replayed(bare, "bare", "auto")))
    let chunks = try ForeignFiles.chunkFiles(bare)
    let mixed = folder.path("mixed")
    try FileManager.default.createDirectory(atPath: mixed, withIntermediateDirectories: true)
    for name in ["bare.mcap", "lenses.yaml"] {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: "\(mixed)/\(name)")
    }
    let beside = try ForeignFiles.importFile(
      mixed, to: folder.path("beside.retake"), ["--calibration", "\(mixed)/../mixed/lenses.yaml"])
    #expect(!beside.errors.contains("left out \(mixed)"), "\(beside.errors)")
    let said = try CommandLineTool.run(["calibrate", bare, "--calibration", folder.path("lenses.yaml")]).text
    #expect(said.contains("replays: depth is registered to colour"), "\(said)")
    for (path, name) in [(bare, "later"), (folder.path("given.retake"), "given")] {
      // The YAML has the matrix itself, not a quaternion of it: the same to less than a pixel, seldom to the bit.
      try expectAsOpenCV(try replayed(path, name))
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(name) + "/000000.png")) != unregistered)
    }
    #expect(expected != unregistered)
    #expect(areSame(try ForeignFiles.chunkFiles(bare), chunks))
    try CommandLineTool.run(["verify", bare])
    // A copy has it in its streams; a digest tells that it was given later.
    try CommandLineTool.run(["trim", bare, "--output", folder.path("copy.retake"), "--to", "1"])
    #expect(try Recording(path: folder.path("copy.retake")).recordedStreams == Recording(path: bare).streams)
    let refused = try CommandLineTool.run(
      ["calibrate", bare, "--calibration", folder.path("lenses.yaml")], expecting: 1)
    #expect(refused.errors.contains("--force"))
    try CommandLineTool.run(["calibrate", bare, "--calibration", "tum:freiburg9"], expecting: 64)
    try CommandLineTool.run(["calibrate", bare, "--remove-calibration"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: replayed(bare, "removed", "auto"))) == unregistered)
  }

  @Test(arguments: [
    ("color: {fx: 1e9, fy: 300, cx: 160, cy: 120}", "fx = 1000000000.0"),
    ("color: {fx: 300, fy: 300, cx: 160, cy: 1e6}", "cy = 1000000.0"),
    ("color: {fx: 300, fy: nan, cx: 160, cy: 120}", "'fy' is not a number"),
    ("color: {fx: 300, fy: 300, cx: 160}", "has no cy"),
    ("color: {width: 640, fx: 300, fy: 300, cx: 160, cy: 120}", "640 wide, but those of 'color' are 320 wide"),
    ("color: {fx: 300, fy: 300, cx: 160, cy: 120, distortion: [1, 2, 3]}", "3 distortion coefficients"),
    ("color: {fx: 300, fy: 300, cx: 160, cy: 120, distortion: [1, 2, 3, 4e9]}", "coefficient 4 is 4000000000.0"),
    ("colour: {fx: 300, fy: 300, cx: 160, cy: 120}", "did you mean 'color'"),
    ("color: {fx: 300, fy: 300, cx: 160, cy: 120, focal: 3}", "'focal' is not known"),
    ("depth-to-color: {rotation: [1, 0, 0, 0, 1, 0, 0, 0, 2], translation-mm: [1, 2, 3]}", "is no rotation"),
    ("depth-to-color: {rotation: [1, 0, 0, 0, 1, 0, 0, 0, -1], translation-mm: [1, 2, 3]}", "is no rotation"),
    ("depth-to-color: {quaternion: [0, 0, 0, 3], translation-mm: [1, 2, 3]}", "is 3.0 long"),
    ("depth-to-color: {quaternion: [0, 0, 0, 1], translation-m: [1, 2, 3e9]}", "3000000000000.0 mm apart"),
    ("1 2 3", "has 3 numbers"), ("[", "invalid YAML"), ("", "has no calibration"),
  ]) func `impossible numbers are refused, by name and number`(text: String, words: String) throws {
    try importBag("no-transform")
    let path = folder.path("bad.yaml")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let result = try CommandLineTool.run(["calibrate", recording, "--calibration", path], expecting: 64)
    #expect(result.errors.contains(words) && result.errors.contains("hint: "), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: recording + "/calibration.json"))
  }

  @Test func `a stored calibration that is damaged is one sentence, and can be removed`() throws {
    try importBag()
    let path = recording + "/calibration.json"
    for bad in ["", "{}", #"{"format":"retake-calibration-1","streams":[{"name":"nose","settings":{}}]}"#] {
      try Data(bad.utf8).write(to: URL(fileURLWithPath: path))
      let result = try CommandLineTool.run(["info", recording], expecting: 1)
      #expect(result.errors.contains("calibration.json") && result.errors.contains("--remove-calibration"))
    }
    try CommandLineTool.run(["calibrate", recording, "--remove-calibration"])
    try CommandLineTool.run(["info", recording])
  }

  @Test(arguments: ["foxglove", "ros2"]) func `what is exported, others read, and Retake takes back`(profile: String)
    throws
  {
    try importBag()
    let path = folder.path("out.mcap")
    try CommandLineTool.run(["export", "mcap", recording, "-o", path, "--profile", profile])
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/read_calibration.py"
    let depth = try RecordedFrames.bytes(of: "depth", in: recording)
    try Data(depth.flatMap { $0 }).write(to: URL(fileURLWithPath: folder.path("depth.bin")))
    let read = try ChildProcess.run(Checkout.python, [script, path, folder.path("depth.bin")])
    #expect(read.status == 0, "\(read.errors)")
    let facts = try CommandLineTool.json(read.text)
    #expect(
      facts["cameras"] as? [String: [Double]] == ["color": [300, 301, 158.5, 121.2], "depth": [140, 141, 79.2, 60.3]])
    let pose = try #require(facts["translation"] as? [Double])
    #expect(zip(pose, [0.025, -0.004, 0.006]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(try #require(facts["rotation_error"] as? Double) < 1e-9)
    #expect(facts["sizes"] as? [String: [Int]] == ["color": [320, 240], "depth": [160, 120]])
    #expect(facts["depth_is_equal"] as? Bool == true)
    let again = folder.path("again.retake")
    try ForeignFiles.importFile(path, to: again)
    try expectAsOpenCV(try replayed(again, "again"))
    #expect(areSame(try RecordedFrames.bytes(of: "depth", in: again), depth))
  }

  @Test func `a data set in TUM's layout has the calibration beside it, in words that come back`() throws {
    try importBag()
    try CommandLineTool.run(["export", "tum", recording, "-o", folder.path("tum")])
    let again = folder.path("again.retake")
    let without = try ForeignFiles.importFile(folder.path("tum"), to: folder.path("bare.retake"), ["--scale", "5000"])
    #expect(without.errors.contains("left out \(folder.path("tum/calibration.yaml"))"), "\(without.errors)")
    let with = try ForeignFiles.importFile(
      folder.path("tum"), to: again, ["--scale", "5000", "--calibration", folder.path("tum/calibration.yaml")])
    #expect(!with.errors.contains("left out"), "\(with.errors)")
    let (first, second) = (try Recording(path: recording).streams, try Recording(path: again).streams)
    for (a, b) in zip(first, second) { #expect(try CameraIntrinsics(a) == CameraIntrinsics(b)) }
    #expect(try CameraExtrinsics(first[1]) == CameraExtrinsics(second[1]))
  }

  @Test func `a bag with any byte of its calibration changed is imported or refused, and nothing breaks`() throws {
    _ = try python("write", folder.path("bag.mcap"), "uncompressed")
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path("bag.mcap")))
    // The first camera's message and the transforms, which come before it.
    let end = try #require(whole.range(of: Data("plumb_bob".utf8))).upperBound + 400
    for step in Sample.of(0..<60, count: 15) {
      var bag = whole
      let place = 200 + step * (end - 200) / 60
      bag[place] ^= UInt8(truncatingIfNeeded: 1 << (step % 8))
      try bag.write(to: URL(fileURLWithPath: folder.path("changed.mcap")))
      let target = folder.path("\(step).retake")
      let result = try ChildProcess.run(
        Checkout.retake, ["import", folder.path("changed.mcap"), "-o", target, "--keep-free", "0", "--quiet"])
      #expect([0, 1, 3].contains(result.status), "byte \(place): \(result.status) \(result.errors)")
      guard result.status != 1 else { continue }
      try CommandLineTool.run(["info", target])
    }
  }
}
