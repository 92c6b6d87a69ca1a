import Support
import Yams

/// What a rosbag2 folder's metadata.yaml says: the files, in order, and how many messages each topic of pictures has.
struct Rosbag2Metadata {
  static let fileName = "metadata.yaml"
  private(set) var fileNames: [String] = []
  private(set) var topicCounts: [String: Int] = [:]
  /// Names of topics, qualities of service and types, for hundreds of topics.
  private static let largestByteCount = 16 << 20
  private static let fileLimit = 65_536

  /// - Throws: `.corrupt` if it is not rosbag2's.
  init(folder: String) throws(RetakeError) {
    let path = "\(folder)/\(Self.fileName)"
    let text = String(decoding: try FileBytes.read(path, limit: Self.largestByteCount), as: UTF8.self)
    // Aliases can expand without bound, and rosbag2 writes none.
    guard !text.contains("&") || !text.contains("*"),
      let root = (try? Yams.compose(yaml: text))?.mapping?["rosbag2_bagfile_information"]?.mapping
    else { throw Self.invalid(path) }
    let names = root["relative_file_paths"]?.sequence?.compactMap(\.string) ?? []
    guard !names.isEmpty, names.count <= Self.fileLimit else { throw Self.invalid(path) }
    for name in names {
      // Early versions put the folder before the name.
      guard let last = name.split(separator: "/").last, last != "..", !last.utf8.contains(0) else {
        throw Self.invalid(path)
      }
      fileNames.append(String(last))
    }
    for entry in root["topics_with_message_count"]?.sequence ?? [] {
      let description = entry.mapping?["topic_metadata"]?.mapping
      guard let topic = description?["name"]?.string, let type = description?["type"]?.string,
        ImageMessageKind.isPictureSchema(type), let count = entry.mapping?["message_count"]?.int, count >= 0
      else { continue }
      topicCounts[topic] = min(1 << 40, (topicCounts[topic] ?? 0) + min(count, 1 << 40))
    }
  }

  private static func invalid(_ path: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(path) is not the description of a ROS 2 bag.", hint: "import the folder's files one by one instead")
  }
}
