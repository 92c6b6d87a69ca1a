import CV4L2
import FrameModel
import Glibc
import Support

/// Sets format, size and rate, and reads back what the driver set. Deviations from a request are
/// errors; without one, anything recordable is accepted and noted.
struct V4L2Negotiation {
  let node: any VideoNode
  let path: String
  let options: V4L2Options
  let model: CameraModel

  func run() throws(RetakeError) -> V4L2Mode {
    var notes: [String] = []
    try selectInput()
    let input = node.input()
    if let input, let problem = input.problem { notes.append("its input \(input.name) has \(problem)") }
    let wanted = try V4L2ModeChoice(node, path: path, options).choose()
    let native = try V4L2Failure.attempt(path, orSay: "does not accept \(wanted.format.name) \(wanted.size)") {
      () throws(KernelError) in try node.setFormat(wanted.format.code, wanted.size)
    }
    guard let format = CameraFormat.of(native.code) else {
      throw refusal("the format \(native.code)", insteadOf: wanted.format.name)
    }
    if native.code != wanted.format.code {
      if options.format != nil { throw refusal("the format \(format.name)", insteadOf: wanted.format.name) }
      notes.append("the driver set \(format.name) instead of \(wanted.format.name)")
    }
    if native.size != wanted.size {
      if options.size != nil { throw refusal("\(native.size)", insteadOf: "\(wanted.size)") }
      notes.append("the driver set \(native.size) instead of \(wanted.size)")
    }
    let kind = options.kind ?? model.kind(of: format)
    guard format.canShow(kind) else { throw refusal("the format \(format.name)", insteadOf: kind.rawValue) }
    guard kind == .depth || options.depthUnit == nil else {
      throw RetakeError(
        .usage, "\(path) delivers \(format.name) as \(kind.rawValue), to which depth-unit does not apply.",
        hint: "leave out depth-unit=, or use format=Z16 or kind=depth")
    }
    try checkField(native)
    let (rate, source) = try setRate(wanted.rate, input)
    if let wanted = wanted.rate, !rate.isNearly(wanted) {
      if options.rate != nil { throw refusal("\(rate) frames per second", insteadOf: "\(wanted)") }
      notes.append("the driver set \(rate) frames a second instead of \(wanted)")
    }
    if source == "assumed" { notes.append("the driver does not say its rate, and \(rate) is assumed") }
    if kind == .depth, options.depthUnit == nil, model.depthUnit == nil {
      notes.append("its driver cannot say what distance a count is, and 1 mm is assumed: depth-unit= says otherwise")
    }
    // Only millimetres have a depth format.
    let depthUnit = options.depthUnit ?? model.depthUnit ?? 1000
    let depthPixels = depthUnit == 1000 ? PixelFormat.depthMillimeters16 : .grey16
    let layout = try FrameLayout(
      kind == .depth ? depthPixels : format.pixels, width: native.size.width, height: native.size.height)
    var mode = V4L2Mode(
      format: format, kind: kind, native: native, layout: layout,
      sourceBytesPerRow: try bytesPerRow(native, layout), rate: rate, rateSource: source, notes: notes)
    mode.depthUnit = depthUnit
    mode.depthUnitSource = options.depthUnit != nil ? "given" : model.depthUnit != nil ? "model" : "assumed"
    return mode
  }

  private func refusal(_ set: String, insteadOf wanted: String) -> RetakeError {
    RetakeError(
      .unsupported, "\(path) was asked for \(wanted), but its driver set \(set).",
      hint: "use that, or choose one that 'retake devices v4l2:\(path)' lists")
  }

  private func selectInput() throws(RetakeError) {
    guard let input = options.input, node.input()?.index != input else { return }
    do throws(KernelError) {
      try node.select(input: input)
    } catch {
      if error.number != EINVAL { throw V4L2Failure.failure(path, "does not accept input=\(input)", error) }
      throw RetakeError(
        .unsupported, "\(path) has no input \(input).",
        hint: "leave out input=, or use a valid number; inputs count from 0")
    }
  }

  private func checkField(_ native: VideoFormat) throws(RetakeError) {
    let whole = [UInt32(V4L2_FIELD_NONE.rawValue), UInt32(V4L2_FIELD_ANY.rawValue)]
    guard !whole.contains(native.field) else { return }
    throw RetakeError(
      .unsupported, "\(path) delivers interlaced video, which is not supported.",
      hint: "choose an input or a size with progressive video")
  }

  private func setRate(_ wanted: FrameRate?, _ input: VideoInput?) throws(RetakeError) -> (FrameRate, String) {
    // A signal's rate cannot be set.
    if let rate = input?.signalRate { return (rate, "signal") }
    // If the rate cannot be set, the current one may still match.
    let answer = wanted.flatMap { try? node.setRate($0) }
    if let rate = node.rate() ?? answer { return (Self.tidied(rate), "driver") }
    if options.rate != nil {
      throw RetakeError(.unsupported, "The frame rate of \(path) cannot be set.", hint: "leave out fps=")
    }
    return (try FrameRate(30), "assumed")
  }

  /// Rounds nearly whole rates: drivers count in units of 100 ns, and 333333 of them mean 30 fps.
  private static func tidied(_ rate: FrameRate) -> FrameRate {
    let whole = rate.framesPerSecond.rounded()
    guard whole >= 1, (rate.framesPerSecond - whole).magnitude < 1e-4 * whole,
      let tidy = try? FrameRate(Int(whole))
    else { return rate }
    return tidy
  }

  private func bytesPerRow(_ native: VideoFormat, _ layout: FrameLayout) throws(RetakeError) -> Int {
    if layout.format == .jpeg || native.bytesPerRow == 0 { return layout.bytesPerRow }
    guard native.bytesPerRow >= layout.bytesPerRow, native.bytesPerRow <= 16 * FrameLayout.largestSide else {
      throw RetakeError(
        .device, "\(path) reports \(native.bytesPerRow) bytes per row for \(native.size), which is invalid.",
        hint: "choose another size or format")
    }
    return native.bytesPerRow
  }
}
