import CaptureDevices
import Foundation
import FrameModel
import Support
import TestSupport
import Testing

/// A RealSense as V4L2 shows it: what its model says, and its node of metadata, which is written in Swift here.
@Suite struct RealSenseTests {
  private final class MetadataNode: VideoMetadataNode {
    /// What is filled at each drain.
    var turns: [[(UInt32, [UInt8])]]
    var failure: Int32?
    private(set) var isStarted = false
    private(set) var isClosed = false
    init(_ turns: [[(UInt32, [UInt8])]] = []) { self.turns = turns }
    func start() throws(KernelError) {
      if let failure { throw KernelError(failure) }
      isStarted = true
    }
    func drain(_ body: (UInt32, UnsafeRawBufferPointer) -> Void) {
      guard !turns.isEmpty else { return }
      for (sequence, bytes) in turns.removeFirst() { bytes.withUnsafeBytes { body(sequence, $0) } }
    }
    func close() { isClosed = true }
  }

  private func camera(_ codes: [FourCC], _ steps: [ScriptedVideoNode.Step] = []) -> ScriptedVideoNode {
    let node = ScriptedVideoNode(steps)
    node.answer.card = "Intel(R) RealSense(TM) Depth Ca"
    node.listed = codes.map { ScriptedVideoNode.Listed(code: $0) }
    return node
  }

  private func open(
    _ node: ScriptedVideoNode, _ options: String = "", product: String? = "0b07", _ metadata: MetadataNode? = nil
  ) throws -> V4L2Device {
    let device = try DeviceSpecification("v4l2:/dev/video9" + (options.isEmpty ? "" : "?\(options)"))
    func openMetadata() -> (any VideoMetadataNode)? { metadata }
    return try V4L2Device(device, usbProduct: product, metadata: openMetadata) { _ in node }
  }

  private func facts(_ time: UInt32, _ counter: UInt32) -> [UInt8] {
    UVCMetadataTests.packet(
      UVCMetadataTests.standard(time: time) + UVCMetadataTests.timing(counter: counter, exposure: 1))
  }

  @Test func `depth has the model's unit unless another is given`() throws {
    func unit(_ options: String, _ product: String?) throws -> [String?] {
      let stream = try open(camera([FourCC("Z16 ")]), options, product: product).streams[0]
      return [
        stream.layout.format.rawValue, stream.settings[StreamDescription.depthUnit],
        stream.settings["depth-unit-source"], stream.settings["note-1"],
      ]
    }
    #expect(try unit("", "0b07") == ["Z16", nil, "model", nil])
    #expect(try unit("", "0b5b") == ["Y16", "100", "model", nil])
    #expect(try unit("depth-unit=250", "0b5b") == ["Y16", "250", "given", nil])
    #expect(try unit("depth-unit=1000", "0b5b") == ["Z16", nil, "given", nil])
  }

  @Test func `8-bit pictures are infrared, and two in one frame are named as not recorded`() throws {
    let stream = try open(camera([FourCC("GREY"), FourCC("Y8I ")])).streams[0]
    #expect(stream.kind == .infrared && stream.name == "infrared" && stream.layout.format == .grey8)
    #expect(try open(camera([FourCC("GREY")]), "kind=color").streams[0].kind == .color)
    let other = ScriptedVideoNode()
    other.listed = [ScriptedVideoNode.Listed(code: FourCC("GREY"))]
    #expect(try scriptedDevice("", other).streams[0].kind == .color)
    let error = #expect(throws: RetakeError.self) { _ = try open(camera([FourCC("Y8I ")])) }
    #expect(error?.message.contains("it has Y8I") == true)
  }

  @Test func `times and numbers come from the metadata of the same frame, however late or lost that is`() async throws {
    let node = camera(
      [FourCC("Z16 ")],
      [3, 4, 5, 6, 9].map { .frame(.scripted($0)) } + [.failure(19)])
    let metadata = MetadataNode([
      // Of a frame that the driver dropped, and of the first; then two at once, one not yet there, and one lost.
      [(2, facts(100, 40)), (3, facts(33_433, 41))],
      [(4, facts(66_766, 42)), (5, facts(100_099, 43))],
      [],
      [],
      [(9, facts(233_431, 47))],
    ])
    let device = try open(node, "", metadata)
    let stream = device.streams[0]
    #expect(stream.clock == (try TickClock(hertz: 1_000_000, bits: 32)) && !stream.isHostTimed)
    #expect(stream.settings["timestamp-type"] == "device" && stream.settings["timestamp-source"] == "metadata-d4xx")
    #expect(device.summary.contains("the camera's own times"))
    let sink = ScriptedSink()
    try device.start(delivering: sink)
    await sink.end.wait()
    device.stop()
    #expect(metadata.isStarted && metadata.isClosed)
    let frames = sink.deliveries.frames
    #expect(frames.map(\.deviceTick) == [33_433, 66_766, 100_099, nil, 233_431])
    #expect(frames.map(\.deviceSequence) == [41, 42, 43, nil, 47])
  }

  @Test func `without metadata, or with it off, the driver's times and numbers are used`() async throws {
    for (options, metadata) in [("", nil), ("metadata=off", MetadataNode([[(3, facts(1, 2))]]))] {
      let device = try open(camera([FourCC("Z16 ")], [.frame(.scripted(3)), .failure(19)]), options, metadata)
      #expect(device.streams[0].clock == .microseconds && device.streams[0].isHostTimed)
      let sink = ScriptedSink()
      try device.start(delivering: sink)
      await sink.end.wait()
      device.stop()
      #expect(sink.deliveries.frames.map(\.deviceSequence) == [3])
      #expect(metadata?.isStarted != true)
    }
  }

  @Test func `metadata that does not start is an error that names the camera, and all is closed`() throws {
    let (node, metadata) = (camera([FourCC("Z16 ")]), MetadataNode())
    metadata.failure = 5
    let device = try open(node, "", metadata)
    let error = #expect(throws: RetakeError.self) { try device.start(delivering: ScriptedSink()) }
    #expect(error?.message.contains("/dev/video9 could not start its metadata") == true)
    device.stop()
    #expect(metadata.isClosed && node.isClosed)
  }

  @Test func `nodes of one USB device are one camera, and metadata lies behind its pictures`() throws {
    let folder = try TemporaryFolder()
    let usb = folder.path("devices/3-1")
    let files = FileManager.default
    for interface in ["3-1:1.0", "3-1:1.3"] {
      try files.createDirectory(atPath: "\(usb)/\(interface)", withIntermediateDirectories: true)
    }
    try "0b07\n".write(toFile: "\(usb)/idProduct", atomically: false, encoding: .utf8)
    for (number, interface, index) in [(0, "3-1:1.0", 0), (1, "3-1:1.0", 1), (2, "3-1:1.3", 0), (3, "3-1:1.3", 1)] {
      let node = folder.path("class/video\(number)")
      try files.createDirectory(atPath: node, withIntermediateDirectories: true)
      try "\(index)\n".write(toFile: "\(node)/index", atomically: false, encoding: .utf8)
      try files.createSymbolicLink(atPath: "\(node)/device", withDestinationPath: "\(usb)/\(interface)")
    }
    func surroundings(_ path: String) -> VideoSurroundings {
      VideoSurroundings(of: path, classFolder: folder.path("class"))
    }
    let (depth, color) = (surroundings("/dev/video0"), surroundings("/dev/video2"))
    #expect(depth.usbFolder?.hasSuffix("/devices/3-1") == true && depth.usbFolder == color.usbFolder)
    #expect(depth.usbProduct == "0b07" && depth.metadataPath == "/dev/video1" && color.metadataPath == "/dev/video3")
    let none = surroundings("/dev/video7")
    #expect(none.usbFolder == nil && none.metadataPath == nil && surroundings("/dev/video3").metadataPath == nil)
  }
}
