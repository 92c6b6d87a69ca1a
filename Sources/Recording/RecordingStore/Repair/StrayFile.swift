import ChunkFormat
import FrameModel
import Support

/// A file among the chunk files from which no frame is taken: it is in the wrong place, of another recording, or no
/// chunk file. A repair and a verification say the same of it.
struct StrayFile: Hashable {
  private enum Nature: Hashable {
    /// The chunk file of another number, which is not in its place.
    case renamed(Int, isOccupied: Bool)
    case duplicate(Int)
    case foreign(String)
    case undescribed(hasFrames: Bool)
    case empty
    case newer(String)
    case other(PathKind?)
  }

  let name: String
  private let nature: Nature

  /// - Parameter name: of a file in the chunks folder.
  /// - Returns: nil for a chunk file of this recording, in its place.
  init?(
    _ name: String, in folder: RecordingFolder, of identity: RecordingIdentity, _ streams: [StreamDescription]
  ) throws(RetakeError) {
    self.name = name
    let path = folder.chunksPath + "/" + name
    let kind = PathKind(path: path)
    guard kind == .mcap else {
      nature = .other(kind)
      return
    }
    guard try FileSource(path: path).byteCount != 0 else {
      nature = .empty
      return
    }
    let header = try ChunkFileScan.header(path)
    let number = ChunkFileStanding.number(name)
    func place(_ number: Int) -> ChunkFileScan.Header {
      ChunkFileScan.Header(identity: identity, streams: streams, fileNumber: number)
    }
    if let number, header.belongs(to: place(number)) { return nil }
    if let newer = header.newerFormat {
      nature = .newer(newer.message)
    } else if let found = header.identity, found.id != identity.id {
      nature = .foreign(found.id)
    } else if header.identity == identity, header.streams == streams, let stated = header.fileNumber,
      (0...RecordingFolder.largestFileNumber).contains(stated)
    {
      let occupant = folder.chunkFilePath(stated)
      let isOccupied = try RecordingFolder.exists(occupant)
      let found = isOccupied ? try ChunkFileScan.header(occupant) : nil
      let isThere = found?.belongs(to: place(stated)) ?? false
      nature = isThere ? .duplicate(stated) : .renamed(stated, isOccupied: isOccupied)
    } else {
      var hasFrames = false
      if let number { hasFrames = try ChunkFileScan.hasFrames(path, of: place(number)) }
      nature = .undescribed(hasFrames: hasFrames)
    }
  }

  /// The number of the chunk file whose absence is explained.
  var missingNumber: Int? {
    switch nature {
    case .renamed(let number, _): number
    case .undescribed, .empty, .newer: ChunkFileStanding.number(name)
    case .duplicate, .foreign, .other: nil
    }
  }

  /// The number of the chunk file that it is, except for its description of itself.
  var damagedNumber: Int? { nature == .undescribed(hasFrames: true) ? ChunkFileStanding.number(name) : nil }

  var isRenamed: Bool { if case .renamed = nature { true } else { false } }

  /// What it is, and what to do.
  var sentence: String {
    let away = "move it out of the chunks folder"
    switch nature {
    case .renamed(let number, let isOccupied):
      let place = RecordingFolder.chunkFileName(number)
      let step =
        isOccupied
        ? "another file has that name: move that one out of the chunks folder, rename this one" : "rename it"
      return "It is this recording's \(place) under another name; \(step) to \(place) and run 'retake recover'."
    case .duplicate(let number): return "It is a second \(RecordingFolder.chunkFileName(number)); \(away)."
    case .foreign(let id): return "It does not belong to this recording, but to \(id.prefix(32)); \(away)."
    case .undescribed(hasFrames: true):
      return
        "Its description of itself is damaged; 'retake recover' keeps its frames, whose times say that they are of "
        + "this recording."
    case .undescribed(hasFrames: false):
      return
        "It does not say that it belongs to this recording, or its description is damaged; restore it from a copy, "
        + "or \(away)."
    case .empty: return "It is empty; restore it from a copy, or \(away)."
    case .newer(let message): return "\(message) It is left unchanged."
    case .other(let kind): return "It is \(kind?.words ?? "no chunk file"); \(away)."
    }
  }
}
