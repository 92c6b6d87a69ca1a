import FrameModel
import Kernels
import Support

/// Writes an MCAP file for viewers, with zstd chunks: a channel of foxglove.RawImage or
/// foxglove.CompressedImage per stream, one of foxglove.ImageAnnotations for the faces of each, and
/// foxglove.CameraCalibration and FrameTransform where the cameras are calibrated.
package struct FoxgloveFileWriter<Sink: ByteSink>: PictureMessageWriter {
  private var mcap: MCAPWriter<Sink>
  private let frameIDs: [String]
  private let facesChannels: [Int: UInt16]
  private var sequences: [UInt32]
  private let optics: [StreamOptics]
  /// Where depth is, and in whose frame of reference.
  private let pose: (parent: String, child: String, CameraExtrinsics)?
  private var isPlaced = false
  private let transformChannel: UInt16

  /// - Parameters:
  ///   - streams: each gets a channel "/NAME/image", with its description as metadata.
  ///   - facesOf: indices of the streams whose faces get a channel "/NAME/faces".
  ///   - notes: further metadata records, such as the recording's tags.
  package init(
    to sink: Sink, identity: RecordingIdentity, streams: [StreamDescription], facesOf: [Int], notes: [MCAPMetadata] = []
  ) throws(RetakeError) {
    var options = MCAPWriterOptions()
    options.compression = .zstd
    mcap = try MCAPWriter(to: sink, header: MCAPHeader(profile: "", library: "retake"), options: options)
    frameIDs = streams.map(\.name)
    facesChannels = Dictionary(
      uniqueKeysWithValues: facesOf.enumerated().map { ($1, UInt16(streams.count + $0)) })
    transformChannel = UInt16(streams.count + max(1, facesOf.count))
    sequences = Array(repeating: 0, count: 3 * streams.count + 2)
    let optics = StreamOptics.list(streams)
    self.optics = optics
    let color = streams.first { $0.kind == .color }?.name
    let depth = streams.indices.first { optics[$0].pose != nil || optics[$0].isOverColor && optics[$0].lens != nil }
    if let depth, let color {
      pose = (color, streams[depth].name, optics[depth].pose ?? .identity)
    } else {
      pose = nil
    }
    try mcap.add(
      MCAPMetadata(
        name: "retake.export",
        entries: [.init("id", identity.id), .init("wall_clock_ns", "\(identity.wallClockNanoseconds)")]))
    for note in notes { try mcap.add(note) }
    let isCalibrated = optics.contains { $0.lens != nil }
    for schema in Foxglove.Schema.allCases where isCalibrated || !schema.isOfCalibration {
      try mcap.add(schema.record)
    }
    for (id, stream) in streams.enumerated() {
      let schema = stream.layout.format == .jpeg ? Foxglove.Schema.compressedImage : .rawImage
      try mcap.add(
        MCAPChannel(
          id: UInt16(id), schema: schema.rawValue, topic: "/\(stream.name)/image", messageEncoding: "protobuf",
          metadata: StreamChannel.metadata(of: stream)))
    }
    for stream in facesOf {
      try mcap.add(
        MCAPChannel(
          id: facesChannels[stream]!, schema: Foxglove.Schema.imageAnnotations.rawValue,
          topic: "/\(frameIDs[stream])/faces", messageEncoding: "protobuf", metadata: []))
    }
    for (id, stream) in streams.enumerated() where optics[id].lens != nil {
      try mcap.add(
        MCAPChannel(
          id: calibrationChannel(id), schema: Foxglove.Schema.cameraCalibration.rawValue,
          topic: "/\(stream.name)/calibration", messageEncoding: "protobuf", metadata: []))
    }
    guard pose != nil, isCalibrated else { return }
    try mcap.add(
      MCAPChannel(
        id: transformChannel, schema: Foxglove.Schema.frameTransform.rawValue, topic: "/tf",
        messageEncoding: "protobuf", metadata: []))
  }

  private func calibrationChannel(_ stream: Int) -> UInt16 { transformChannel + 1 + UInt16(stream) }

  /// Writes what a viewer needs before a picture: once the place of depth, and the lens.
  private mutating func place(_ stream: Int, _ nanoseconds: Int64) throws(RetakeError) {
    if let (parent, child, pose) = pose, !isPlaced, optics.contains(where: { $0.lens != nil }) {
      isPlaced = true
      var message = Foxglove.FrameTransform()
      message.timestamp = Self.time(nanoseconds)
      (message.parentFrameID, message.childFrameID) = (parent, child)
      let (t, q) = (pose.translationMillimeters, pose.quaternion)
      message.translation = Foxglove.Vector3(x: t[0] / 1000, y: t[1] / 1000, z: t[2] / 1000)
      message.rotation = Foxglove.Quaternion(x: q[0], y: q[1], z: q[2], w: q[3])
      try append(message, transformChannel, nanoseconds)
    }
    guard let lens = optics[stream].lens else { return }
    var message = Foxglove.CameraCalibration()
    message.timestamp = Self.time(nanoseconds)
    message.frameID = frameIDs[stream]
    (message.width, message.height) = (optics[stream].width, optics[stream].height)
    message.distortionModel = lens.distortionModel
    message.d = PackedDoubles(lens.distortion)
    message.k = PackedDoubles(lens.matrix)
    message.r = PackedDoubles(CameraExtrinsics.identity.rotation)
    message.p = PackedDoubles(lens.projection)
    try append(message, calibrationChannel(stream), nanoseconds)
  }

  package mutating func append(
    pixels: UnsafeRawBufferPointer, _ encoding: PictureEncoding, width: Int, height: Int, stream: Int,
    nanoseconds: Int64
  ) throws(RetakeError) {
    try place(stream, nanoseconds)
    try append(
      Foxglove.RawImage(
        timestamp: Self.time(nanoseconds), width: width, height: height, encoding: encoding.rawValue,
        step: width * encoding.bytesPerPixel, data: pixels, frameID: frameIDs[stream]),
      UInt16(stream), nanoseconds)
  }

  package mutating func append(jpeg: UnsafeRawBufferPointer, stream: Int, nanoseconds: Int64) throws(RetakeError) {
    try place(stream, nanoseconds)
    try append(
      Foxglove.CompressedImage(
        timestamp: Self.time(nanoseconds), data: jpeg, format: "jpeg", frameID: frameIDs[stream]),
      UInt16(stream), nanoseconds)
  }

  /// Writes a green box per face. An empty list writes a message that clears the boxes before.
  package mutating func append(faces: [FaceObservation], stream: Int, nanoseconds: Int64) throws(RetakeError) {
    guard let channel = facesChannels[stream] else { return }
    let outlines = faces.map { Foxglove.PointsAnnotation($0.box, at: Self.time(nanoseconds)) }
    try append(Foxglove.ImageAnnotations(points: outlines), channel, nanoseconds)
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
}
