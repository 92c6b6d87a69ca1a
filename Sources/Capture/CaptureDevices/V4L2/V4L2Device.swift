import FrameModel
import Support

package final class V4L2Device: CaptureDevice {
  package let summary: String
  package let streams: [StreamDescription]
  package var isLive: Bool { true }

  private let session: V4L2Session
  private let delivery: SingleDelivery

  package convenience init(_ specification: DeviceSpecification) throws(RetakeError) {
    let surroundings = VideoSurroundings(of: try Self.path(of: V4L2Options(specification)))
    func openMetadata() -> (any VideoMetadataNode)? {
      surroundings.metadataPath.flatMap { LinuxMetadataNode(path: $0) }
    }
    try self.init(specification, usbProduct: surroundings.usbProduct, metadata: openMetadata) {
      path throws(KernelError) in try LinuxVideoNode(path: path)
    }
  }

  /// - Parameters:
  ///   - metadata: opens the camera's node of metadata; nil if it has none that can be read.
  ///   - open: opens a path; tests inject their own drivers.
  package init(
    _ specification: DeviceSpecification, usbProduct: String? = nil,
    metadata openMetadata: () -> (any VideoMetadataNode)? = { nil },
    open: (String) throws(KernelError) -> any VideoNode
  ) throws(RetakeError) {
    let options = try V4L2Options(specification)
    let path = try Self.path(of: options)
    let node = try V4L2Failure.opening(path) { () throws(KernelError) in try open(path) }
    do throws(RetakeError) {
      let capability = try Self.capability(of: node, path)
      // Controls first, since some determine the available rates.
      let controls = V4L2Controls(node, path: path)
      try controls.apply(options.controls)
      let model = CameraModel(capability, usbProduct: usbProduct)
      let mode = try V4L2Negotiation(node: node, path: path, options: options, model: model).run()
      let metadata = options.usesMetadata ? openMetadata().map { FrameMetadata($0) } : nil
      let session: V4L2Session
      do throws(RetakeError) {
        session = try V4L2Session(node, path: path, mode, metadata: metadata)
      } catch {
        metadata?.close()
        throw error
      }
      let stamps = metadata == nil ? "" : "; with the camera's own times and frame numbers"
      summary = mode.summary(capability, path: path) + stamps
      streams = [
        mode.stream(
          capability, stamping: metadata == nil ? session.stamping.map(FrameStamping.driver) : .metadata,
          controls: controls.settings())
      ]
      self.session = session
      delivery = SingleDelivery { session.close() }
    } catch {
      node.close()
      throw error
    }
  }

  deinit { stop() }

  /// The named node, or else the first camera.
  static func path(of options: V4L2Options) throws(RetakeError) -> String {
    if let path = options.path { return path }
    guard let first = VideoNodeList.cameras().first else {
      throw RetakeError(
        .notFound, "No V4L2 camera is connected.",
        hint: "connect one; 'retake devices' lists the connected devices")
    }
    return first.place
  }

  static func capability(of node: any VideoNode, _ path: String) throws(RetakeError) -> VideoCapability {
    let capability = try V4L2Failure.opening(path, node.capability)
    guard capability.capturesVideo, capability.streams else {
      throw RetakeError(
        .device, "\(path) of \(capability.card) does not capture video.",
        hint: "a camera may have several nodes; 'retake devices' lists those that can be recorded"
          + (LinuxVideoNode.missingLibrary == nil
            ? "" : "; some drivers need libv4l2: install Debian's package libv4l-0"))
    }
    return capability
  }

  package func start(delivering sink: any CaptureSink) throws(RetakeError) {
    try delivery.start(prepare: session.start) { [session] isStopping in
      session.run(delivering: sink, isStopping: isStopping)
      session.close()
    }
  }

  package func stop() { delivery.stop() }
}
