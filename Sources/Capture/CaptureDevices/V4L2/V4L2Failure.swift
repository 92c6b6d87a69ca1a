import Glibc
import Support

enum V4L2Failure {
  /// Opens a node, or throws what the user can do about it.
  static func opening<Result>(
    _ path: String, _ body: () throws(KernelError) -> Result
  ) throws(RetakeError) -> Result {
    do throws(KernelError) { return try body() } catch { throw opening(path, error) }
  }

  /// - Parameter what: the failure, such as "does not take the format YUYV".
  static func attempt<Result>(
    _ path: String, orSay what: String, _ body: () throws(KernelError) -> Result
  ) throws(RetakeError) -> Result {
    do throws(KernelError) { return try body() } catch { throw failure(path, what, error) }
  }

  static func opening(_ path: String, _ error: KernelError) -> RetakeError {
    switch error.number {
    case ENOENT, ENOTDIR:
      let found = VideoNodeList.paths()
      return RetakeError(
        .notFound, "There is no \(path).",
        hint: found.isEmpty
          ? "no camera is connected, or its driver is not loaded"
          : "found \(found.joined(separator: ", ")); 'retake devices' describes them")
    case EACCES, EPERM:
      let group = group(of: path)
      return RetakeError(
        .device, "You do not have permission to open \(path).",
        hint: group == "root"
          ? "only root has access; add a udev rule that gives a group access"
          : "join the group \(group) with 'sudo usermod -aG \(group) $USER', then log in again")
    case ENOTTY, EINVAL, EISDIR,
      _ where !isCharacterDevice(path) && error.number != EBUSY:
      return RetakeError(.device, "\(path) is not a video device.", hint: "'retake devices' lists cameras")
    default: return failure(path, "could not be opened", error)
    }
  }

  /// - Parameter what: the failure, such as "does not take the format YUYV".
  static func failure(_ path: String, _ what: String, _ error: KernelError) -> RetakeError {
    switch error.number {
    case EBUSY:
      RetakeError(
        .device, "\(path) is in use by another program.", hint: "close it; 'fuser -v \(path)' shows which program it is"
      )
    case ENODEV, ENXIO:
      RetakeError(
        .disconnected, "\(path) was disconnected: \(words(error)).", hint: "check its cable and reconnect it")
    case ENOSPC:
      RetakeError(
        .device, "\(path) \(what): its USB bus has no bandwidth left.",
        hint: "use a smaller size, a lower rate or format=MJPG, or connect it to a USB controller of its own")
    case ENOLINK, EPIPE:
      RetakeError(
        .device, "\(path) \(what): its media pipeline is not set up correctly (\(words(error))).",
        hint: "configure the pipeline with media-ctl, or check the input signal")
    case EIO, EPROTO, ETIMEDOUT:
      RetakeError(
        .disconnected, "\(path) \(what): \(words(error)).", hint: "check its cable and reconnect it")
    default:
      RetakeError(
        .device, "\(path) \(what): \(words(error)).", hint: "check 'dmesg' for details and reconnect the camera")
    }
  }

  static func words(_ error: KernelError) -> String { String(cString: strerror(error.number)) }

  private static func isCharacterDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }

  /// Name or number of the group that owns a node; "video" if the node cannot be read.
  private static func group(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "video" }
    guard let entry = getgrgid(status.st_gid), let name = entry.pointee.gr_name else { return "\(status.st_gid)" }
    return String(cString: name)
  }
}
