import Foundation
import FrameModel
import Kernels
import MattePipeline
import Networks
import RecordingStore
import Segmentation
import Support
import TestSupport
import Testing

/// A picture of seeded noise, with every colour's extremes in its first pixels.
func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) -> PixelPlane<UInt8> {
  let plane = PixelPlane<UInt8>(width: width, height: height, channels: 3)
  var generator = SeededGenerator(seed: seed)
  for i in 0..<plane.count { plane.samples[i] = UInt8(generator.next(below: 256)) }
  let extremes: [UInt8] = [0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255, 0]
  for (i, value) in extremes.enumerated() where i < plane.count { plane.samples[i] = value }
  return plane
}

/// What a formula gives for each pixel.
func mapped(_ picture: PixelPlane<UInt8>, _ formula: (UInt8, UInt8, UInt8) -> UInt8) -> [UInt8] {
  (0..<picture.width * picture.height).map { i in
    formula(picture.samples[3 * i], picture.samples[3 * i + 1], picture.samples[3 * i + 2])
  }
}

func colorFrame(_ number: Int, _ picture: PixelPlane<UInt8>) throws -> Frame {
  let buffer = FrameBuffer(byteCount: picture.count)
  buffer.mutableBytes.copyMemory(from: picture.bytes)
  return Frame(
    stream: 0, number: number, layout: try FrameLayout(.rgb24, width: picture.width, height: picture.height),
    buffer: buffer, byteCount: picture.count, deviceSequence: nil,
    timestamps: FrameTimestamps(
      deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
      presentation: PresentationTime(nanoseconds: Int64(number) * 33_333_333)),
    flags: [])
}

extension PersonSegmenter {
  /// Nil where it has no answer.
  func mask(of picture: PixelPlane<UInt8>, number: Int = 0) throws -> [UInt8]? {
    var mask = [UInt8](repeating: 99, count: maskSize.width * maskSize.height)
    let frame = try colorFrame(number, picture)
    let isAnswered = try mask.withUnsafeMutableBufferPointer { mask throws(RetakeError) in
      try segment(frame, picture, into: mask.baseAddress!)
    }
    return isAnswered ? mask : nil
  }
}

extension ONNXSegmenter {
  convenience init(path: String, quality: MaskQuality = .balanced, trialLimitSeconds: UInt32 = 30) throws {
    let file = try ONNXFile(path: path)
    let settings = try NetworkSettings.besides(model: path)
    try self.init(file, settings, settings.input(of: file, quality), trialLimitSeconds: trialLimitSeconds)
  }
}
