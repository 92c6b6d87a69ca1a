import FrameModel
import Support

/// Writes an MCAP file for viewers, with zstd chunks: a channel of foxglove.RawImage or
/// foxglove.CompressedImage per stream, and one of foxglove.ImageAnnotations for faces.
package struct FoxgloveFileWriter<Sink: ByteSink> {
  package enum Encoding: String, Sendable {
    case rgb8, mono8
    /// Little-endian intensity.
    case mono16
    /// Little-endian millimetres, 0 = hole.
    case depth16 = "16UC1"

    var bytesPerPixel: Int {
      switch self {
      case .rgb8: 3
      case .mono8: 1
      case .mono16, .depth16: 2
      }
    }
  }

  private var mcap: MCAPWriter<Sink>
  private let frameIDs: [String]
  private let facesChannel: UInt16
  private var sequences: [UInt32]

  /// - Parameters:
  ///   - streams: each gets a channel "/NAME/image", with its description as metadata.
  ///   - facesOf: index of the stream whose faces get a channel "/NAME/faces"; nil for none.
  ///   - notes: further metadata records, such as the recording's tags.
  package init(
    to sink: Sink, identity: RecordingIdentity, streams: [StreamDescription], facesOf: Int?, notes: [MCAPMetadata] = []
  ) throws(RetakeError) {
    var options = MCAPWriterOptions()
    options.compression = .zstd
    mcap = try MCAPWriter(to: sink, header: MCAPHeader(profile: "", library: "retake"), options: options)
    frameIDs = streams.map(\.name)
    facesChannel = UInt16(streams.count)
    sequences = Array(repeating: 0, count: streams.count + 1)
    try mcap.add(
      MCAPMetadata(
        name: "retake.export",
        entries: [.init("id", identity.id), .init("wall_clock_ns", "\(identity.wallClockNanoseconds)")]))
    for note in notes { try mcap.add(note) }
    for schema in Foxglove.Schema.allCases { try mcap.add(schema.record) }
    for (id, stream) in streams.enumerated() {
      let schema = stream.layout.format == .jpeg ? Foxglove.Schema.compressedImage : .rawImage
      try mcap.add(
        MCAPChannel(
          id: UInt16(id), schema: schema.rawValue, topic: "/\(stream.name)/image", messageEncoding: "protobuf",
          metadata: StreamChannel.metadata(of: stream)))
    }
    if let facesOf {
      try mcap.add(
        MCAPChannel(
          id: facesChannel, schema: Foxglove.Schema.imageAnnotations.rawValue, topic: "/\(frameIDs[facesOf])/faces",
          messageEncoding: "protobuf", metadata: []))
    }
  }

  /// `pixels` are packed rows; `nanoseconds` is Unix time, not negative.
  package mutating func append(
    pixels: UnsafeRawBufferPointer, _ encoding: Encoding, width: Int, height: Int, stream: Int, nanoseconds: Int64
  ) throws(RetakeError) {
    try append(
      Foxglove.RawImage(
        timestamp: Self.time(nanoseconds), width: width, height: height, encoding: encoding.rawValue,
        step: width * encoding.bytesPerPixel, data: pixels, frameID: frameIDs[stream]),
      UInt16(stream), nanoseconds)
  }

  package mutating func append(jpeg: UnsafeRawBufferPointer, stream: Int, nanoseconds: Int64) throws(RetakeError) {
    try append(
      Foxglove.CompressedImage(
        timestamp: Self.time(nanoseconds), data: jpeg, format: "jpeg", frameID: frameIDs[stream]),
      UInt16(stream), nanoseconds)
  }

  /// Writes a green box per face. An empty list writes a message that clears the boxes before.
  package mutating func append(faces: [FaceObservation], nanoseconds: Int64) throws(RetakeError) {
    let outlines = faces.map { Self.outline(of: $0.box, nanoseconds) }
    try append(Foxglove.ImageAnnotations(points: outlines), facesChannel, nanoseconds)
  }

  package mutating func finish() throws(RetakeError) { try mcap.finish() }

  private mutating func append<Message: ProtobufMessage>(
    _ message: Message, _ channel: UInt16, _ nanoseconds: Int64
  ) throws(RetakeError) {
    let sequence = sequences[Int(channel)]
    sequences[Int(channel)] &+= 1
    let time = UInt64(max(0, nanoseconds))
    _ = try mcap.append(channel: channel, sequence: sequence, logTime: time, publishTime: time) {
      message.write(to: &$0)
    }
  }

  private static func time(_ nanoseconds: Int64) -> Foxglove.Time {
    let (seconds, nanos) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    return Foxglove.Time(seconds: seconds, nanos: nanos)
  }

  private static func outline(of box: FaceObservation.Box, _ nanoseconds: Int64) -> Foxglove.PointsAnnotation {
    let (right, bottom) = (box.x + box.width, box.y + box.height)
    let corners = [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)]
    return Foxglove.PointsAnnotation(
      timestamp: time(nanoseconds), type: Foxglove.PointsAnnotation.lineLoop,
      points: corners.map { Foxglove.Point2(x: $0.0, y: $0.1) },
      outlineColor: Foxglove.Color(red: 0.2, green: 1, blue: 0.2, alpha: 1), thickness: 2)
  }
}
