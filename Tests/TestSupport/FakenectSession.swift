import FrameModel
import Glibc
import Support

/// Writes sessions for fakenect, libfreenect's stand-in for a Kinect, whose every byte can be worked out
/// again.
///
/// Colour and depth come at 30 fps, depth a sixth of a frame after colour, accelerometer and tilt with every
/// third frame. The ticks start again at zero in the middle of the session, as a Kinect's do every 71.6 s.
package struct FakenectSession {
  package static let width = 640
  package static let height = 480
  package static let ticksPerFrame: UInt32 = 2_000_000
  /// Ticks from a colour frame to its depth frame.
  package static let depthDelay: UInt32 = 333_333
  package static let framesPerMotion = 3
  /// Where Debian's fakenect lies, for LD_LIBRARY_PATH; its library has the name of the real one.
  package static let libraryFolder = "/usr/lib/x86_64-linux-gnu/fakenect"

  /// - Parameters:
  ///   - folder: is made; its parent must be there.
  ///   - frames: colour frames, and as many of depth.
  ///   - secondsPerFrame: how fast fakenect replays it. The ticks always count 30 fps.
  package static func write(to folder: String, frames: Int, secondsPerFrame: Double = 1.0 / 30)
    throws(RetakeError)
  {
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw FileBytes.failure("make", folder) }
    var index = ""
    for frame in 0..<frames {
      let seconds = 1_300_000_000 + Double(frame) * secondsPerFrame
      let color = name("r", seconds, colorTick(frame, of: frames), "ppm")
      try FileBytes.write(
        Array("P6 \(width) \(height) 255\n".utf8) + colorBytes(frame), to: "\(folder)/\(color)")
      index += color + "\n"
      if frame % framesPerMotion == 0 {
        let motion = name("a", seconds + secondsPerFrame / 12, colorTick(frame, of: frames), "dump")
        try FileBytes.write(tiltState(frame), to: "\(folder)/\(motion)")
        index += motion + "\n"
      }
      let depth = name("d", seconds + secondsPerFrame / 6, depthTick(frame, of: frames), "pgm")
      try FileBytes.write(
        Array("P5 \(width) \(height) 65535\n".utf8) + depthBytes(frame), to: "\(folder)/\(depth)")
      index += depth + "\n"
    }
    try FileBytes.write(Array(index.utf8), to: "\(folder)/INDEX.txt")
  }

  /// `<kind>-<seconds with six decimals>-<ticks>.<extension>`
  private static func name(_ kind: String, _ seconds: Double, _ tick: UInt32, _ type: String) -> String {
    let microseconds = Int((seconds * 1_000_000).rounded())
    let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    return "\(kind)-\(microseconds / 1_000_000).\(fraction)-\(tick).\(type)"
  }

  package static func colorTick(_ frame: Int, of frames: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: (frame - frames / 2) * Int(ticksPerFrame) - 1_000_000)
  }

  package static func depthTick(_ frame: Int, of frames: Int) -> UInt32 {
    colorTick(frame, of: frames) &+ depthDelay
  }

  /// RGB24: bright bands that move with the frame, and three bits of noise.
  package static func colorBytes(_ frame: Int) -> [UInt8] {
    let rowBytes = width * 3
    return words(count: rowBytes * height / 8) { word in
      let row = word * 8 / rowBytes
      let base = UInt64((row / 2 + 5 * frame) % 248)
      return base &* 0x0101_0101_0101_0101 &+ noise(word, frame) & 0x0707_0707_0707_0707
    }
  }

  /// Little-endian 11-bit samples: a slope that moves with the frame, four bits of noise, and every sixteenth
  /// row without a measurement (2047).
  package static func depthBytes(_ frame: Int) -> [UInt8] {
    words(count: width * height / 4) { word in
      let row = word * 4 / width
      if row % 16 == 15 { return 0x07FF_07FF_07FF_07FF }
      let base = UInt64((400 + row + 7 * frame) % 2000)
      return base &* 0x0001_0001_0001_0001 &+ noise(word, ~frame) & 0x000F_000F_000F_000F
    }
  }

  /// What a frame of PixelFormat.motion holds of it: acceleration x, y, z, tilt in half degrees, status, 0.
  package static func motion(_ frame: Int) -> [Int16] {
    [Int16(10 - frame % 20), Int16(819 - frame % 5), Int16(-40 + frame % 80), Int16(frame % 60 - 30), 4, 0]
  }

  /// freenect_raw_tilt_state as it lies in memory: three Int16, one Int8, a gap, one Int32.
  private static func tiltState(_ frame: Int) -> [UInt8] {
    let motion = motion(frame)
    var bytes: [UInt8] = []
    for word in motion[..<3] {
      bytes.append(UInt8(truncatingIfNeeded: word))
      bytes.append(UInt8(truncatingIfNeeded: word >> 8))
    }
    return bytes + [UInt8(truncatingIfNeeded: motion[3]), 0, UInt8(truncatingIfNeeded: motion[4]), 0, 0, 0]
  }

  /// Eight bytes at a time, since tests are not optimised and a frame has a million bytes.
  private static func words(count: Int, _ word: (Int) -> UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count * 8) { buffer, initialized in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      for i in 0..<count {
        memory.storeBytes(of: word(i).littleEndian, toByteOffset: i * 8, as: UInt64.self)
      }
      initialized = count * 8
    }
  }

  /// The finaliser of SplitMix64.
  private static func noise(_ word: Int, _ frame: Int) -> UInt64 {
    var z = UInt64(truncatingIfNeeded: word) &+ UInt64(truncatingIfNeeded: frame) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
