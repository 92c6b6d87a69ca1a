import Foundation
import FrameModel
import Kernels
import MattePipeline
import Networks
import Segmentation
import Support
import Synchronization
import TestSupport
import Testing

@Suite struct ONNXSegmenterTests {
  private let folder: TemporaryFolder
  private let picture = noise(40, 24)
  init() throws { folder = try TemporaryFolder() }

  private func mask(_ model: ONNXModel, yaml: String = SegmentationNetwork.yaml) throws -> [UInt8] {
    let segmenter = try ONNXSegmenter(path: SegmentationNetwork.write(model, to: folder, yaml: yaml))
    #expect(segmenter.maskSize == (40, 24))
    return try #require(try segmenter.mask(of: picture))
  }

  @Test func `B.9: of DeepLabV3's 21 scores each pixel gets the label of the largest`() throws {
    let labels = try mask(SegmentationNetwork.scores(40, 24))
    #expect(labels == mapped(picture, SegmentationNetwork.label))
    #expect(Set(labels) == [0, 7, 15])
  }

  @Test(arguments: [11, 13, 17, 21])
  func `labels that the network chose itself are taken as they are`(opset: Int) throws {
    #expect(try mask(SegmentationNetwork.labels(40, 24, opset: opset)) == mapped(picture, SegmentationNetwork.label))
  }

  @Test func `what this process has mapped already is not a network's memory`() throws {
    let byteCount = 9 << 30
    let start = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    // MAP_FAILED is −1, a macro that Swift does not import.
    guard let start, Int(bitPattern: start) != -1 else { throw RetakeError(.inputOutput, "Nothing can be mapped.") }
    defer { munmap(start, byteCount) }
    #expect(try mask(SegmentationNetwork.matte(40, 24)) == mapped(picture, SegmentationNetwork.matte))
  }

  @Test func `D.19: a matte of one channel becomes 8 bits, rounded`() throws {
    #expect(try mask(SegmentationNetwork.matte(40, 24)) == mapped(picture, SegmentationNetwork.matte))
    #expect(try mask(SegmentationNetwork.interleaved(40, 24)) == mapped(picture, SegmentationNetwork.matte))
  }

  @Test func `the second of two channels is the person's matte where the file says so`() throws {
    let yaml = SegmentationNetwork.yaml + "output:\n  kind: matte\n  channel: 15\n"
    // Scores below 0 are 0, above 1 they are 255.
    let expected = mapped(picture) { red, green, blue in 2 * Int(red) > Int(green) + Int(blue) ? 255 : 0 }
    let mask = try mask(SegmentationNetwork.scores(40, 24), yaml: yaml)
    for (i, value) in mask.enumerated() where value != expected[i] {
      // Half a sample more than nothing is half of 1.
      #expect(value == 128, "pixel \(i)")
    }
  }

  @Test(arguments: [(1, "sigmoid"), (2, "softmax")])
  func `logits become a matte by a sigmoid or a softmax`(channels: Int, activation: String) throws {
    let yaml = SegmentationNetwork.yaml + "output: {kind: matte, activation: \(activation)}\n"
    let mask = try mask(SegmentationNetwork.logits(40, 24, channels: channels), yaml: yaml)
    let expected = mapped(picture) { red, green, _ in
      let logit = (Double(red) - Double(green)) / 16
      return UInt8((255 / (1 + exp(-logit))).rounded())
    }
    #expect(zip(mask, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    #expect(Set(mask).count > 50)
  }

  @Test func `what is no number is no person, and what is too large is all person`() throws {
    let mask = try mask(SegmentationNetwork.notNumbers(40, 24))
    #expect(mask == mapped(picture) { red, _, _ in red == 0 ? 0 : 255 })
    for kind in ["labels", "matte"] {
      let values: [Float] = [.nan, -.infinity, .infinity, -1, 300, 0.4, 0.6, 1]
      let read = values.map(kind == "labels" ? NetworkAnswer.label : NetworkAnswer.quantised)
      #expect(read == (kind == "labels" ? [0, 0, 255, 0, 255, 0, 1, 1] : [0, 0, 255, 0, 255, 102, 153, 255]))
    }
  }

  @Test func `scores that are no numbers are never the largest, and of equals the first label counts`() throws {
    let settings = NetworkSettings()
    let tensor = ONNXFile.Tensor(name: "scores", elementType: 1, sides: [])
    let form = try NetworkAnswer(shape: [1, 3, 8, 8], settings, layout: .nchw, tensor: tensor, path: "x.onnx")
    var values = [Float](repeating: 0, count: 3 * 64)
    let pixels: [(Float, Float, Float, UInt8)] = [
      (.nan, .nan, .nan, 0), (.nan, -5, .nan, 1), (1, 1, 1, 0), (0, 2, 2, 1), (-.infinity, .nan, .infinity, 2),
    ]
    for (i, pixel) in pixels.enumerated() {
      (values[i], values[64 + i], values[128 + i]) = (pixel.0, pixel.1, pixel.2)
    }
    var labels = [UInt8](repeating: 9, count: 64)
    form.read(values, into: &labels)
    #expect(Array(labels.prefix(5)) == pixels.map(\.3))
  }

  @Test func `colours, their order, means and scales are those of the file`() throws {
    // blue, green, red: (b − 8) / 2048 + 2 (g − 4) / 1024 + (r − 2) / 1024
    let yaml = "input:\n  colors: bgr\n  mean: [8, 4, 2]\n  scale: [1/2, 1, 1.0]\n"
    let mask = try mask(SegmentationNetwork.matte(40, 24), yaml: yaml)
    let expected = mapped(picture) { red, green, blue in
      let value: Double = (Double(blue) - 8) / 2 + 2 * (Double(green) - 4) + Double(red) - 2
      let sample: Double = 255 * value / 1024
      return UInt8(min(max(sample, 0), 255).rounded(.toNearestOrAwayFromZero))
    }
    #expect(mask == expected)
  }

  @Test func `B.9: the frame is stretched to the network's size, its aspect ignored`() throws {
    let yaml = "input: {size: 20x48, scale: 1}\n"
    let path = try SegmentationNetwork.write(SegmentationNetwork.anySize(), to: folder, yaml: yaml)
    let segmenter = try ONNXSegmenter(path: path)
    #expect(segmenter.maskSize == (20, 48))
    // Left half black, right half white: twice as narrow, and every row the same.
    for y in 0..<24 { for i in 0..<120 { picture.row(y)[i] = i < 60 ? 0 : 255 } }
    let mask = try #require(try segmenter.mask(of: picture))
    for y in 0..<48 {
      #expect(mask[y * 20..<y * 20 + 9].allSatisfy { $0 == 0 })
      #expect(mask[y * 20 + 11..<y * 20 + 20].allSatisfy { $0 == 254 })
    }
  }

  @Test func `D.19: fast, balanced and accurate are the sizes of the file`() throws {
    let yaml = "input:\n  size: [32, 16]\n  fast: 16\n  accurate: 64x32\n  scale: 1\n"
    let path = try SegmentationNetwork.write(SegmentationNetwork.anySize(), to: folder, yaml: yaml)
    for (quality, size) in [(MaskQuality.fast, (16, 16)), (.balanced, (32, 16)), (.accurate, (64, 32))] {
      #expect(try ONNXSegmenter(path: path, quality: quality).maskSize == size)
    }
    let fixed = try SegmentationNetwork.write(SegmentationNetwork.matte(40, 24), to: folder)
    #expect(try ONNXSegmenter(path: fixed).maskSize == (40, 24))
    let error = #expect(throws: RetakeError.self) { try ONNXSegmenter(path: fixed, quality: .fast) }
    #expect(error?.code == .usage)
    #expect(error?.hint.contains("person.yaml") == true)
  }

  @Test func `networks are opened and tried while others are at work, each to its end`() throws {
    // A trial is a child process, which must not be made while another thread is inside of OpenCV.
    let path = try SegmentationNetwork.write(SegmentationNetwork.matte(40, 24), to: folder)
    let expected = mapped(picture, SegmentationNetwork.matte)
    let picture = picture
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        for _ in 0..<40 {
          let segmenter = try ONNXSegmenter(path: path)
          for _ in 0..<5 where try segmenter.mask(of: picture) != expected {
            failures.withLock { $0.append("another mask") }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }
}
