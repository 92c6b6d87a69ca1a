import CaptureDevices
import FaceDetection
import Glibc
import Media
import Networks
import RecordingStore
import Support

/// What `retake doctor` found about one thing.
struct Finding {
  enum State: String {
    case ok
    /// Not installed. All else works.
    case missing
    /// There, but cannot be used.
    case problem
  }

  let name: String
  let state: State
  /// A version or a number; else what is wrong.
  let detail: String
  /// What it is needed for.
  let purpose: String
  /// How to mend it; empty if nothing is to be done.
  var remedy = ""

  static func all(folder: String) -> [Finding] {
    [openCV, cascades, freenect, openNI, videoLibrary, ffmpeg] + cameras + [disk(folder)]
  }

  private static var openCV: Finding {
    let purpose = "face detection, networks for masks"
    do throws(RetakeError) {
      return Finding(name: "OpenCV", state: .ok, detail: try OpenCVLibrary.load().version, purpose: purpose)
    } catch {
      return Finding(name: "OpenCV", state: .missing, detail: error.message, purpose: purpose, remedy: error.hint)
    }
  }

  private static var cascades: Finding {
    let purpose = "face detection without a network"
    let folder = CascadeFile.folder
    return FaceDetectorSpecification.hasCascades
      ? Finding(name: "opencv-data", state: .ok, detail: folder, purpose: purpose)
      : Finding(
        name: "opencv-data", state: .missing, detail: "\(folder) has no cascades", purpose: purpose,
        remedy: "install Debian's package opencv-data")
  }

  private static var freenect: Finding { library("libfreenect", of: "kinect", purpose: "a Kinect v1") }

  private static var openNI: Finding {
    library("OpenNI 2", of: "openni2", purpose: "a Xtion, PrimeSense or older Astra")
  }

  /// A library that a kind of device needs.
  private static func library(_ name: String, of kind: String, purpose: String) -> Finding {
    DeviceCatalog.kinds.first { $0.name == kind }?.problem().map {
      Finding(name: name, state: .missing, detail: $0.message, purpose: purpose, remedy: $0.hint)
    } ?? Finding(name: name, state: .ok, detail: "found", purpose: purpose)
  }

  private static var videoLibrary: Finding {
    let purpose = "cameras whose drivers need its plugins; others work without"
    return CameraAccess.missingVideoLibrary.map {
      Finding(
        name: "libv4l2", state: .missing, detail: $0, purpose: purpose, remedy: "install Debian's package libv4l-0")
    } ?? Finding(name: "libv4l2", state: .ok, detail: "found", purpose: purpose)
  }

  private static var ffmpeg: Finding {
    let purpose = "video files: outputs, backgrounds, import of .mkv"
    return FFmpegProcess.location.map {
      Finding(name: "ffmpeg", state: .ok, detail: $0, purpose: purpose)
    }
      ?? Finding(
        name: "ffmpeg", state: .missing, detail: "not in PATH", purpose: purpose,
        remedy: "install Debian's package ffmpeg")
  }

  private static var cameras: [Finding] {
    let found = CameraAccess.all()
    guard !found.isEmpty else {
      return [
        Finding(
          name: "cameras", state: .missing, detail: "none is connected", purpose: "recordings of your own",
          remedy: "connect one, or record --device simulated")
      ]
    }
    return found.map { camera in
      Finding(
        name: camera.device, state: camera.problem == nil ? .ok : .problem,
        detail: camera.problem.map { "\(camera.title): \($0.message)" } ?? camera.title, purpose: "recording",
        remedy: camera.problem?.hint ?? "")
    }
  }

  /// - Parameter folder: where recordings would be made.
  private static func disk(_ folder: String) -> Finding {
    let purpose = "recordings made in \(folder)"
    guard let space = RealFileSystem().space(of: folder) else {
      return Finding(
        name: "disk", state: .problem, detail: "the free space is unknown", purpose: purpose,
        remedy: "check that the folder exists and is readable")
    }
    // At the rate of a Kinect v1 with Bayer and raw depth, stored.
    let minutes = max(0, space.free - RecorderOptions().floorByteCount(space.total)) / 60 / 8_000_000
    let detail = "\(Format.bytes(space.free)) free, \(Format.counted(minutes, "minute")) of a Kinect"
    guard access(folder, W_OK) == 0 else {
      return Finding(
        name: "disk", state: .problem, detail: "\(folder) is not writable", purpose: purpose,
        remedy: "record into another folder, with --output")
    }
    guard minutes > 0 else {
      return Finding(
        name: "disk", state: .problem, detail: "only \(Format.bytes(space.free)) free", purpose: purpose,
        remedy: "free some space, or record onto another disk with --output")
    }
    return Finding(name: "disk", state: .ok, detail: detail, purpose: purpose)
  }
}
