import CFreenect
import FrameModel
import Support

/// Sets the cameras' modes, and reads back what was set.
enum KinectModes {
  struct Mode {
    let layout: FrameLayout
    let unpacking: KinectUnpacking
    let rate: FrameRate
    /// Recorded in the stream's settings: "rgb 640x480".
    let name: String
  }

  static func setVideo(_ video: KinectVideo, isHigh: Bool, on device: OpaquePointer) throws(RetakeError) -> Mode? {
    guard let form = video.form else { return nil }
    let option = "video=\(video.rawValue)\(isHigh ? " with resolution=high" : "")"
    let resolution = isHigh ? FREENECT_RESOLUTION_HIGH : FREENECT_RESOLUTION_MEDIUM
    let mode = freenect.freenect_find_video_mode(resolution, form.format)
    guard mode.is_valid != 0, freenect.freenect_set_video_mode(device, mode) >= 0 else { throw refused(option) }
    let current = freenect.freenect_get_current_video_mode(device)
    guard current.video_format == form.format, current.resolution == resolution else { throw refused(option) }
    return try describe(current, form, name: video.rawValue, option: option)
  }

  static func setDepth(_ depth: KinectDepth, on device: OpaquePointer) throws(RetakeError) -> Mode? {
    guard let form = depth.form else { return nil }
    let option = "depth=\(depth.rawValue)"
    let mode = freenect.freenect_find_depth_mode(FREENECT_RESOLUTION_MEDIUM, form.format)
    guard mode.is_valid != 0, freenect.freenect_set_depth_mode(device, mode) >= 0 else { throw refused(option) }
    let current = freenect.freenect_get_current_depth_mode(device)
    guard current.depth_format == form.format else { throw refused(option) }
    return try describe(current, form, name: depth.rawValue, option: option)
  }

  private static func describe(
    _ mode: freenect_frame_mode, _ form: KinectForm<some Any>, name: String, option: String
  ) throws(RetakeError) -> Mode {
    let layout = try FrameLayout(form.pixels, width: Int(mode.width), height: Int(mode.height))
    // The library writes `bytes` bytes into a buffer of `expected`: they must agree.
    let expected = form.unpacking.byteCount(of: layout)
    guard Int(mode.bytes) == expected, mode.framerate > 0 else {
      throw RetakeError(
        .unsupported,
        "libfreenect's frames for \(option) are \(mode.bytes) bytes, not the expected \(expected).")
    }
    return Mode(
      layout: layout, unpacking: form.unpacking, rate: try FrameRate(Int(mode.framerate)),
      name: "\(name) \(mode.width)x\(mode.height)")
  }

  private static func refused(_ option: String) -> RetakeError {
    RetakeError(
      .unsupported, "The Kinect or this version of libfreenect does not support \(option).",
      hint: "leave out the option")
  }
}
