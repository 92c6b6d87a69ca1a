import ArgumentParser

/// Flags of 'retake studio' for running cameras.
struct StudioCameraFlags: ParsableArguments {
  @Option(
    help: "A camera to show instead of a recording: kind[:place][?option=value&…]. Repeat it for several.",
    completion: .device)
  var device: [String] = []
  @OptionGroup var deviceFlags: DeviceFlags
  @OptionGroup var stall: TimeoutFlag
  @OptionGroup var detection: FacesFlag

  @Option(
    name: [.customShort("o"), .long],
    help:
      "The folder in which the page's recordings of cameras are made, named DATE-TIME.retake. By default Recordings.",
    completion: .directory)
  var recordTo: String?

  @Option(
    help: "Time before its begin that a recording of cameras holds: 10s. Needs memory and processor time throughout.")
  var preroll: TimeSpan?

  @OptionGroup var sharing: SharingFlag

  func check(hasRecording: Bool) throws {
    if hasRecording, !device.isEmpty { throw ValidationError("Give a recording or --device, not both.") }
    guard device.isEmpty else {
      if let recordTo, recordTo.isEmpty { throw ValidationError("--record-to is empty.") }
      if let preroll, !(1...600_000_000_000).contains(preroll.nanoseconds) {
        throw ValidationError("--preroll takes up to 10m, and more than 0.")
      }
      return
    }
    guard hasRecording else {
      throw ValidationError("Give a recording's folder, or a camera with --device; 'retake devices' lists cameras.")
    }
    let given = [
      ("--record-to", recordTo != nil), ("--preroll", preroll != nil), ("--timeout", stall.timeout != nil),
      ("--format, --size, --fps and --control", !deviceFlags.isEmpty), ("--faces", detection.faces != "auto"),
      ("--shared", sharing.shared),
    ]
    if let first = given.first(where: \.1) { throw ValidationError("\(first.0) is for cameras: it needs --device.") }
  }
}
