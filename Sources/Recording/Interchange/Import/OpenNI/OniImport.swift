import FrameModel
import RecordingStore
import Support

/// Recordings of OpenNI 1 and 2, of a Xtion, a PrimeSense or an older Astra. Read without OpenNI.
enum OniImport {
  /// How a node's payloads become frames.
  private enum Coding: Sendable {
    case plain, table, jpeg
  }

  private struct Lane: Sendable {
    let node: UInt32
    let coding: Coding
  }

  static func open(_ path: String, progress: ImportProgress) throws(RetakeError) -> ImportSource {
    let file = try OniFile(path, FileSource(path: path), progress: progress)
    var (lanes, streams, remarks): ([Lane], [StreamDescription], [String]) = ([], [], [])
    for (number, node) in file.nodes.sorted(by: { $0.key < $1.key }) {
      let frames = file.entries.count { $0.node == number }
      guard let (coding, kind, format, settings) = pixels(of: node) else {
        remarks.append(
          "left out node \(number) (\(words(node)), \(frames) frames): it is not in a format that is known")
        continue
      }
      guard frames > 0 else {
        remarks.append("left out node \(number) (\(words(node))): it has no frames")
        continue
      }
      let layout = try FrameLayout(format, width: node.width, height: node.height)
      let sameKindCount = streams.count { $0.kind == kind }
      streams.append(
        StreamDescription(
          name: sameKindCount == 0 ? kind.rawValue : "\(kind.rawValue)-\(sameKindCount)", kind: kind, layout: layout,
          rate: (1...1000).contains(node.framesPerSecond) ? try FrameRate(node.framesPerSecond) : .thirty,
          clock: .microseconds, device: "oni", settings: [.init("source-codec", node.codec)] + settings))
      lanes.append(Lane(node: number, coding: coding))
    }
    guard !streams.isEmpty else {
      throw RetakeError(
        .unsupported,
        "\(path) has no stream that can be imported"
          + (remarks.isEmpty ? "." : ": \(remarks.joined(separator: "; "))."),
        hint: "OpenNI2's recorder writes depth as 16zT and colour as NONE or JPEG, which are known")
    }
    if !file.isComplete {
      remarks.append(
        "the file lacks its end: its recorder was killed, or it was cut; \(file.entries.count) frames are there")
    }
    let steps = file.entries.enumerated().compactMap { place, entry in
      lanes.firstIndex { $0.node == entry.node }.map { (stream: $0, entry: entry, place: place) }
    }.sorted { ($0.entry.microseconds, $0.place) < ($1.entry.microseconds, $1.place) }
    let device = ImportedDevice("\(path) with \(steps.count) frames", streams) { [streams, lanes] sink, isStopping in
      do throws(RetakeError) {
        let source = try FileSource(path: path)
        deliver(steps.map { ($0.stream, $0.entry) }, lanes, streams, from: source, to: sink, isStopping)
      } catch {
        sink.finished(error)
      }
    }
    return ImportSource(device: device, frameCount: steps.count, wallClockNanoseconds: 0, remarks: remarks)
  }

  private static func words(_ node: OniFile.Node) -> String {
    let kinds: [UInt32: String] = [2: "depth", 3: "colour", 4: "sound", 5: "infrared"]
    return "\(kinds[node.kind] ?? "kind \(node.kind)") as \(node.codec)"
  }

  /// - Returns: nil for what is not known. Nothing is guessed but that OpenNI 1 has depth in millimetres.
  private static func pixels(
    of node: OniFile.Node
  ) -> (Coding, StreamKind, PixelFormat, [StreamDescription.Setting])? {
    guard let coding = ["NONE": Coding.plain, "16zT": .table, "JPEG": .jpeg][node.codec] else { return nil }
    if coding == .jpeg { return node.kind == 3 ? (.jpeg, .color, .jpeg, []) : nil }
    let kind: StreamKind = node.kind == 5 ? .infrared : .color
    switch (node.kind, node.pixels) {
    case (2, 100), (2, nil): return (coding, .depth, .depthMillimeters16, [])
    case (2, 101): return (coding, .depth, .grey16, [.init(StreamDescription.depthUnit, "100")])
    case (3, 200) where coding == .plain: return (.plain, .color, .rgb24, [])
    case (3, 205) where coding == .plain: return (.plain, .color, .yuyv, [])
    case (3, 202) where coding == .plain, (5, 202) where coding == .plain: return (.plain, kind, .grey8, [])
    case (5, 203): return (coding, .infrared, .grey16, [])
    default: return nil
    }
  }

  private static func deliver(
    _ steps: [(stream: Int, entry: OniFile.Entry)], _ lanes: [Lane], _ streams: [StreamDescription],
    from source: FileSource, to sink: any CaptureSink, _ isStopping: @Sendable () -> Bool
  ) {
    let memory = FrameMemory(streams)
    let earliest = steps.first?.entry.microseconds ?? 0
    var payload: [UInt8] = []
    for (stream, entry) in steps {
      if isStopping() { return }
      let layout = streams[stream].layout
      let arrival = MonotonicTime(nanoseconds: (entry.microseconds - earliest) * 1000)
      let coding = lanes[stream].coding
      // What cannot be a frame is not read.
      let isPossible =
        switch coding {
        case .plain: entry.byteCount == layout.byteCount
        // No form of a step takes more than three bytes a sample, and there are at most 65,536 values.
        case .table: entry.byteCount <= 3 * layout.byteCount + (1 << 17) + 4
        case .jpeg: entry.byteCount <= layout.byteCount
        }
      guard isPossible, entry.byteCount > 0 else {
        sink.report(CaptureLoss(streamIndex: stream, reason: .damaged, count: 1, arrival: arrival))
        continue
      }
      let byteCount = coding == .jpeg ? entry.byteCount : layout.byteCount
      guard let buffer = memory.take(byteCount, stream: stream, waitingUnless: isStopping) else { return }
      do throws(RetakeError) {
        let isWhole: Bool
        if coding == .table {
          if payload.count < entry.byteCount { payload = [UInt8](repeating: 0, count: entry.byteCount) }
          isWhole = try payload.withMutableRawBytes { bytes throws(RetakeError) in
            let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[..<entry.byteCount])
            return try fill(bytes, from: source, entry)
              && buffer.mutableBytes.prefix(layout.byteCount).withMemoryRebound(to: UInt16.self) {
                OniDepthCodec.decode(UnsafeRawBufferPointer(bytes), into: UnsafeMutableBufferPointer(rebasing: $0[...]))
              }
          }
        } else {
          isWhole = try fill(
            UnsafeMutableRawBufferPointer(rebasing: buffer.mutableBytes[..<entry.byteCount]), from: source, entry)
        }
        guard isWhole else {
          sink.report(CaptureLoss(streamIndex: stream, reason: .damaged, count: 1, arrival: arrival))
          continue
        }
      } catch {
        return sink.finished(error)
      }
      sink.deliver(
        CapturedFrame(
          streamIndex: stream, layout: layout, buffer: buffer, byteCount: byteCount,
          deviceSequence: UInt64(entry.number), deviceTick: UInt64(entry.microseconds), arrival: arrival))
    }
    sink.finished(nil)
  }

  private static func fill(
    _ bytes: UnsafeMutableRawBufferPointer, from source: FileSource, _ entry: OniFile.Entry
  ) throws(RetakeError) -> Bool {
    var source = source
    return try source.readAll(at: entry.offset, into: bytes) == bytes.count
  }
}
