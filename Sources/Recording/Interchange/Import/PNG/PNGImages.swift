import CaptureDevices
import ChunkFormat
import FrameModel
import Glibc
import Support

/// A folder of `retake export png`.
enum PNGImages {
  static func open(_ path: String) throws(RetakeError) -> ImportSource {
    let folder = try PNGFolder(folder: path)
    var remarks: [String] = []
    var streams: [StreamDescription] = []
    var steps: [PNGFrameList.Step] = []
    for stream in folder.streams {
      guard access("\(path)/\(stream.name)", F_OK) == 0 else {
        remarks.append("left out stream \(stream.name): its folder is missing")
        continue
      }
      steps += try PNGFrameList.steps(
        in: "\(path)/\(stream.name)", stream: streams.count, origin: folder.monotonicOrigin)
      streams.append(stream)
    }
    for name in try Folder.names(in: path) where name != PNGFolder.fileName && !name.hasPrefix(".") {
      guard !streams.contains(where: { $0.name == name }) else { continue }
      remarks.append("left out \(path)/\(name): \(PNGFolder.fileName) does not list it")
    }
    guard !streams.isEmpty else {
      throw RetakeError(.notFound, "\(path) has no pictures of any stream.", hint: "export the recording again")
    }
    // In the original order of arrival.
    steps.sort { ($0.arrival, $0.stream, $0.line) < ($1.arrival, $1.stream, $1.line) }
    let start = steps.first.map { $0.taken.nanoseconds &- folder.monotonicOrigin.nanoseconds } ?? 0
    let device = ImportedDevice("exported PNGs \(path) with \(steps.count) frames", streams) {
      [streams, steps] sink, isStopping in deliver(steps, of: streams, to: sink, isStopping)
    }
    return ImportSource(
      device: device, frameCount: steps.count,
      wallClockNanoseconds: folder.wallClockNanoseconds == 0 ? 0 : folder.wallClockNanoseconds &+ start,
      remarks: remarks)
  }

  private static func deliver(
    _ steps: [PNGFrameList.Step], of streams: [StreamDescription], to sink: any CaptureSink,
    _ isStopping: @Sendable () -> Bool
  ) {
    // 1000 units per metre leave samples unchanged.
    let reader = TUMFrameReader(unitsPerMeter: 1000)
    let memory = FrameMemory(streams)
    var lost = LostPictures()
    for step in steps {
      if isStopping() { return }
      let layout = streams[step.stream].layout
      let loss = CaptureLoss(streamIndex: step.stream, reason: .dropped, count: 1, arrival: step.arrival)
      guard let path = step.path else {
        sink.report(loss)
        continue
      }
      guard let buffer = memory.take(layout.byteCount, stream: step.stream, waitingUnless: isStopping) else { return }
      do throws(RetakeError) {
        try reader.read(path, as: layout, into: buffer)
      } catch {
        lost.note(path, error)
        sink.report(loss)
        continue
      }
      var frame = CapturedFrame(
        streamIndex: step.stream, layout: layout, buffer: buffer, byteCount: layout.byteCount, deviceSequence: nil,
        deviceTick: step.deviceTick, arrival: step.arrival, flags: step.flags)
      frame.taken = step.taken
      sink.deliver(frame)
    }
    sink.finished(lost.failure)
  }
}
