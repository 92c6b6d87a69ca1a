// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

/// Pixel loops without optimisation are 50 to 500 times slower, which would make debug tests useless;
/// optimised in both configurations they are also what the determinism tests compare.
let optimised: [SwiftSetting] =
  strict + [
    .unsafeFlags(["-O"], .when(configuration: .debug))
  ]

/// Warnings are errors in C too, which only the compiler's own flags can say; and as above, debug tests need its speed.
let optimisedC: [CSetting] = [
  .unsafeFlags(["-std=gnu17", "-Wall", "-Wextra", "-Werror"]),
  .unsafeFlags(["-O2"], .when(configuration: .debug)),
]

/// A room on a frame's way from the camera to the picture: a folder under Sources/.
func room(
  _ name: String, uses dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = strict
) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(name)", swiftSettings: settings)
}

/// - Parameter scripts: Python files beside the tests.
func tests(
  _ name: String, of dependencies: [Target.Dependency], scripts: [String] = [], settings: [SwiftSetting] = strict
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)", exclude: scripts,
    swiftSettings: settings)
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let commandLine: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "retake",
  products: [
    .executable(name: "retake", targets: ["retake"]),
    .library(name: "RetakeKit", targets: ["RetakeKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    system("CSpng", pkgConfig: "spng", apt: "libspng-dev"),
    system("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),
    system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev"),
    // Its own pkg-config file names every library of OpenCV, installed or not.
    .target(
      name: "COpenCV", path: "Sources/COpenCV",
      cxxSettings: [.unsafeFlags(["-I/usr/include/opencv4", "-O2", "-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [
        .linkedLibrary("opencv_objdetect"), .linkedLibrary("opencv_dnn"), .linkedLibrary("opencv_core"),
      ]),
    system("CFreenect", pkgConfig: "libfreenect", apt: "libfreenect-dev"),
    system("CV4L2", pkgConfig: "libv4l2", apt: "libv4l-dev"),

    room("PortableMath", settings: optimised),
    room("FrameModel", settings: optimised),
    room("Pictures", uses: ["FrameModel", "CSpng", "CTurboJPEG"]),
    room(
      "CaptureDevices",
      uses: ["FrameModel", "Parameters", "PortableMath", "Pictures", "Kernels", "CFreenect", "CV4L2"],
      settings: optimised),
    room("FrameSync", uses: ["FrameModel"], settings: optimised),
    // The models that people name, checked before OpenCV gets them.
    room("Networks", uses: ["FrameModel", "ChunkFormat", "COpenCV"], settings: optimised),
    room("FaceDetection", uses: ["FrameModel", "Pictures", "Kernels", "Networks", "COpenCV"], settings: optimised),
    room("ChunkFormat", uses: ["FrameModel", "CKernels", "CZstd", "CZlib", "CXXHash"], settings: optimised),
    // GRDBSQLite: limits of what a stranger's index may make SQLite take.
    room(
      "RecordingStore",
      uses: ["FrameModel", "ChunkFormat", "FrameSync", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift")]),
    // Optimised: every pixel of a part is read and changed.
    room("RecordingRedaction", uses: ["FrameModel", "RecordingStore", "ChunkFormat", "Pictures"], settings: optimised),
    room("Parameters", uses: ["FrameModel", yams]),
    // Kernels: noise is a fault that a replay can add to depth.
    room("Replay", uses: ["FrameModel", "RecordingStore", "Parameters", "PortableMath", "Kernels"]),
    .target(name: "CKernels", path: "Sources/CKernels", cSettings: optimisedC),
    room("Kernels", uses: ["FrameModel", "PortableMath", "CKernels"], settings: optimised),
    // Pictures: a camera may send JPEG. Optimised, because no frame is to allocate, and unoptimised Swift does unseen.
    room("MattePipeline", uses: ["FrameModel", "Kernels", "Parameters", "Pictures"], settings: optimised),
    room(
      "Segmentation",
      uses: [
        "ChunkFormat", "FrameModel", "Kernels", "RecordingStore", "MattePipeline", "Parameters", "PortableMath",
        "Networks", "COpenCV",
      ],
      settings: optimised),
    room("MatteMetrics", uses: ["FrameModel", "PortableMath", "CKernels"], settings: optimised),
    room(
      "MatteScoring", uses: ["FrameModel", "MatteMetrics", "Kernels", "Parameters", "Pictures", "ChunkFormat"],
      settings: optimised),
    room("ParameterSweep", uses: ["FrameModel", "Parameters", "PortableMath"]),
    // GRDBSQLite: limits of what a stranger's file may make SQLite take.
    room(
      "SweepResults",
      uses: [
        "FrameModel", "MatteScoring", "Parameters", "ChunkFormat", grdb,
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    // The page's style and script are within the program, which needs no folder beside it. Optimised: a page is megabytes.
    .target(
      name: "SweepReports", dependencies: ["SweepResults", "MatteScoring", "FrameModel", "PortableMath"],
      path: "Sources/SweepReports", resources: [.embedInCode("Page/report.css"), .embedInCode("Page/report.js")],
      swiftSettings: optimised),
    room("VideoFiles", uses: ["FrameModel", "CV4L2"]),
    room(
      "Rendering",
      uses: [
        "ChunkFormat", "FrameModel", "Kernels", "Parameters", "RecordingStore", "Replay", "FrameSync", "MattePipeline",
        "Pictures", "VideoFiles",
      ]),
    room(
      "ReplaySessions",
      uses: ["FrameModel", "MattePipeline", "Parameters", "RecordingStore", "Replay", "Rendering", "Segmentation"]),
    room(
      "SweepRuns",
      uses: [
        "FrameModel", "Kernels", "MattePipeline", "Parameters", "Pictures", "RecordingStore", "Rendering", "Replay",
        "Segmentation", "ParameterSweep", "SweepResults", "MatteScoring", "ReplaySessions",
      ], settings: optimised),
    room(
      "BugBundles",
      uses: [
        "FrameModel", "MattePipeline", "Parameters", "Pictures", "Rendering", "Replay", "ReplaySessions",
        "RecordingRedaction", "RecordingStore", "ChunkFormat",
      ]),
    // What other packages may use. Everything else is this package's own.
    room("RetakeKit", uses: ["BugBundles"]),
    room(
      "RecordingExport", uses: ["FrameModel", "RecordingStore", "ChunkFormat", "Kernels", "Pictures", "VideoFiles"],
      settings: optimised),
    room(
      "RecordingImport",
      uses: ["FrameModel", "CaptureDevices", "ChunkFormat", "RecordingStore", "Kernels", "Pictures", "VideoFiles"],
      settings: optimised),
    .executableTarget(
      name: "retake",
      dependencies: [
        "FrameModel", "MattePipeline", "MatteScoring", "ParameterSweep", "Parameters", "RecordingRedaction",
        "Rendering", "Replay", "Segmentation", "SweepResults", "VideoFiles",
        "CaptureDevices", "FaceDetection", "RecordingStore", "RecordingExport", "RecordingImport", "ReplaySessions",
        "BugBundles", "SweepRuns", "SweepReports", commandLine,
      ],
      path: "Sources/retake", swiftSettings: strict),

    // What Tools/bench runs.
    .executableTarget(
      name: "retake-bench",
      dependencies: [
        "FrameModel", "Parameters", "PortableMath", "Rendering",
        "CaptureDevices", "FaceDetection", "RecordingStore", "Replay", "ReplaySessions", "MattePipeline", "Kernels",
        "ChunkFormat", "SweepRuns", "SweepResults", "MatteScoring", "MatteMetrics", "CZstd",
      ],
      path: "Tools/Benchmarks", exclude: ["contenders.py", "opencv-chain.cpp"], swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["FrameModel", "PortableMath"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .target(
      name: "RecordingTestSupport", dependencies: ["TestSupport", "CaptureDevices", "RecordingStore", "FrameModel"],
      path: "Tests/RecordingTestSupport", swiftSettings: strict),
    tests("FrameModelTests", of: ["FrameModel"]),
    tests("KernelsTests", of: ["Kernels", "PortableMath", "FrameModel"], settings: optimised),
    // Its malloc stands for the C library's in every test of the program that it is linked into.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter", cSettings: optimisedC),
    tests(
      "MattePipelineTests",
      of: ["FrameModel", "Parameters", "PortableMath", "MattePipeline", "Kernels", "Pictures", "AllocationCounter"],
      settings: optimised),
    tests(
      "MatteMetricsTests", of: ["MatteMetrics", "PortableMath", "CKernels"], scripts: ["score_mattes.py"],
      settings: optimised),
    tests("ParameterSweepTests", of: ["FrameModel", "ParameterSweep", "Parameters"]),
    tests(
      "MatteScoringTests", of: ["FrameModel", "MatteScoring", "MatteMetrics", "Kernels", "Pictures", "PortableMath"],
      scripts: ["score_recording.py"], settings: optimised),
    tests("SweepResultsTests", of: ["FrameModel", "SweepResults", "MatteScoring", "Parameters", "PortableMath", grdb]),
    tests(
      "SweepReportsTests",
      of: ["FrameModel", "SweepReports", "SweepResults", "MatteScoring", "Pictures", "PortableMath"],
      scripts: ["browse_report.py", "check_report.py"], settings: optimised),
    tests(
      "SweepRunsTests",
      of: [
        "FrameModel", "MattePipeline", "Parameters", "Rendering", "Replay",
        "SweepRuns", "ParameterSweep", "SweepResults", "MatteScoring", "ReplaySessions", "RecordingStore",
        "Pictures", "PortableMath", "RecordingTestSupport",
      ], settings: optimised),
    tests(
      "CaptureDevicesTests", of: ["CV4L2", "FrameModel", "CaptureDevices", "Kernels", "Pictures", "PortableMath"],
      settings: optimised),
    tests(
      "FaceDetectionTests",
      of: ["FrameModel", "FaceDetection", "CaptureDevices", "Kernels", "Pictures", "PortableMath"],
      settings: optimised),
    tests("ChunkFormatTests", of: ["FrameModel", "PortableMath", "ChunkFormat", "CKernels"], settings: optimised),
    tests("FrameSyncTests", of: ["FrameModel", "PortableMath", "FrameSync"]),
    tests(
      "RecordingStoreTests", of: ["FrameModel", "RecordingStore", "ChunkFormat", "PortableMath", grdb],
      scripts: ["read_with_retake.py"]),
    tests(
      "RecordingRedactionTests", of: ["FrameModel", "RecordingRedaction", "RecordingStore", "ChunkFormat", "Pictures"],
      settings: optimised),
    tests(
      "ReplayTests",
      of: ["FrameModel", "Replay", "Parameters", "RecordingStore", "PortableMath", "RecordingTestSupport"]),
    tests(
      "RenderingTests",
      of: ["FrameModel", "Rendering", "RecordingStore", "MattePipeline", "Kernels", "Parameters", "VideoFiles"]),
    tests(
      "ReplaySessionsTests",
      of: [
        "FrameModel", "Rendering", "Replay",
        "ReplaySessions", "RecordingStore", "ChunkFormat", "MattePipeline", "Kernels", "Parameters", "Pictures",
        "PortableMath", "RecordingTestSupport",
      ], settings: optimised),
    tests(
      "SegmentationTests",
      of: [
        "FrameModel", "MattePipeline", "Segmentation", "Networks", "RecordingStore", "Kernels", "Parameters",
        "PortableMath",
      ],
      settings: optimised),
    tests(
      "BugBundlesTests",
      of: ["FrameModel", "Rendering", "Replay", "BugBundles", "RecordingStore", "ChunkFormat", "ReplaySessions"]),
    tests("RetakeKitTests", of: ["RetakeKit", "retake"]),
    // The commands, as a user runs them.
    tests(
      "RetakeTests",
      of: [
        "CaptureDevices", "FrameModel", "Kernels", "Rendering", "Replay", "VideoFiles",
        "retake", "RecordingStore", "RecordingExport", "ReplaySessions", "BugBundles", "ChunkFormat", "Parameters",
        "MattePipeline", "MatteMetrics", "Pictures",
        "PortableMath", "MatteScoring", "SweepResults",
      ],
      scripts: ["read_with_mcap.py", "read_exported_mcap.py", "write_foreign_mcap.py", "read_imported.py"]),
  ],
  cxxLanguageStandard: .cxx17
)

// What Tools/fuzz runs. Only there: without the fuzzer's own build flags there is no libFuzzer to link with.
if Context.environment["RETAKE_FUZZING"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tools/Fuzzing/CFuzzer"),
    .executableTarget(
      name: "retake-fuzz", dependencies: ["CFuzzer", "BugBundles", "ChunkFormat", "FrameModel", "PortableMath"],
      path: "Tools/Fuzzing/Targets", swiftSettings: strict),
  ]
}
