import FrameModel
import Support

extension DeviceDetails {
  /// Lists what an open node offers. Changes nothing.
  init(of node: any VideoNode, _ capability: VideoCapability, withControls: Bool) {
    driver = capability.driver
    card = capability.card
    bus = capability.bus
    formats = node.formats().filter { !$0.isEmulated }.map { entry in
      let recorded = CameraFormat.of(entry.code)
      return Format(
        name: recorded?.name ?? entry.code.description, title: entry.name, isRecorded: recorded != nil,
        modes: recorded == nil ? [] : Self.modes(of: entry.code, node))
    }
    controls =
      withControls
      ? node.controls().map { Control(control: $0, value: $0.isReadable ? try? node.value(of: $0) : nil) } : []
  }

  private static func modes(of code: FourCC, _ node: any VideoNode) -> [Mode] {
    switch node.sizes(of: code) {
    case .list(let sizes):
      return sizes.sorted { ($0.area, $0.width) < ($1.area, $1.width) }
        .map { Mode(size: $0.description, rates: words(node.rates(of: code, $0))) }
    case .range(let from, let to, let step):
      let steps = step == PictureSize(1, 1) ? "" : " in steps of \(step)"
      // Rates depend on the size; the smallest size offers the most.
      return [Mode(size: "\(from) to \(to)\(steps)", rates: words(node.rates(of: code, from)))]
    }
  }

  private static func words(_ rates: VideoRates) -> [String] {
    switch rates {
    case .list(let rates): rates.sorted { $0.framesPerSecond > $1.framesPerSecond }.map(\.description)
    case .range(let from, let to): ["\(from)-\(to)"]
    }
  }

  /// - Throws: as opening would, but not for a camera in use, which can still be queried.
  package static func v4l2(_ specification: DeviceSpecification, withControls: Bool) throws(RetakeError)
    -> DeviceDetails
  {
    let path = try V4L2Device.path(of: V4L2Options(specification))
    let node = try V4L2Failure.opening(path) { () throws(KernelError) in try LinuxVideoNode(path: path) }
    defer { node.close() }
    return DeviceDetails(of: node, try V4L2Device.capability(of: node, path), withControls: withControls)
  }
}
