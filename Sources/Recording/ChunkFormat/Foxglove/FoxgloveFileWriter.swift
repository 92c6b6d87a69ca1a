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
  package init(to sink: Sink, identity: RecordingIdentity, streams: [StreamDescription], facesOf: Int?)
    throws(RetakeError)
  {
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
    let frameID = frameIDs[stream]
    try append(UInt16(stream), nanoseconds) {
      $0.append(Foxglove.RawImage.timestamp, Self.time(nanoseconds))
      $0.append(Foxglove.RawImage.width, width)
      $0.append(Foxglove.RawImage.height, height)
      $0.append(Foxglove.RawImage.encoding, encoding.rawValue)
      $0.append(Foxglove.RawImage.step, width * encoding.bytesPerPixel)
      $0.append(Foxglove.RawImage.data, pixels)
      $0.append(Foxglove.RawImage.frameID, frameID)
    }
  }

  package mutating func append(jpeg: UnsafeRawBufferPointer, stream: Int, nanoseconds: Int64) throws(RetakeError) {
    let frameID = frameIDs[stream]
    try append(UInt16(stream), nanoseconds) {
      $0.append(Foxglove.CompressedImage.timestamp, Self.time(nanoseconds))
      $0.append(Foxglove.CompressedImage.data, jpeg)
      $0.append(Foxglove.CompressedImage.format, "jpeg")
      $0.append(Foxglove.CompressedImage.frameID, frameID)
    }
  }

  /// Writes a green box per face. An empty list writes a message that clears the boxes before.
  package mutating func append(faces: [FaceObservation], nanoseconds: Int64) throws(RetakeError) {
    try append(facesChannel, nanoseconds) {
      for face in faces {
        $0.append(Foxglove.ImageAnnotations.points, Self.outline(of: face.box, nanoseconds))
      }
    }
  }

  package mutating func finish() throws(RetakeError) { try mcap.finish() }

  private mutating func append(_ channel: UInt16, _ nanoseconds: Int64, _ body: (inout ByteWriter) -> Void)
    throws(RetakeError)
  {
    let sequence = sequences[Int(channel)]
    sequences[Int(channel)] &+= 1
    _ = try mcap.append(channel: channel, sequence: sequence, time: UInt64(max(0, nanoseconds)), body)
  }

  private static func time(_ nanoseconds: Int64) -> ByteWriter {
    let (seconds, nanos) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = ByteWriter()
    time.append(Foxglove.Time.seconds, UInt64(seconds))
    time.append(Foxglove.Time.nanos, UInt64(nanos))
    return time
  }

  private static func outline(of box: FaceObservation.Box, _ nanoseconds: Int64) -> ByteWriter {
    var outline = ByteWriter()
    outline.append(Foxglove.PointsAnnotation.timestamp, time(nanoseconds))
    outline.append(Foxglove.PointsAnnotation.type, Foxglove.PointsAnnotation.lineLoop)
    let (right, bottom) = (box.x + box.width, box.y + box.height)
    for (x, y) in [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)] {
      var point = ByteWriter()
      point.append(Foxglove.Point2.x, x)
      point.append(Foxglove.Point2.y, y)
      outline.append(Foxglove.PointsAnnotation.points, point)
    }
    var green = ByteWriter()
    for (field, value) in [
      (Foxglove.Color.red, 0.2), (Foxglove.Color.green, 1), (Foxglove.Color.blue, 0.2), (Foxglove.Color.alpha, 1),
    ] { green.append(field, value) }
    outline.append(Foxglove.PointsAnnotation.outlineColor, green)
    outline.append(Foxglove.PointsAnnotation.thickness, 2.0)
    return outline
  }
}
