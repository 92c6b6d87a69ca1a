/// Codecs of video that messages hold, one packet in each.
enum VideoCodec: String, Sendable {
  case h264, h265, vp9, av1

  /// - Parameter encoding: a message's, such as "h264", "hevc" or FFMPEGPacket's "libx264;yuv420p;bgr8;bgr8".
  init?(encoding: String) {
    let name = encoding.prefix { $0 != ";" }.lowercased()
    if name.contains("264") {
      self = .h264
    } else if name.contains("265") || name.contains("hevc") {
      self = .h265
    } else if name == "vp9" || name == "libvpx-vp9" {
      self = .vp9
    } else if name == "av1" || name.hasSuffix("av1") || name.hasPrefix("av1_") {
      self = .av1
    } else {
      return nil
    }
  }

  /// Matroska's name.
  var matroskaName: String {
    switch self {
    case .h264: "V_MPEG4/ISO/AVC"
    case .h265: "V_MPEGH/ISO/HEVC"
    case .vp9: "V_VP9"
    case .av1: "V_AV1"
    }
  }

  /// Whether a decoder may begin with a packet. H.264 and H.265 need parameters, which come with key frames; without
  /// them ffmpeg cannot tell the size of the pictures.
  func canStart(with packet: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .h264: Self.hasUnit(packet) { $0 & 31 == 7 }
    case .h265: Self.hasUnit(packet) { $0 >> 1 & 63 == 33 }
    case .vp9, .av1: !packet.isEmpty
    }
  }

  /// Whether a stream of Annex B has a unit whose first byte meets a condition.
  private static func hasUnit(_ packet: UnsafeRawBufferPointer, _ isWanted: (UInt8) -> Bool) -> Bool {
    guard packet.count > 3 else { return false }
    for place in 0..<packet.count - 3
    where packet[place + 2] == 1 && packet[place] == 0 && packet[place + 1] == 0 && isWanted(packet[place + 3]) {
      return true
    }
    return false
  }
}

extension ImageMessage {
  /// The codec of a packet of video; nil for pictures.
  var videoCodec: VideoCodec? {
    guard case .compressed = form, !data.starts(with: [0xFF, 0xD8]), !data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
      return nil
    }
    return VideoCodec(encoding: encoding)
  }
}
