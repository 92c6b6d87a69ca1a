import FrameModel
import Support

/// What the first pass over a file learns about a topic.
struct ImageTopic {
  let name: String
  /// From the first message with a whole picture.
  private var coding: PictureCoding?
  /// What a recording lacks of its pictures, in words.
  private(set) var leftOut: [String] = []
  private(set) var frameCount = 0
  private var rate = NominalRate()
  /// Log time minus stamp of the first message with a stamp, nanoseconds.
  private(set) var clockOffset: Int64?
  private(set) var pace = LogPace()
  private var lastLogTime: Int64 = .min
  /// Messages with an earlier log time than the message before.
  private(set) var backwardCount = 0
  /// Error of the first message that is not a picture.
  private(set) var refusal: RetakeError?
  /// The stream that Retake exported.
  var original: StreamDescription?
  /// Channel in the file, of the topic's first message.
  let channel: Int
  /// Micrometres per count, if depth is not in millimetres.
  private(set) var depthUnit: Int?
  /// Packets of video, if its first readable message has one.
  private(set) var packets: VideoPackets?
  /// Set after the first pass.
  var video: MessageVideo?
  /// The frame of reference in the first message's header.
  private(set) var frame = ""

  init(_ name: String, channel: Int) { (self.name, self.channel) = (name, channel) }

  /// The name of the stream that Retake exported, as "color-1" of "/color-1/image". Nil if it is not that of a file.
  var originalName: String? {
    guard original != nil, let first = name.split(separator: "/").first,
      first.utf8.allSatisfy({
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-")
      })
    else { return nil }
    return String(first)
  }

  /// - Throws: errors of the disk that packets of video are written to.
  mutating func note(_ image: ImageMessage, logTime: Int64) throws(RetakeError) {
    if let codec = image.videoCodec, coding == nil {
      if packets == nil { packets = try VideoPackets(codec) }
      try packets?.add(
        image.data, codec, message: frameCount, times: (image.stamp(logTime: logTime) ?? logTime, logTime))
    } else {
      noteCoding(image)
    }
    if frameCount == 0 { frame = image.frame }
    frameCount += 1
    let stamp = image.stamp(logTime: logTime)
    rate.note(stamp ?? logTime)
    if let stamp, clockOffset == nil { clockOffset = logTime - stamp }
    pace.note(stamp: stamp, logTime: logTime)
    if logTime < lastLogTime { backwardCount += 1 }
    lastLogTime = logTime
  }

  private mutating func noteCoding(_ image: ImageMessage) {
    do throws(RetakeError) {
      let coding = try PictureCoding(of: image)
      guard self.coding == nil && coding.isWhole(image) else { return }
      self.coding = coding
      leftOut = try coding.leftOut(of: image)
    } catch {
      refusal = refusal ?? error
    }
  }

  mutating func note(_ error: RetakeError) {
    frameCount += 1
    refusal = refusal ?? error
  }

  /// Judged by the name, since the encoding is that of any grey picture. RealSense topics have
  /// "infra1", those of an Azure Kinect "ir".
  private var isInfrared: Bool {
    name.lowercased().split(separator: "/").contains { $0 == "ir" || $0.hasPrefix("infra") }
  }

  /// Kind and layout of the topic's stream.
  /// - Throws: why the topic cannot become a stream.
  mutating func stream(depthUnits: RealSenseDepthUnits) throws(RetakeError) -> (StreamKind, FrameLayout) {
    let (kind, layout) = try stream()
    guard kind == .depth, original == nil, let unit = try depthUnits.unit(ofTopic: name), unit != 1000 else {
      return (kind, layout)
    }
    depthUnit = unit
    return (kind, try FrameLayout(.grey16, width: layout.width, height: layout.height))
  }

  private func stream() throws(RetakeError) -> (StreamKind, FrameLayout) {
    guard let layout = video?.layout ?? coding?.layout else {
      throw refusal ?? RetakeError(.corrupt, "none of its pictures is intact")
    }
    let isDepth = layout.format.isDepth
    if let original, original.kind != .motion, original.layout.format.isDepth == isDepth {
      return (original.kind, layout)
    }
    guard isDepth else { return (isInfrared && layout.format == .grey8 ? .infrared : .color, layout) }
    guard isInfrared else { return (.depth, layout) }
    return (.infrared, try FrameLayout(.grey16, width: layout.width, height: layout.height))
  }

  func nominalRate() throws(RetakeError) -> FrameRate {
    if let original { return original.rate }
    return try rate.rate()
  }
}

extension ImageMessage {
  /// The stamp; nil if it is the zero of a sender without a clock.
  func stamp(logTime: Int64) -> Int64? { stampNanoseconds == 0 && logTime != 0 ? nil : stampNanoseconds }
}
