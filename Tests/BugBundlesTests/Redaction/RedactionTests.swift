import BugBundles
import ChunkFormat
import Foundation
import FrameModel
import Media
import RecordingStore
import Support
import TestSupport
import Testing

@Suite struct RedactionTests {
  /// The part that is copied: its first frame is not the recording's. The damaged one lies in it and is in no frame set.
  private static let part = 5..<35

  private func copies(
    _ support: RedactionSupport, _ rules: RedactionRules, damaged: Int = 12
  ) throws -> (trimmed: Recording, redacted: Recording, report: Redaction.Report) {
    let recording = try support.record(damaged: damaged)
    let selection = try FrameSelection(recording, frameSets: Self.part)
    let paths = ["trimmed.retake", "redacted.retake"].map { support.folder.path($0) }
    _ = try Trim.run(recording, selection, into: RecordingFolder(path: paths[0]))
    let report = try Redaction.run(recording, selection, rules: rules, into: RecordingFolder(path: paths[1]))
    return (try Recording(path: paths[0]), try Recording(path: paths[1]), report)
  }

  @Test func `infrared is said to be black only where there is some`() throws {
    let streams = try RedactionSupport(.rgb24).streams
    let others = streams.filter { $0.kind != .infrared }
    try #require(others.count < streams.count)
    for rules in [RedactionRules.dropColor, .facesOnlyBoxes, .blurFaces] {
      #expect(rules.sentences(of: streams)[0].contains("infrared"))
      #expect(!rules.sentences(of: others)[0].contains("infrared"))
    }
  }

  /// All that a copy has but for pixels and what is said of faces.
  private func facts(_ recording: Recording) throws -> [String] {
    let rows = try recording.streams.indices.flatMap { try recording.frameRows(stream: $0, from: 0, limit: 1000) }
    let sets = try recording.frameSets(0..<1000)
    return rows.map { "\($0.stream) \($0.number) \($0.timestamps) \($0.flags) \($0.deviceSequence as Any)" }
      + sets.map { "\($0.number) \($0.master.number) \($0.partners.map { [$0.stream, $0.number] })" }
      + (try recording.events().map { "\($0)" }) + (try recording.marks().map { "\($0)" })
      + (try recording.summary().streams.map { "\($0.description.name) \($0.description.layout)" })
  }

  private static let formats: [PixelFormat] = [
    .rgb24, .yuyv, .nv12, .grey8, .grey16, .bayerRGGB8, .bayerGRBG8, .bayerGBRG8, .bayerBGGR8, .jpeg,
  ]

  /// What holds of every copy: it is whole, its index can be made again, and but for pixels it is what `Trim` makes.
  private func check(_ trimmed: Recording, _ redacted: Recording) throws {
    #expect(try Verification.run(redacted).isWhole)
    #expect(try facts(trimmed) == facts(redacted))
    #expect(redacted.identity.id != trimmed.identity.id)
    #expect(redacted.identity.wallClockNanoseconds == trimmed.identity.wallClockNanoseconds)
    let (plain, changed) = (try RedactionSupport.frames(trimmed), try RedactionSupport.frames(redacted))
    for stream in redacted.streams.indices {
      let isSame = zip(plain[stream], changed[stream]).allSatisfy { areSame($0.copiedBytes, $1.copiedBytes) }
      switch redacted.streams[stream].kind {
      case .depth, .alpha, .motion: #expect(isSame)
      case .infrared: #expect(changed[stream].allSatisfy { $0.copiedBytes.allSatisfy { $0 == 0 } })
      case .color: #expect(!isSame)
      }
    }
    let faces = try redacted.faces(stream: 0, frames: 0..<1000)
    let path = redacted.folder.path
    try FileManager.default.removeItem(atPath: path + "/index.sqlite")
    #expect(try Repair.run(path: path).isLossless)
    let again = try Recording(path: path)
    #expect(try facts(again) == facts(trimmed))
    #expect(try again.faces(stream: 0, frames: 0..<1000) == faces)
    #expect(again.streams == redacted.streams)
  }

  @Test(arguments: formats) func `without colour every colour frame is black and everything else is as it was`(
    format: PixelFormat
  ) throws {
    let support = try RedactionSupport(format)
    let (trimmed, redacted, report) = try copies(support, .dropColor)
    let layout = support.streams[0].layout
    for (before, after) in zip(try RedactionSupport.frames(trimmed)[0], try RedactionSupport.frames(redacted)[0]) {
      let black = try PictureRedactor().black(layout, byteCount: before.byteCount)
      #expect(areSame(after.copiedBytes, black))
      #expect(after.layout == before.layout)
    }
    #expect(report.blackFrameCounts == [31, 0, 31, 0, 0] && report.coveredFrameCounts == [0, 0, 0, 0, 0])
    #expect(report.copy.damage.isEmpty && report.notes.isEmpty)
    #expect(try redacted.faces(stream: 0, frames: 0..<99) == trimmed.faces(stream: 0, frames: 0..<99))
    #expect(redacted.streams[0].settings == trimmed.streams[0].settings + [.init("redaction", "drop-color")])
    #expect(redacted.streams[1] == trimmed.streams[1])
    try check(trimmed, redacted)
  }

  @Test(arguments: formats) func `faces are covered where they are or may be, and nothing else`(format: PixelFormat)
    throws
  {
    for rules in [RedactionRules.blurFaces, .facesOnlyBoxes] {
      let support = try RedactionSupport(format)
      let (trimmed, redacted, report) = try copies(support, rules)
      let layout = support.streams[0].layout
      let frames = zip(try RedactionSupport.frames(trimmed)[0], try RedactionSupport.frames(redacted)[0])
      for (before, after) in frames {
        let number = after.number + Self.part.lowerBound
        if number == 12 {
          #expect(areSame(after.copiedBytes, try PictureRedactor().black(layout, byteCount: before.byteCount)))
          continue
        }
        // The frame of which half is missing was not looked at either.
        let isLookedAt = !WalkingFaceObserver.isUnreadable(number)
        let first = WalkingFaceObserver.box(isLookedAt ? number : number - 1)
        let last = WalkingFaceObserver.box(isLookedAt ? number : number + 1)
        let box = FaceObservation.Box(x: first.x, y: first.y, width: last.x + last.width - first.x, height: last.height)
        var wanted = before.copiedBytes
        let area = FaceSurroundings(box, width: layout.width, height: layout.height)
        try PictureRedactor().cover(
          &wanted, layout, area.map { [$0] } ?? [], rules == .blurFaces ? .squares : .grey)
        // A gap is covered twice, seen from both ends; means of means may differ from means by rounding.
        if isLookedAt || rules == .facesOnlyBoxes || format == .jpeg {
          #expect(areSame(after.copiedBytes, wanted), "\(format) \(number)")
        } else {
          let difference = zip(after.copiedBytes, wanted).map { abs(Int($0) - Int($1)) }.max() ?? 0
          #expect(difference <= 1 || format == .grey16, "\(format) \(number): \(difference)")
        }
      }
      #expect(report.blackFrameCounts == [1, 0, 31, 0, 0] && report.coveredFrameCounts == [30, 0, 0, 0, 0])
      try check(trimmed, redacted)
    }
  }

  @Test func `boxes alone stay of faces when they are asked for, otherwise everything`() throws {
    for rules in [RedactionRules.facesOnlyBoxes, .blurFaces, [.dropColor, .facesOnlyBoxes]] {
      let support = try RedactionSupport(.rgb24)
      let (trimmed, redacted, _) = try copies(support, rules)
      let before = try trimmed.faces(stream: 0, frames: 0..<99)
      let after = try redacted.faces(stream: 0, frames: 0..<99)
      #expect(before.count == 31 && before.map(\.isSkipped) == after.map(\.isSkipped))
      #expect(before.contains { $0.isSkipped } && before.contains { !$0.faces.isEmpty })
      for (one, other) in zip(before, after) {
        #expect(one.faces.map(\.box) == other.faces.map(\.box))
        guard rules.contains(.facesOnlyBoxes) else {
          #expect(one == other)
          continue
        }
        let isBare = other.faces.allSatisfy {
          $0.roll == nil && $0.pitch == nil && $0.yaw == nil && $0.confidence == 1 && $0.framesSinceSeen == 0
        }
        #expect(isBare)
      }
    }
  }

  @Test func `where nobody looked, covering faces is refused with what to do, and nothing is made`() throws {
    let support = try RedactionSupport(.rgb24)
    let recording = try support.record(faces: FaceRecording.none)
    let selection = try FrameSelection(recording, frameSets: 0..<20)
    let path = support.folder.path("none.retake")
    for rules in [RedactionRules.blurFaces, .facesOnlyBoxes] {
      #expect {
        try Redaction.run(recording, selection, rules: rules, into: RecordingFolder(path: path))
      } throws: {
        let error = $0 as? RetakeError
        return error?.code == .unsupported && error?.hint.contains("retake faces \(recording.folder.path)") == true
      }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    #expect { try Redaction.run(recording, selection, rules: [], into: RecordingFolder(path: path)) } throws: {
      ($0 as? RetakeError)?.code == .usage
    }
    // Black frames need no faces.
    _ = try Redaction.run(
      recording, selection, rules: [.dropColor, .blurFaces], into: RecordingFolder(path: path))
    #expect(try Verification.run(Recording(path: path)).isWhole)
  }

  @Test(arguments: [PixelFormat.grey8, .jpeg])
  func `serial numbers go, and streams of a device go on belonging together`(format: PixelFormat) throws {
    let support = try RedactionSupport(format)
    let (trimmed, redacted, report) = try copies(support, .dropSerials)
    #expect(redacted.streams.map(\.device) == ["freenect:1", "freenect:1", "freenect:1", "freenect:1", "other"])
    for stream in redacted.streams {
      #expect(!stream.settings.contains { ["serial", "bus", "uri", "notes"].contains($0.name) })
      #expect(stream.settings.contains(.init("mode", "registered x")))
      #expect(
        stream.settings.contains(.init("camera", #"{"SerialId": "0", "lens serial": "0", "of": "0", "f": 525}"#)))
      #expect(stream.settings.contains(.init("frame", "camera 0 left")))
      #expect(stream.settings.last == .init("redaction", "drop-serials"))
    }
    #expect(report.blackFrameCounts == [0, 0, 0, 0, 0])
    #expect(try facts(trimmed) == facts(redacted))
    let (plain, changed) = (try RedactionSupport.frames(trimmed), try RedactionSupport.frames(redacted))
    for (one, other) in zip(plain.joined(), changed.joined()) {
      let bytes = one.copiedBytes
      let isWhole = one.layout.format == .jpeg
      #expect(areSame(isWhole ? bytes.withUnsafeBytes { JPEGStructure.bare($0) } ?? [] : bytes, other.copiedBytes))
    }
    for name in try Folder.names(in: redacted.folder.chunksPath) {
      let bytes = try FileBytes.read(redacted.folder.chunksPath + "/" + name)
      #expect(!String(decoding: bytes, as: UTF8.self).contains("A00364"))
    }
  }

  @Test func `what is covered does not depend on where the part begins, and other rules give another id`() throws {
    let support = try RedactionSupport(.rgb24)
    let recording = try support.record()
    var bytes: [[[UInt8]]] = []
    for begin in [0, 16, 17] {
      let path = support.folder.path("\(begin).retake")
      _ = try Redaction.run(
        recording, FrameSelection(recording, frameSets: begin..<24), rules: .blurFaces,
        into: RecordingFolder(path: path))
      bytes.append(try RedactionSupport.frames(Recording(path: path))[0].map(\.copiedBytes))
    }
    #expect(areSame(Array(bytes[0][17...]), bytes[1]) && areSame(Array(bytes[0][18...]), bytes[2]))
    var ids: Set<String> = []
    for (number, rules) in [RedactionRules.blurFaces, .dropColor, [.blurFaces, .dropSerials]].enumerated() {
      let path = support.folder.path("rule\(number).retake")
      _ = try Redaction.run(
        recording, FrameSelection(recording, frameSets: 0..<4), rules: rules, into: RecordingFolder(path: path))
      ids.insert(try Recording(path: path).identity.id)
    }
    #expect(ids.count == 3)
  }

  @Test func `a copy of a copy says what was done to both`() throws {
    let support = try RedactionSupport(.rgb24)
    let (_, redacted, _) = try copies(support, .blurFaces)
    let path = support.folder.path("again.retake")
    _ = try Redaction.run(
      redacted, FrameSelection(redacted, frameSets: 0..<9), rules: [.dropColor, .blurFaces],
      into: RecordingFolder(path: path))
    #expect(try Recording(path: path).streams[0].settings.last == .init("redaction", "blur-faces drop-color"))
    #expect(try RedactionRules(names: ["drop-color", "faces-only-boxes"]) == [.dropColor, .facesOnlyBoxes])
    #expect { try RedactionRules(names: ["blur"]) } throws: { ($0 as? RetakeError)?.code == .usage }
  }
}
