import Foundation
import FrameModel
import Support

/// `streams.json` of a folder written by `retake export png`: what PNGs cannot store of a stream.
/// With it and each stream's `frames.csv`, an import restores equal pixels at equal times.
package struct PNGFolder: Hashable, Sendable {
  package static let fileName = "streams.json"
  package static let listName = "frames.csv"
  package static let listHeader = "number,presentation_ns,arrival_ns,device_tick,flags,file"
  private static let format = "retake-png"
  private static let version = 1
  private static let largestByteCount = 1 << 20

  /// Unix time at presentation time 0, nanoseconds.
  package var wallClockNanoseconds: Int64
  /// CLOCK_MONOTONIC at presentation time 0.
  package var monotonicOrigin: MonotonicTime
  /// Each layout is that of the PNGs: depth in millimetres or as recorded, colour as RGB.
  package var streams: [StreamDescription]

  package init(wallClockNanoseconds: Int64, monotonicOrigin: MonotonicTime, streams: [StreamDescription]) {
    self.wallClockNanoseconds = wallClockNanoseconds
    self.monotonicOrigin = monotonicOrigin
    self.streams = streams
  }

  package var json: JSONObject {
    var object = JSONObject(["format": Self.format])
    object.add("version", Self.version)
    object.add("wall_clock_ns", Int(wallClockNanoseconds))
    object.add("monotonic_origin_ns", Int(monotonicOrigin.nanoseconds))
    object.add(
      "streams",
      streams.map { stream in
        var entry = JSONObject(["name": stream.name, "kind": stream.kind.rawValue])
        entry.add("samples", stream.layout.format.rawValue)
        entry.add("width", stream.layout.width)
        entry.add("height", stream.layout.height)
        entry.add("rate", stream.rate.description)
        entry.add("tick_hertz", Int(stream.clock.hertz))
        entry.add("tick_bits", stream.clock.bits)
        entry.add("device", stream.device)
        entry.add("settings", stream.settings.map { JSONObject(["name": $0.name, "value": $0.value]) })
        return entry
      })
    return object
  }
}

// MARK: Reading

extension PNGFolder {
  private struct Members: Decodable {
    struct Stream: Decodable {
      struct Setting: Decodable {
        var name: String
        var value: String
      }
      var name, kind, samples, rate, device: String
      var width, height, tickBits: Int
      var tickHertz: Int64
      var settings: [Setting]
    }
    var format: String
    var version: Int
    var wallClockNs, monotonicOriginNs: Int64
    var streams: [Stream]
  }

  /// - Throws: `.corrupt` for an invalid file, `.unsupported` for another version.
  package init(folder: String) throws(RetakeError) {
    let path = "\(folder)/\(Self.fileName)"
    let bytes = try FileBytes.read(path, limit: Self.largestByteCount)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let members = try? decoder.decode(Members.self, from: Data(bytes)), members.format == Self.format,
      members.wallClockNs.isPlausibleTime, members.monotonicOriginNs.isPlausibleTime
    else { throw Self.corrupt("\(path) is not a valid description of PNGs exported by Retake.") }
    guard members.version == Self.version else {
      throw RetakeError(
        .unsupported, "\(path) has version \(members.version); this version of Retake reads version \(Self.version).",
        hint: "use the version of Retake that wrote it, or a later one")
    }
    wallClockNanoseconds = members.wallClockNs
    monotonicOrigin = MonotonicTime(nanoseconds: members.monotonicOriginNs)
    streams = []
    for member in members.streams {
      guard Self.isFileName(member.name), !streams.contains(where: { $0.name == member.name }),
        let kind = StreamKind(rawValue: member.kind), let samples = PixelFormat(rawValue: member.samples),
        Self.samples.contains(samples), let rate = FrameRate(member.rate)
      else { throw Self.corrupt("\(path) describes a stream that cannot be stored as PNGs.") }
      streams.append(
        StreamDescription(
          name: member.name, kind: kind,
          layout: try FrameLayout(samples, width: member.width, height: member.height), rate: rate,
          clock: try TickClock(hertz: member.tickHertz, bits: member.tickBits), device: member.device,
          settings: member.settings.map { .init($0.name, $0.value) }))
    }
  }

  /// Formats that PNGs store without loss.
  private static let samples: [PixelFormat] = [.rgb24, .grey8, .grey16, .depthMillimeters16, .kinectRaw11]

  /// Stream names from an untrusted file become folder names: they must not lead elsewhere.
  private static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.contains("/") && !name.utf8.contains(0)
  }

  private static func corrupt(_ message: String) -> RetakeError {
    RetakeError(.corrupt, message, hint: "export the recording again")
  }
}
