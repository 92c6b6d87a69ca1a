import FrameModel
import Support

/// Chooses the mode to request: those that reach 25 fps first, then sizes nearest to 640x480, then
/// the order of `CameraFormat.all`. Drivers that list no sizes or rates are assumed to have all.
struct V4L2ModeChoice {
  struct Mode: Hashable {
    var format: CameraFormat
    var size: PictureSize
    /// Nil if the driver lists none and none was requested.
    var rate: FrameRate?
  }

  private let path: String
  private let options: V4L2Options
  private let node: any VideoNode
  private let formats: [CameraFormat]
  private let listed: [VideoFormatEntry]

  private static let wantedSize = PictureSize(640, 480)
  private static let wantedFramesPerSecond = 30
  private static let leastFramesPerSecond = 24.9

  init(_ node: any VideoNode, path: String, _ options: V4L2Options) {
    self.node = node
    self.path = path
    self.options = options
    listed = node.formats().filter { !$0.isEmulated }
    let codes = Set(listed.map(\.code))
    formats = CameraFormat.all.filter { codes.contains($0.code) }
  }

  /// - Throws: `.unsupported` with the camera's list, if the request is not on it.
  func choose() throws(RetakeError) -> Mode {
    guard let best = try candidates(in: wantedFormats()).min(by: { $0.cost < $1.cost }) else {
      throw RetakeError(.unsupported, "\(path) lists no size that can be recorded.", hint: "choose a size with size=")
    }
    return best.mode
  }

  private struct Candidate {
    let mode: Mode
    /// What decides first: whether it is slow, distance from the wanted size, place in the list of formats.
    let cost: (slowness: Int, distance: Int, rank: Int)
  }

  private func wantedFormats() throws(RetakeError) -> [CameraFormat] {
    let names = formats.map(\.name).joined(separator: ", ")
    guard !formats.isEmpty else {
      let others = listed.map(\.code.description).joined(separator: ", ")
      throw RetakeError(
        .unsupported, "\(path) has no supported format\(others.isEmpty ? "" : ": it has \(others)").",
        hint: "supported formats: \(CameraFormat.allNames)")
    }
    if let wanted = options.format {
      guard formats.contains(wanted) else {
        throw RetakeError(.unsupported, "\(path) does not have the format \(wanted.name).", hint: "it has \(names)")
      }
      return [wanted]
    }
    guard let kind = options.kind else { return formats }
    // Formats made for the kind come before those that can also show it.
    let showing = formats.filter { $0.kind == kind } + formats.filter { $0.otherKinds.contains(kind) }
    guard !showing.isEmpty else {
      throw RetakeError(.unsupported, "\(path) has no format for \(kind.rawValue).", hint: "it has \(names)")
    }
    return showing
  }

  private func candidates(in formats: [CameraFormat]) throws(RetakeError) -> [Candidate] {
    var ofSize: [(format: CameraFormat, size: PictureSize, rank: Int)] = []
    for (rank, format) in formats.enumerated() {
      for size in sizes(of: format) { ofSize.append((format, size, rank)) }
    }
    if let size = options.size, ofSize.isEmpty {
      throw RetakeError(
        .unsupported, "\(path) does not support \(size)\(options.format.map { " in \($0.name)" } ?? "").",
        hint: "it supports \(Self.list(formats.map { node.sizes(of: $0.code).names }))")
    }
    var candidates: [Candidate] = []
    var allRates: [VideoRates] = []
    let limit = try FrameRate(Self.wantedFramesPerSecond)
    for (format, size, rank) in ofSize {
      let rates = node.rates(of: format.code, size)
      allRates.append(rates)
      if let wanted = options.rate, !rates.contains(wanted) { continue }
      let rate = options.rate ?? rates.best(upTo: limit)
      let isSlow = options.rate == nil && rate.map { $0.framesPerSecond < Self.leastFramesPerSecond } == true
      candidates.append(
        Candidate(
          mode: Mode(format: format, size: size, rate: rate),
          cost: (isSlow ? 1 : 0, size.distance(from: Self.wantedSize), rank)))
    }
    if let rate = options.rate, candidates.isEmpty, !ofSize.isEmpty {
      let place = [options.size.map { " at \($0)" }, options.format.map { " in \($0.name)" }].compactMap { $0 }.joined()
      throw RetakeError(
        .unsupported, "\(path) does not support \(rate) frames per second\(place).",
        hint: "it supports \(Self.list(allRates.map(\.names))) frames per second")
    }
    return candidates
  }

  private func sizes(of format: CameraFormat) -> [PictureSize] {
    let listed = node.sizes(of: format.code)
    if let wanted = options.size { return listed.contains(wanted) ? [wanted] : [] }
    // An input with a signal has the signal's size, even if the device could scale it.
    if node.input()?.signalRate != nil, let size = try? node.format().size { return [size] }
    switch listed {
    case .list(let sizes) where sizes.isEmpty: return [(try? node.format().size) ?? Self.wantedSize]
    case .list(let sizes): return sizes
    case .range: return [listed.nearest(to: Self.wantedSize) ?? Self.wantedSize]
    }
  }

  /// Leaves out what an earlier format has too.
  private static func list(_ names: [[String]]) -> String {
    names.reduce([]) { known, new in known + new.filter { !known.contains($0) } }.joined(separator: ", ")
  }
}

extension VideoSizes {
  fileprivate var names: [String] {
    switch self {
    case .list(let list): list.sorted { $0.area < $1.area }.map(\.description)
    case .range(let from, let to, let step): ["\(from) to \(to) in steps of \(step)"]
    }
  }
}

extension VideoRates {
  fileprivate var names: [String] {
    switch self {
    case .list(let list): list.map(\.description)
    case .range(let from, let to): ["\(from) to \(to)"]
    }
  }
}
