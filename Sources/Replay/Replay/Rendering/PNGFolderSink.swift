import Glibc
import MattePipeline
import Media
import Support

/// Writes the tap of each frame as `000000.png`, named by the frame, with the pipeline's samples:
/// depth as 16-bit grey in millimetres, masks and mattes as 8-bit grey. A frame without the tap has
/// no file.
package final class PNGFolderSink: RenderSink {
  private let folder: FolderClaim
  private let tap: Tap
  private var names: [String] = []
  private var isFinished = false

  package init(path: String, tap: Tap, replacesPictures: Bool = false) throws(RetakeError) {
    self.tap = tap
    folder = try FolderClaim(path: path)
    guard replacesPictures else { return }
    for name in try Folder.names(in: path) where Self.isPicture(name) { unlink("\(path)/\(name)") }
  }

  deinit {
    if !isFinished && folder.isNew { for name in names { unlink("\(folder.path)/\(name)") } }
    folder.removeIfEmpty()
  }

  /// Whether a file name is that of a picture of this sink, finished or not.
  package static func isPicture(_ name: String) -> Bool {
    let number = (name.hasPrefix(".partial-") ? name.dropFirst(9) : name[...]).dropLast(4)
    return name.hasSuffix(".png") && number.count >= 6 && number.utf8.allSatisfy { (48...57).contains($0) }
  }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    guard let picture = try picture(output) else { return }
    let name = output.index.zeroPadded(6) + ".png"
    names.append(name)
    try FileBytes.write(picture, to: "\(folder.path)/\(name)")
  }

  private func picture(_ output: PipelineOutput) throws(RetakeError) -> [UInt8]? {
    switch tap {
    case .original: return try PNGEncoder.encode(output.original, as: .rgb8)
    case .composite: return try PNGEncoder.encode(output.composite, as: .rgb8)
    case .mask: if let mask = output.mask { return try PNGEncoder.encode(mask, as: .grey8) }
    case .matte: if let matte = output.matte { return try PNGEncoder.encode(matte, as: .grey8) }
    case .depth: if let depth = output.depth { return try PNGEncoder.encode(depth, as: .grey16) }
    }
    return nil
  }

  package func finish() { isFinished = true }
}
