import FrameModel
import MattePipeline
import Parameters
import Replay
import Testing

/// What decoded pixels outside of Retake is part of what digests were a function of.
@Suite struct DecoderIdentityTests {
  private func header(_ decoders: [String]) -> DigestHeader {
    let parameters = ParameterSet(ReplaySession.declarations)
    return DigestHeader(
      recordingID: "r", preset: "avcam-filter", parameters: parameters, schedule: DepthSchedule(parameters),
      frameCount: 3, background: nil, decoders: decoders)
  }

  @Test func `another decoder is named first, and changes no other member`() throws {
    let (none, old) = (header([]), header(["libjpeg-turbo 00", "ffmpeg 5.1"]))
    var new = header(["libjpeg-turbo 00", "ffmpeg 7.0"])
    #expect(!none.json.text.contains("decoders"))
    #expect(none.parameterDigest == old.parameterDigest)
    #expect(old.differences(to: old).isEmpty)
    new.background = "another"
    let found = old.differences(to: new).map(\.sentence)
    try #require(found.count == 2)
    #expect(found[0].contains("ffmpeg 5.1") && found[0].contains("ffmpeg 7.0"))
    // As it is read.
    #expect(try DigestHeader(line: Array(old.json.text.utf8), of: "x").decoders == old.decoders)
    #expect(try DigestHeader(line: Array(none.json.text.utf8), of: "x").decoders.isEmpty)
  }

  @Test func `the JPEG decoder is told by what it makes of pictures`() throws {
    let identity = try DecoderIdentity.jpeg()
    #expect(identity.hasPrefix("libjpeg-turbo ") && identity.count == 46)
    #expect(try DecoderIdentity.jpeg() == identity)
  }
}
