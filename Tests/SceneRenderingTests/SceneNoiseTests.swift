import Kernels
import SceneRendering
import TestSupport
import Testing

/// What real sensors do to a picture: bounds are those that were measured on real frames, see `NoiseField`,
/// `KinectDepthModel` and `ColorSensor`.
@Suite struct SceneNoiseTests {
  private static func emptyRoom(noise: Bool) throws -> SceneStudio {
    try SceneStudio(160, 120) {
      $0.depthFormat = .kinectRaw11
      $0.noise = noise
      $0.person = false
    }
  }

  /// Raw values of places on the wall, which is 4.3 m away and square to the axis, instant after instant.
  private static func wall(instants: Int) throws -> (columns: [Int], rows: [Int], frames: [[UInt16]]) {
    let clean = try emptyRoom(noise: false).picture(0).depth16
    let raw = KinectDepthModel.raw(meters: 4.3)
    // Between the shelf and the window.
    let columns = Array(66..<87)
    let rows = Array(24..<88)
    for y in rows {
      for x in columns { #expect(abs(Int(clean[y * 160 + x]) - Int(raw)) <= 1) }
    }
    let studio = try emptyRoom(noise: true)
    return (columns, rows, (0..<instants).map { studio.picture($0).depth16 })
  }

  @Test
  func `noise along the axis has the standard deviation that Nguyen measured`() throws {
    let clean = try Self.emptyRoom(noise: false).picture(0).depth16
    let noisy = try Self.emptyRoom(noise: true)
    let wall = KinectDepthModel.raw(meters: 4.3)
    let pixels = (0..<120 * 160).filter { i in
      (4..<156).contains(i % 160) && (i - 4...i + 4).allSatisfy { clean[$0] == wall }
    }
    #expect(pixels.count > 1000)
    var sum = 0.0
    var squares = 0.0
    var count = 0.0
    for instant in 0..<100 {
      let depth = noisy.picture(instant).depth16
      for i in pixels where depth[i] < 1084 {
        let z = KinectDepthModel.meters(raw: Int(depth[i]))
        sum += z
        squares += z * z
        count += 1
      }
    }
    let mean = sum / count
    let sigma = (squares / count - mean * mean).squareRoot()
    #expect(abs(mean - 4.3) < 0.01)
    #expect(abs(sigma / Double(KinectDepthModel.sigma(meters: 4.3)) - 1) < 0.08)
  }

  @Test
  func `neighbours share their noise as the windows of a structured-light sensor do`() throws {
    let (columns, rows, frames) = try Self.wall(instants: 200)
    func correlation(_ dx: Int, _ dy: Int) -> Double {
      var (sum, squares, products, count) = (0.0, 0.0, 0.0, 0.0)
      for frame in frames {
        for y in rows.dropLast(dy) {
          for x in columns.dropLast(dx) {
            let (a, b) = (Double(frame[y * 160 + x]), Double(frame[(y + dy) * 160 + x + dx]))
            sum += a + b
            squares += a * a + b * b
            products += a * b
            count += 1
          }
        }
      }
      let mean = sum / count / 2
      return (products / count - mean * mean) / (squares / count / 2 - mean * mean)
    }
    for (dx, dy) in [(1, 0), (0, 1)] {
      #expect((0.55...0.8).contains(correlation(dx, dy)))
      #expect((0.15...0.5).contains(correlation(4 * dx, 4 * dy)))
      #expect(abs(correlation(10 * dx, 10 * dy)) < 0.1)
    }
  }

  @Test
  func `a pixel of a still wall stays within neighbouring steps from frame to frame`() throws {
    let (columns, rows, frames) = try Self.wall(instants: 60)
    var counts = [0, 0, 0, 0]
    for (before, after) in zip(frames, frames.dropFirst()) {
      for y in rows {
        for x in columns {
          let i = y * 160 + x
          counts[min(3, abs(Int(before[i]) - Int(after[i])))] += 1
        }
      }
    }
    let all = Double(counts.reduce(0, +))
    #expect((0.4...0.65).contains(Double(counts[0]) / all))
    #expect(Double(counts[0] + counts[1]) / all > 0.93)
    #expect(Double(counts[3]) / all < 0.005)
  }

  @Test(arguments: [(64, 48), (161, 97)])
  func `a colour frame is what replay makes of the mosaic of the same instant`(width: Int, height: Int) throws {
    let picture = try SceneStudio(width, height).picture(6)
    let mosaic = try SceneStudio(width, height) { $0.colorFormat = .bayerGRBG8 }.picture(6).color
    var colors = [UInt8](repeating: 0, count: 3 * mosaic.count)
    ColorConversion.bayer(mosaic, .bayerGRBG8, width: width, height: height, to: &colors, rows: 0..<height)
    #expect(areSame(colors, picture.color))
  }

  @Test
  func `each colour's noise has its own standard deviation in the mosaic`() throws {
    // The ceiling is plain: neighbours of the same colour in a row differ by noise alone.
    let studio = try SceneStudio(640, 480) {
      $0.colorFormat = .bayerGRBG8
      $0.person = false
    }
    let mosaic = studio.picture(0).color
    var squares = [0.0, 0.0, 0.0]
    var counts = [0.0, 0.0, 0.0]
    for y in 4..<30 {
      for x in stride(from: 20, to: 620, by: 4) {
        for column in x..<x + 2 {
          let channel = y & 1 == 0 ? (column & 1 == 0 ? 1 : 0) : (column & 1 == 0 ? 2 : 1)
          let difference = Double(mosaic[y * 640 + column]) - Double(mosaic[y * 640 + column + 2])
          squares[channel] += difference * difference
          counts[channel] += 2
        }
      }
    }
    for (channel, sigma) in [2, 1.8, 5].enumerated() {
      #expect(abs((squares[channel] / counts[channel]).squareRoot() / sigma - 1) < 0.08)
    }
  }
}
