import CaptureDevices
import FrameModel
import LiveSessions
import RecordingStore
import Support

/// The state of running cameras, as a page asks it a few times a second.
struct LiveAnswer {
  let bench: CameraBench
  let log: LiveLog

  var json: JSONObject {
    let now = MonotonicTime.now().nanoseconds
    let (cameras, counts) = (bench.cameras, bench.counts)
    var answer = JSONObject([
      "nanoseconds": Int(now), "haveEnded": bench.haveAllEnded, "newest": bench.feed.newestIndex ?? -1,
      "devices": cameras.names.map { name in
        let since = cameras.away.first { $0.name == name }?.since
        return JSONObject([
          "name": name, "awaySeconds": since.map { Double(now - $0.nanoseconds) / 1e9 } ?? 0, "isAway": since != nil,
        ])
      },
      "streams": cameras.streams.indices.map { stream in
        JSONObject([
          "name": cameras.streams[stream].name, "frames": counts.frames[stream], "lost": counts.lost[stream],
          "rate": cameras.streams[stream].rate.framesPerSecond,
        ])
      },
      "messages": log.messagesJSON, "recordings": log.recordings.map(\.json),
    ])
    switch bench.phase {
    case .idle: answer.add("phase", "idle")
    case .armed: answer.add("phase", "armed")
    case .recording(let recorder, let since):
      answer.add("phase", "recording")
      answer.add("recorder", Self.json(recorder.status, recorder, seconds: Double(now - since.nanoseconds) / 1e9))
    case .finishing: answer.add("phase", "finishing")
    case .closed: answer.add("phase", "closed")
    }
    return answer
  }

  private static func json(_ status: RecorderStatus, _ recorder: Recorder, seconds: Double) -> JSONObject {
    let dropped = FrameEvent.Stage.allCases.map { stage in
      (name: stage.rawValue, value: status.dropped[stage]?.reduce(0, +) ?? 0)
    }
    return JSONObject([
      "path": status.folders.last?.path, "seconds": seconds, "frames": status.frameCounts.max() ?? 0,
      "lost": status.droppedCount, "lostByStage": JSONObject(pairs: dropped.filter { $0.value > 0 }),
      "load": recorder.load, "byteCount": status.storedByteCount, "freeByteCount": status.freeByteCount,
      "marks": status.markCount,
    ])
  }

  /// - Parameter controls: nil for a device that has none.
  static func json(_ number: Int, name: String, controls: CameraControls?) -> JSONObject {
    var answer = JSONObject(["device": number, "name": name])
    do throws(RetakeError) {
      answer.add("controls", try controls?.list().map(json) ?? [])
    } catch {
      answer.add("controls", [JSONObject]())
      answer.add("problem", error.description)
    }
    return answer
  }

  private static func json(_ item: DeviceDetails.Control) -> JSONObject {
    let control = item.control
    return JSONObject([
      "name": control.name, "title": control.title, "kind": control.kind.rawValue, "values": control.values,
      // As text, since a page's numbers have 53 bits.
      "min": "\(control.minimum)", "max": "\(control.maximum)", "step": "\(control.step)",
      "default": "\(control.defaultValue)", "value": item.value.map { "\($0)" }, "isWritable": control.isWritable,
      "isLocked": control.isLocked,
      "menu": control.menu.map { JSONObject(["value": "\($0.value)", "name": $0.name]) },
    ])
  }
}
