// swift-tools-version: 6.2
import Foundation
import PackageDescription

let isFuzzing = Context.environment["RETAKE_FUZZING"] != nil

/// Information for debuggers would be a tenth of the release build's time, and half of what it writes. The debug build has it,
/// and so has fuzzing, whose reports name lines.
let strict: [SwiftSetting] =
  [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
  + (isFuzzing ? [] : [.unsafeFlags(["-gnone"], .when(configuration: .release))])

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

/// A wing is a folder under Sources/, a room a folder in it. Rooms stand here in the order of a frame's way: each uses only
/// rooms above it. Tools/develop/rooms checks that, and that what a room imports is what it declares.
/// - Parameter hasPage: whether the files of its folder Page are within the program, which needs no folder beside it.
func room(
  _ wing: String, _ name: String, uses dependencies: [Target.Dependency] = [], hasPage: Bool = false,
  settings: [SwiftSetting] = strict
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(wing)/\(name)", exclude: hasPage ? ["Page"] : [],
    swiftSettings: settings, plugins: hasPage ? [.plugin(name: "PagePlugin")] : [])
}

/// Tests are built with the release program, in one build. Only those that compute pixels themselves
/// are optimised too, which takes several times as long.
let unoptimised: [SwiftSetting] =
  strict + [
    .unsafeFlags(["-Onone"], .when(configuration: .release))
  ]

func tests(_ name: String, of dependencies: [Target.Dependency], settings: [SwiftSetting] = unoptimised) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
    exclude: others(in: "Tests/\(name)"),
    swiftSettings: settings)
}

/// Scripts and texts beside the Swift files of a folder, of which SwiftPM warns otherwise. It keeps the list until this file
/// changes: `swift package purge-cache` after a file is added or removed.
func others(in folder: String) -> [String] {
  let names = try? FileManager.default.subpathsOfDirectory(atPath: "\(Context.packageDirectory)/\(folder)")
  return names?.filter { name in [".py", ".txt", ".md", ".cpp"].contains { name.hasSuffix($0) } }.sorted() ?? []
}

/// A library of the system's.
func system(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// Queues from which the oldest is taken.
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
/// Limits of what a stranger's database may make SQLite take.
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let commandLine: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "retake",
  products: [
    .executable(name: "retake", targets: ["retake"]),
    .library(name: "RetakeKit", targets: ["RetakeKit"]),
    .library(name: "RetakeReader", targets: ["RetakeReader"]),
    // Beside the program, which loads it when it needs OpenCV.
    .library(name: "RetakeOpenCV", type: .dynamic, targets: ["OpenCVShim"]),
  ],
  // Exact, so that a build a year on has the same code.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    // C: libraries of the system's.
    // Debian's bzip2 has no pkg-config file.
    system("CBZip2", apt: "libbz2-dev"),
    system("CMalloc", apt: "libc6-dev"),
    system("CLZ4", pkgConfig: "liblz4", apt: "liblz4-dev"),
    system("CSpng", pkgConfig: "spng", apt: "libspng-dev"),
    system("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),
    system("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
    // C: libraries that are loaded when first used, so that the program starts without them.
    .target(name: "CFreenect", path: "Sources/C/CFreenect", cSettings: optimisedC),
    .target(name: "COpenNI2", path: "Sources/C/COpenNI2", cSettings: optimisedC),
    .target(name: "CV4L2", path: "Sources/C/CV4L2", cSettings: optimisedC),
    .target(name: "COpenCV", path: "Sources/C/COpenCV", cSettings: optimisedC),
    // OpenCV's own pkg-config file names every library of it, installed or not.
    .target(
      name: "OpenCVShim", dependencies: ["COpenCV"], path: "Sources/C/OpenCVShim", publicHeadersPath: ".",
      cxxSettings: [.unsafeFlags(["-I/usr/include/opencv4", "-O2", "-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [
        .linkedLibrary("opencv_objdetect"), .linkedLibrary("opencv_dnn"), .linkedLibrary("opencv_core"),
        // It has no Swift in it, so it needs none of Swift's libraries.
        .unsafeFlags(["-nostartfiles"]),
      ]),

    // Core: what every room speaks of.
    room("Core", "Support", settings: optimised),
    room("Core", "FrameModel", uses: ["Support"], settings: optimised),
    room("Core", "Parameters", uses: ["FrameModel", "Support", yams]),

    // Pixels: kernels and picture files.
    .target(
      name: "CKernels", path: "Sources/Pixels/CKernels",
      cSettings: optimisedC
        + ["Codec", "Effects", "Matte", "Refine", "Scale", "Score", "Shared"].map { .headerSearchPath($0) }),
    room("Pixels", "Kernels", uses: ["FrameModel", "Support", "CKernels", "CXXHash", "CZlib"], settings: optimised),
    room("Pixels", "Media", uses: ["FrameModel", "Support", "CSpng", "CTurboJPEG", "CV4L2"]),

    // Capture: cameras, and the clocks that their frames are paired by.
    room("Capture", "FrameSync", uses: ["FrameModel"], settings: optimised),
    // What the simulated camera shows.
    room("Capture", "SceneRendering", uses: ["FrameModel", "Support", "Kernels"], settings: optimised),
    room(
      "Capture", "CaptureDevices",
      uses: [
        "FrameModel", "Parameters", "Support", "Kernels", "Media", "SceneRendering", "CFreenect", "COpenNI2",
        "CV4L2",
      ],
      settings: optimised),

    // Recording: chunk files, their index, and other formats.
    room(
      "Recording", "ChunkFormat",
      uses: ["FrameModel", "Support", "CKernels", "Kernels", "CBZip2", "CLZ4", "CZstd"],
      settings: optimised),
    room(
      "Recording", "RecordingStore",
      uses: ["FrameModel", "Support", "Kernels", "FrameSync", "ChunkFormat", deque, grdb, grdbSQLite]),
    room(
      "Recording", "Interchange",
      uses: [
        "FrameModel", "Parameters", "Support", "Kernels", "Media", "CaptureDevices", "ChunkFormat", "RecordingStore",
        grdbSQLite, yams,
      ]),

    // Pipeline: from frames to mattes and composites.
    // The models that people name, checked before OpenCV gets them.
    room("Pipeline", "Networks", uses: ["Support", "ChunkFormat", "COpenCV"], settings: optimised),
    room(
      "Pipeline", "FaceDetection", uses: ["FrameModel", "Support", "Kernels", "Media", "Networks", "COpenCV"],
      settings: optimised),
    // Media: a camera may send JPEG. Optimised, because no frame is to allocate, and unoptimised Swift does unseen.
    room(
      "Pipeline", "MattePipeline", uses: ["FrameModel", "Parameters", "Support", "Kernels", "Media"],
      settings: optimised),
    room(
      "Pipeline", "Segmentation",
      uses: ["FrameModel", "Parameters", "Support", "Kernels", "Networks", "MattePipeline", "COpenCV"],
      settings: optimised),

    // Replay: a recording through the pipeline, and what comes out.
    room(
      "Replay", "Replay",
      uses: [
        "FrameModel", "Parameters", "Support", "Kernels", "Media", "RecordingStore", "Networks", "MattePipeline",
        "Segmentation",
      ]),
    room(
      "Replay", "LiveSessions",
      uses: [
        "FrameModel", "Parameters", "Support", "FrameSync", "CaptureDevices", "RecordingStore",
        "FaceDetection", "MattePipeline", "Replay",
      ]),

    // Sweeps: many settings, and which is best.
    room(
      "Sweeps", "Scores", uses: ["FrameModel", "Support", "CKernels", "Kernels", "Media"],
      settings: optimised),
    room(
      "Sweeps", "Sweeps",
      uses: [
        "FrameModel", "Parameters", "Support", "Kernels", "Media", "RecordingStore", "MattePipeline", "Replay",
        "Scores", grdb, grdbSQLite,
      ],
      hasPage: true),

    // Bundles. Optimised: every pixel of a part is read and changed.
    room(
      "Bundles", "BugBundles",
      uses: [
        "FrameModel", "Parameters", "Support", "Kernels", "Media", "ChunkFormat", "RecordingStore", "MattePipeline",
        "Replay",
      ],
      settings: optimised),

    // Studio: what a person sees and changes on a page.
    room(
      "Studio", "StudioViews",
      uses: [
        "FrameModel", "Parameters", "Support", "Kernels", "Media", "RecordingStore", "MattePipeline", "Replay",
        "LiveSessions", "Scores", "Sweeps", "CMalloc",
      ]),
    // Pages, and their questions, over HTTP.
    room(
      "Studio", "StudioServer",
      uses: [
        "FrameModel", "Parameters", "Support", "CaptureDevices", "RecordingStore", "MattePipeline", "Replay",
        "LiveSessions", "Scores", "Sweeps", "BugBundles", "StudioViews", nioCore, nioHTTP, nioPosix,
      ],
      hasPage: true),

    // What other packages may use. Everything else is this package's own.
    // For those who only read: no OpenCV, no camera, no ffmpeg. Tools/develop/rooms holds it.
    room("RetakeKit", "RetakeReader", uses: ["FrameModel", "Support", "RecordingStore"]),
    room(
      "RetakeKit", "RetakeKit",
      uses: [
        "FrameModel", "Parameters", "Support", "Kernels", "CaptureDevices", "RecordingStore", "MattePipeline",
        "Replay", "LiveSessions", "Scores", "Sweeps", "BugBundles", "RetakeReader",
      ]),

    .executableTarget(
      name: "retake",
      dependencies: [
        "FrameModel", "Parameters", "Support", "Kernels", "Media", "CaptureDevices", "RecordingStore", "Interchange",
        "Networks", "FaceDetection", "MattePipeline", "Replay", "LiveSessions", "Scores", "Sweeps",
        "BugBundles", "StudioViews", "StudioServer", commandLine,
      ],
      path: "Sources/CommandLine/retake", swiftSettings: strict, plugins: [.plugin(name: "CommitPlugin")]),
    .plugin(name: "CommitPlugin", capability: .buildTool(), path: "Tools/CommitPlugin"),
    .plugin(name: "PagePlugin", capability: .buildTool(), path: "Tools/PagePlugin"),

    // What Tools/bench runs.
    .executableTarget(
      name: "retake-bench",
      dependencies: [
        "FrameModel", "Parameters", "Support", "Kernels", "CaptureDevices", "ChunkFormat", "RecordingStore",
        "FaceDetection", "MattePipeline", "Replay", "Scores", "Sweeps", "CZstd",
      ],
      path: "Tools/rigs/bench", exclude: others(in: "Tools/rigs/bench"),
      swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["ChunkFormat", "FrameModel", "Kernels", "Support"],
      path: "Tests/TestSupport", swiftSettings: optimised),
    .target(
      name: "RecordingTestSupport",
      dependencies: ["TestSupport", "CaptureDevices", "RecordingStore", "FrameModel", "Kernels", "Support"],
      path: "Tests/RecordingTestSupport", swiftSettings: strict),
    .target(
      name: "CommandTestSupport", dependencies: ["TestSupport", "RecordingStore", "FrameModel"],
      path: "Tests/CommandTestSupport", swiftSettings: strict),
    // Its malloc stands for the C library's in every test of the program that it is linked into.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter", cSettings: optimisedC),

    tests("SupportTests", of: ["FrameModel", "Support"]),
    tests("FrameModelTests", of: ["FrameModel", "Support"]),
    tests("ParametersTests", of: ["FrameModel", "Parameters", "Support"]),
    tests("KernelsTests", of: ["Kernels", "CKernels", "FrameModel", "Support"], settings: optimised),
    tests("MediaTests", of: ["FrameModel", "Media", "Support"]),
    tests("FrameSyncTests", of: ["FrameModel", "FrameSync", "Support"]),
    tests("SceneRenderingTests", of: ["FrameModel", "SceneRendering", "Kernels", "Support"]),
    tests(
      "CaptureDevicesTests", of: ["CV4L2", "FrameModel", "CaptureDevices", "Kernels", "Media", "Support"]),
    tests(
      "ChunkFormatTests", of: ["FrameModel", "Support", "ChunkFormat", "Kernels", "CKernels"]),
    tests(
      "RecordingStoreTests", of: ["FrameModel", "RecordingStore", "ChunkFormat", "Kernels", "Support", grdb]),
    tests(
      "InterchangeTests",
      of: [
        "ChunkFormat", "FrameModel", "Interchange", "Kernels", "RecordingStore", "Support", "RecordingTestSupport",
      ]),
    tests(
      "FaceDetectionTests", of: ["FrameModel", "FaceDetection", "CaptureDevices", "Kernels", "Media", "Support"]),
    tests(
      "MattePipelineTests",
      of: ["FrameModel", "Parameters", "Support", "MattePipeline", "Kernels", "Media", "AllocationCounter"],
      settings: optimised),
    tests(
      "SegmentationTests",
      of: [
        "FrameModel", "MattePipeline", "Segmentation", "Networks", "RecordingStore", "Replay", "Kernels", "Parameters",
        "Support",
      ]),
    tests(
      "ReplayTests",
      of: [
        "FrameModel", "Replay", "RecordingStore", "ChunkFormat", "MattePipeline", "Kernels", "Parameters", "Media",
        "Support", "RecordingTestSupport",
      ]),
    tests(
      "LiveSessionsTests",
      of: ["FrameModel", "LiveSessions", "MattePipeline", "Parameters", "RecordingStore", "Replay", "Support"]),
    tests(
      "ScoresTests", of: ["FrameModel", "Scores", "Kernels", "CKernels", "Media", "Support"], settings: optimised),
    tests(
      "SweepsTests",
      of: [
        "FrameModel", "MattePipeline", "Parameters", "Replay", "Sweeps", "Scores", "RecordingStore", "Media", "Support",
        "RecordingTestSupport", grdb,
      ]),
    tests(
      "BugBundlesTests",
      of: [
        "FrameModel", "MattePipeline", "Replay", "BugBundles", "RecordingStore", "ChunkFormat", "Kernels", "Media",
        "Support",
      ]),
    tests(
      "StudioViewsTests",
      of: [
        "FrameModel", "MattePipeline", "Parameters", "RecordingStore", "Replay", "Scores", "StudioServer",
        "StudioViews",
        "Support", "Sweeps", "RecordingTestSupport",
      ]),
    tests("RetakeKitTests", of: ["RetakeKit", "RetakeReader"]),
    // The commands, as a user runs them. One compiler takes one target, so one for all would keep other processors waiting.
    tests(
      "RetakeCaptureTests",
      of: ["CaptureDevices", "FrameModel", "Kernels", "Media", "RecordingStore", "Support", "CommandTestSupport"]),
    tests(
      "RetakeInterchangeTests", of: ["FrameModel", "Kernels", "Media", "RecordingStore", "CommandTestSupport"]),
    tests(
      "RetakeReplayTests",
      of: [
        "BugBundles", "ChunkFormat", "FrameModel", "Kernels", "MattePipeline", "Media", "Parameters", "RecordingStore",
        "Replay", "Scores", "Support", "CommandTestSupport",
      ]),
    tests("RetakeStudioTests", of: ["RecordingStore", "CommandTestSupport", "RecordingTestSupport"]),
    tests(
      "RetakeTests",
      of: ["BugBundles", "FrameModel", "Kernels", "MattePipeline", "Scores", "Support", "Sweeps", "CommandTestSupport"]),
  ],
  cxxLanguageStandard: .cxx17
)

// What Tools/develop/fuzz runs. Only there: without the fuzzer's own build flags there is no libFuzzer to link with.
if isFuzzing {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tools/rigs/fuzz/CFuzzer"),
    .executableTarget(
      name: "retake-fuzz",
      dependencies: [
        "CFuzzer", "BugBundles", "ChunkFormat", "FrameModel", "Kernels", "Replay", "Support", "TestSupport",
      ],
      path: "Tools/rigs/fuzz/Targets", swiftSettings: strict),
  ]
}
