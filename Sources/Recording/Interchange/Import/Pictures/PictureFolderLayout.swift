import FrameModel
import Glibc
import Support

/// Where a folder has its pictures, as data sets lay them out.
struct PictureFolderLayout {
  var color: PicturePattern?
  var depth: PicturePattern?
  /// Of depth, if the layout defines it.
  var unit: DepthUnit?
  /// If a file beside the pictures states it.
  var rate: FrameRate?
  /// 65535 in depth means that nothing was measured.
  var isLargestInvalid = false
  /// Files with the intrinsics of the streams, if the layout has them.
  var colorIntrinsics: String?
  var depthIntrinsics: String?

  private static let colorFolders = ["color", "rgb", "image", "images"]

  /// - Returns: nil for a folder of another kind.
  static func detect(_ path: String) throws(RetakeError) -> PictureFolderLayout? {
    let names = try Folder.names(in: path)
    if let layout = try sevenScenes(path, names) { return layout }
    return try folders(path, names)
  }

  /// 7-Scenes and TSDF-fusion: frame-000000.color.png, frame-000000.depth.png in millimetres.
  private static func sevenScenes(_ path: String, _ names: [String]) throws(RetakeError) -> PictureFolderLayout? {
    var layout = PictureFolderLayout()
    for ending in ["png", "jpg", "jpeg"] {
      let pattern = try PicturePattern("frame-*.color.\(ending)", in: path, option: "--color")
      if layout.color == nil, names.contains(where: pattern.matches) { layout.color = pattern }
    }
    let depth = try PicturePattern("frame-*.depth.png", in: path, option: "--depth")
    if names.contains(where: depth.matches) { layout.depth = depth }
    guard layout.color != nil || layout.depth != nil else { return nil }
    (layout.unit, layout.isLargestInvalid) = (.millimeter, true)
    // TSDF-fusion's depth is seen from its colour camera.
    layout.depthIntrinsics = existing("\(path)/camera-intrinsics.txt")
    layout.colorIntrinsics = layout.depthIntrinsics
    return layout
  }

  /// ScanNet's folders color, depth and intrinsic, and folders of numbered pictures of others.
  private static func folders(_ path: String, _ names: [String]) throws(RetakeError) -> PictureFolderLayout? {
    var layout = PictureFolderLayout()
    if let name = colorFolders.first(where: names.contains) {
      layout.color = try commonest(in: path, name, endings: ["jpg", "png", "jpeg"])
    }
    if names.contains("depth") { layout.depth = try commonest(in: path, "depth", endings: ["png"]) }
    guard layout.color != nil || layout.depth != nil else { return nil }
    layout.colorIntrinsics = existing("\(path)/intrinsic/intrinsic_color.txt")
    layout.depthIntrinsics = existing("\(path)/intrinsic/intrinsic_depth.txt")
    // ScanNet's depth is in millimetres.
    if layout.depthIntrinsics != nil { layout.unit = .millimeter }
    if layout.colorIntrinsics == nil && layout.depthIntrinsics == nil { try layout.setCamera(path) }
    return layout
  }

  /// Open3D's recorder writes camera_intrinsic.json, its readers of recordings intrinsic.json, both for pictures of
  /// depth that lies over colour.
  private mutating func setCamera(_ path: String) throws(RetakeError) {
    for name in ["intrinsic.json", "camera_intrinsic.json"] {
      let file = "\(path)/\(name)"
      guard let bytes = try? FileBytes.read(file, limit: IntrinsicsFile.largestByteCount),
        let camera = try Open3DCamera(String(decoding: bytes, as: UTF8.self), of: file)
      else { continue }
      (colorIntrinsics, depthIntrinsics, unit, rate) = (file, file, camera.unit, camera.rate)
      return
    }
  }

  private static func commonest(in path: String, _ folder: String, endings: [String]) throws(RetakeError)
    -> PicturePattern?
  {
    guard let names = try? Folder.names(in: "\(path)/\(folder)") else { return nil }
    var best: (pattern: PicturePattern, count: Int)?
    for ending in endings {
      let pattern = try PicturePattern("\(folder)/*.\(ending)", in: path, option: "--color")
      let count = names.count(where: pattern.matches)
      if count > best?.count ?? 0 { best = (pattern, count) }
    }
    return best?.pattern
  }

  private static func existing(_ path: String) -> String? { access(path, F_OK) == 0 ? path : nil }
}
