import CFreenect
import FrameModel

/// Sets what the cameras send, and reads back what was really set.
enum KinectModes {
  struct Mode {
    let layout: FrameLayout
    let rate: FrameRate
    /// For the settings: "RGB 640x480".
    let name: String
  }

  static func setVideo(_ video: KinectOptions.Video, on device: OpaquePointer) throws(RetakeError) -> Mode? {
    let wanted: (format: freenect_video_format, pixels: PixelFormat)
    switch video {
    case .none: return nil
    case .rgb: wanted = (FREENECT_VIDEO_RGB, .rgb24)
    case .bayer: wanted = (FREENECT_VIDEO_BAYER, .bayerGRBG8)
    }
    let mode = freenect_find_video_mode(FREENECT_RESOLUTION_MEDIUM, wanted.format)
    guard mode.is_valid != 0, freenect_set_video_mode(device, mode) >= 0 else {
      throw refused("video=\(video.rawValue)")
    }
    let current = freenect_get_current_video_mode(device)
    guard current.video_format == wanted.format else { throw refused("video=\(video.rawValue)") }
    return try describe(current, as: wanted.pixels, option: "video=\(video.rawValue)")
  }

  static func setDepth(_ depth: KinectOptions.Depth, on device: OpaquePointer) throws(RetakeError) -> Mode? {
    let wanted: (format: freenect_depth_format, pixels: PixelFormat)
    switch depth {
    case .none: return nil
    case .raw11: wanted = (FREENECT_DEPTH_11BIT, .kinectRaw11)
    case .millimeters: wanted = (FREENECT_DEPTH_MM, .depthMillimeters16)
    case .registered: wanted = (FREENECT_DEPTH_REGISTERED, .depthMillimeters16)
    }
    let mode = freenect_find_depth_mode(FREENECT_RESOLUTION_MEDIUM, wanted.format)
    guard mode.is_valid != 0, freenect_set_depth_mode(device, mode) >= 0 else {
      throw refused("depth=\(depth.rawValue)")
    }
    let current = freenect_get_current_depth_mode(device)
    guard current.depth_format == wanted.format else { throw refused("depth=\(depth.rawValue)") }
    return try describe(current, as: wanted.pixels, option: "depth=\(depth.rawValue)")
  }

  private static func describe(_ mode: freenect_frame_mode, as format: PixelFormat, option: String)
    throws(RetakeError) -> Mode
  {
    let layout = try FrameLayout(format, width: Int(mode.width), height: Int(mode.height))
    // The library writes `bytes` into a buffer of the layout's size: they must agree.
    guard Int(mode.bytes) == layout.byteCount, mode.framerate > 0 else {
      throw RetakeError(
        .unsupported,
        "libfreenect's frames for \(option) are \(mode.bytes) bytes, not the expected \(layout.byteCount).")
    }
    return Mode(
      layout: layout, rate: try FrameRate(Int(mode.framerate)),
      name: "\(option.drop { $0 != "=" }.dropFirst()) \(mode.width)x\(mode.height)")
  }

  private static func refused(_ option: String) -> RetakeError {
    RetakeError(
      .unsupported, "The Kinect or its libfreenect does not do \(option).", hint: "leave the option out")
  }
}
