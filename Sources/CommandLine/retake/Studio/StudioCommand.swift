import ArgumentParser
import Foundation
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import StudioServer
import StudioViews
import Support

struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Shows a recording, or running cameras, on a page in the browser, where parameters are tuned.",
    discussion: """
      retake studio first.retake
      retake studio first.retake --background room.jpg --background office.png
      retake studio first.retake --open mine.yaml --open first-sweep.sqlite#12
      retake studio ~/recordings
      retake studio $(retake find ~/recordings 'tag:dark')
      retake studio first.retake --preset handheld --parameters mine.yaml --port 8080
      retake studio --device kinect:0 --record-to sessions --preroll 10s

      It prints an address and opens it in the browser, where there is a desktop. Ctrl-C ends it. Only this machine can \
      open the address. Of a recording only marks are changed, and only when you change one.

      With --device, the page shows running cameras and records them. Ctrl-C also ends a recording that goes on. Exits 3 \
      when a recording lost frames or a camera failed.
      """)

  @Argument(
    help: ArgumentHelp(
      "The recording's folder, a folder of recordings, or several recordings; - for lines of standard input.",
      valueName: "recording"))
  var recordings: [String] = []
  @OptionGroup var cameras: StudioCameraFlags
  @OptionGroup var parameters: ParameterFlags
  @Option(
    help: "A background picture, video or recording to choose on the page; repeat it. The first one is shown.")
  var background: [String] = []
  @Option(
    help: ArgumentHelp(
      """
      Begin with this file's setting as A, and with a second one's as B: YAML, a bug bundle, digests, a folder of \
      'retake reproduce --keep', or a sweep's results, whose best setting counts; results.sqlite#12 is setting 12.
      """, valueName: "file"), completion: .file())
  var open: [String] = []
  @Option(help: "The port of the address. By default a free one.") var port = 0
  @Flag(help: "Only print the address, and do not open a browser.") var noOpen = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
    try cameras.check(hasRecording: !recordings.isEmpty)
  }

  func run() throws {
    FreedMemory.goesBackAtOnce()
    let opened = try open.map { word throws(RetakeError) in try OpenedFile(word) }
    var (preset, values) = try parameters.resolved(
      on: opened.prefix(1).map { file throws(RetakeError) in
        try ParameterFile(YAMLDocument(file.setting.yaml, name: file.name, hint: YAMLDocument.parametersHint))
      })
    // A setting that the page saves may be used in another folder.
    let background = background.map { URL(fileURLWithPath: $0).path }
    for path in background { _ = try BackgroundFile(path: path) }
    let name = PipelineParameters.composite.background.declaration.name
    if let first = background.first {
      try values.set(name, to: first)
    } else if try BackgroundFile.named(in: values) != nil {
      try values.set(name, to: URL(fileURLWithPath: values[PipelineParameters.composite.background]).path)
    }
    let start = ViewSetting(preset: preset, parameters: values)
    let files = NamedFiles(
      backgrounds: background, opened: opened, hasPreset: parameters.preset != nil)
    if recordings.isEmpty {
      try serveCameras(start, files)
    } else {
      try serve(service(recordings, start, files)) { Thread.sleep(forTimeInterval: 0.05) }
    }
  }

  /// Serves until Ctrl-C.
  /// - Parameter idle: called again and again meanwhile; returns after about 50 ms.
  func serve(_ studio: any StudioService, idle: () -> Void) throws {
    let stop = StopSignal()
    let token = Self.token()
    let server = try StudioServer(host: "127.0.0.1", port: port, token: token, service: studio)
    let address = "http://127.0.0.1:\(server.port)/#token=\(token)"
    try print(address)
    let launcher = noOpen ? nil : BrowserLauncher(address)
    Terminal.say(
      launcher == nil
        ? "Open this address in a browser on this machine. Ctrl-C ends it."
        : "Opened in the browser; the address works in others on this machine too. Ctrl-C ends it.")
    while !stop.flag.isSet { idle() }
    server.end()
    if studio.isSweeping {
      Terminal.say("The sweep finishes the settings that it plays. Ctrl-C again ends it at once.")
    }
    studio.finish()
    withExtendedLifetime(launcher) {}
  }

  static var pageFolder: String? { ProcessInfo.processInfo.environment["RETAKE_STUDIO_PAGE"] }

  private func service(_ recordings: [String], _ start: ViewSetting, _ files: NamedFiles) throws(RetakeError)
    -> any StudioService
  {
    let open: @Sendable (String) throws(RetakeError) -> Recording = { path throws(RetakeError) in
      try Recording.opened(path, isQuiet: true)
    }
    let paths = try RecordingPaths.expanded(recordings)
    if paths.count > 1 || FolderStudio.isOfRecordings(paths[0]) {
      return try FolderStudio(paths, start: start, files: files, pageFolder: Self.pageFolder, open: open)
    }
    let recording = try Recording.opened(paths[0])
    if !FileBeside.isPossible(recording) {
      Terminal.say(
        "\(FileBeside.folder(recording)) cannot be written, so the page's settings, truth and sweeps are not kept.")
    }
    return try RecordingStudio(recording, start: start, files: files, pageFolder: Self.pageFolder)
  }

  /// 126 bits from the system's generator.
  private static func token() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in Int(truncatingIfNeeded: generator.next() >> 1).zeroPadded(16, radix: 16) }.joined()
  }
}
