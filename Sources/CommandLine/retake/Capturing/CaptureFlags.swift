import ArgumentParser
import CaptureDevices

struct TimeoutFlag: ParsableArguments {
  @Option(help: "Report and reopen a camera after this time without a frame. By default 2s, or 10 frames if longer.")
  var timeout: TimeSpan?

  func validate() throws {
    if let timeout, timeout.nanoseconds < 100_000_000 { throw ValidationError("--timeout takes 100ms or more.") }
  }

  func supervision(_ policy: SupervisionOptions.Policy) -> SupervisionOptions {
    var options = SupervisionOptions()
    options.policy = policy
    options.timeoutNanoseconds = timeout?.nanoseconds
    return options
  }
}

struct FacesFlag: ParsableArguments {
  @Option(
    help: """
      Face detector for the first colour stream: lbp, haar, yunet:FILE.onnx, recorded (faces that the device delivers), \
      none, or auto: the device's faces, or lbp for a live camera.
      """, completion: .faces) var faces = "auto"
}

struct KeepFreeFlag: ParsableArguments {
  @Option(
    help:
      "End cleanly before free disk space falls below this. By default 1GiB, or 5 % of a smaller disk; at least 1MiB, for the index."
  )
  var keepFree: ByteCount?
}
