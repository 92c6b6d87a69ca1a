import FrameModel
import Kernels
import Support

/// Writes an MCAP file as ROS 2 records it, with zstd chunks: sensor_msgs/Image or CompressedImage and
/// CameraInfo for each stream, and the place of depth on /tf_static. Faces have no message.
package struct ROSFileWriter<Sink: ByteSink>: PictureMessageWriter {
  private var mcap: MCAPWriter<Sink>
  private let optics: [StreamOptics]
  private let frames: [String]
  private let pose: (parent: String, child: String, CameraExtrinsics)?
  private var sequences: [UInt32]
  private var isPlaced = false
  private let transformChannel: UInt16

  /// Reliable, and kept for those who come later (tf_static) or not.
  private static func quality(isKept: Bool) -> StreamDescription.Setting {
    let forever = "\n    sec: 9223372036\n    nsec: 854775807\n"
    return .init(
      "offered_qos_profiles",
      "- history: 1\n  depth: 10\n  reliability: 1\n  durability: \(isKept ? 1 : 2)\n  deadline:\(forever)"
        + "  lifespan:\(forever)  liveliness: 1\n  liveliness_lease_duration:\(forever)"
        + "  avoid_ros_namespace_conventions: false")
  }

  /// - Parameter streams: each gets channels "/NAME/image_raw" (JPEG: "/NAME/image_raw/compressed") and,
  ///   if it has a lens, "/NAME/camera_info".
  /// - Parameter notes: further metadata records, such as the recording's tags.
  package init(
    to sink: Sink, identity: RecordingIdentity, streams: [StreamDescription], notes: [MCAPMetadata] = []
  ) throws(RetakeError) {
    var options = MCAPWriterOptions()
    options.compression = .zstd
    mcap = try MCAPWriter(to: sink, header: MCAPHeader(profile: "ros2", library: "retake"), options: options)
    let optics = StreamOptics.list(streams)
    self.optics = optics
    let color = streams.first { $0.kind == .color }
    func frame(_ stream: StreamDescription, _ optics: StreamOptics) -> String {
      (optics.isOverColor ? color?.name ?? stream.name : stream.name) + "_optical_frame"
    }
    let frames = zip(streams, optics).map(frame)
    self.frames = frames
    let depth = streams.indices.first { optics[$0].pose != nil }
    pose = depth.flatMap { depth in
      optics[depth].pose.map { (parent: "\(color?.name ?? "color")_optical_frame", child: frames[depth], $0) }
    }
    transformChannel = UInt16(2 * streams.count)
    sequences = Array(repeating: 0, count: 2 * streams.count + 1)
    try mcap.add(
      MCAPMetadata(
        name: "retake.export",
        entries: [.init("id", identity.id), .init("wall_clock_ns", "\(identity.wallClockNanoseconds)")]))
    for note in notes { try mcap.add(note) }
    for schema in ROSSchema.allCases { try mcap.add(schema.record) }
    for (id, stream) in streams.enumerated() {
      let isJPEG = stream.layout.format == .jpeg
      try mcap.add(
        MCAPChannel(
          id: UInt16(2 * id), schema: (isJPEG ? ROSSchema.compressedImage : .image).rawValue,
          topic: "/\(stream.name)/image_raw" + (isJPEG ? "/compressed" : ""), messageEncoding: "cdr",
          metadata: [Self.quality(isKept: false)] + StreamChannel.metadata(of: stream)))
      guard optics[id].lens != nil else { continue }
      try mcap.add(
        MCAPChannel(
          id: UInt16(2 * id + 1), schema: ROSSchema.cameraInfo.rawValue, topic: "/\(stream.name)/camera_info",
          messageEncoding: "cdr", metadata: [Self.quality(isKept: false)]))
    }
    guard pose != nil else { return }
    try mcap.add(
      MCAPChannel(
        id: transformChannel, schema: ROSSchema.transforms.rawValue, topic: "/tf_static", messageEncoding: "cdr",
        metadata: [Self.quality(isKept: true)]))
  }

  package mutating func append(
    pixels: UnsafeRawBufferPointer, _ encoding: PictureEncoding, width: Int, height: Int, stream: Int,
    nanoseconds: Int64
  ) throws(RetakeError) {
    try place(stream, nanoseconds)
    let frame = frames[stream]
    try append(UInt16(2 * stream), nanoseconds) { message in
      message.append(header: frame, nanoseconds)
      message.append(height)
      message.append(width)
      message.append(encoding.rawValue)
      message.append(UInt8(0))
      message.append(width * encoding.bytesPerPixel)
      message.append(pixels)
    }
  }

  package mutating func append(jpeg: UnsafeRawBufferPointer, stream: Int, nanoseconds: Int64) throws(RetakeError) {
    try place(stream, nanoseconds)
    let frame = frames[stream]
    try append(UInt16(2 * stream), nanoseconds) { message in
      message.append(header: frame, nanoseconds)
      message.append("jpeg")
      message.append(jpeg)
    }
  }

  package mutating func append(faces: [FaceObservation], stream: Int, nanoseconds: Int64) {}

  package mutating func finish() throws(RetakeError) { try mcap.finish() }

  /// Writes what a reader needs before a picture: once the place of depth, and the lens.
  private mutating func place(_ stream: Int, _ nanoseconds: Int64) throws(RetakeError) {
    if let (parent, child, pose) = pose, !isPlaced {
      isPlaced = true
      try append(transformChannel, nanoseconds) { message in
        message.append(1)
        message.append(header: parent, nanoseconds)
        message.append(child)
        message.append(pose.translationMillimeters.map { $0 / 1000 } + pose.quaternion)
      }
    }
    guard let lens = optics[stream].lens else { return }
    let (frame, size) = (frames[stream], optics[stream])
    try append(UInt16(2 * stream + 1), nanoseconds) { message in
      message.append(header: frame, nanoseconds)
      message.append(size.height)
      message.append(size.width)
      message.append(lens.distortionModel)
      message.append(counted: lens.distortion)
      message.append(lens.matrix)
      message.append(CameraExtrinsics.identity.rotation)
      message.append(lens.projection)
      // Neither binning nor a region.
      for _ in 0..<6 { message.append(0) }
      message.append(UInt8(0))
    }
  }

  private mutating func append(_ channel: UInt16, _ nanoseconds: Int64, _ body: (inout CDRWriter) -> Void)
    throws(RetakeError)
  {
    let sequence = sequences[Int(channel)]
    sequences[Int(channel)] &+= 1
    let time = UInt64(max(0, nanoseconds))
    _ = try mcap.append(channel: channel, sequence: sequence, logTime: time, publishTime: time) {
      CDRWriter.append(to: &$0, body)
    }
  }
}
