/// Definitions of the messages of ROS 2 that are written, as in its common_interfaces and geometry2. Raw
/// values are their ids in the file.
enum ROSSchema: UInt16, CaseIterable {
  case image = 1
  case compressedImage, cameraInfo, transforms

  private var name: String {
    switch self {
    case .image: "sensor_msgs/msg/Image"
    case .compressedImage: "sensor_msgs/msg/CompressedImage"
    case .cameraInfo: "sensor_msgs/msg/CameraInfo"
    case .transforms: "tf2_msgs/msg/TFMessage"
    }
  }

  private var fields: String {
    switch self {
    case .image:
      "std_msgs/Header header\nuint32 height\nuint32 width\nstring encoding\nuint8 is_bigendian\nuint32 step\n"
        + "uint8[] data\n"
    case .compressedImage: "std_msgs/Header header\nstring format\nuint8[] data\n"
    case .cameraInfo:
      "std_msgs/Header header\nuint32 height\nuint32 width\nstring distortion_model\nfloat64[] d\nfloat64[9] k\n"
        + "float64[9] r\nfloat64[12] p\nuint32 binning_x\nuint32 binning_y\nsensor_msgs/RegionOfInterest roi\n"
    case .transforms: "geometry_msgs/TransformStamped[] transforms\n"
    }
  }

  private static let header = [
    ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
    ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"),
  ]

  private var parts: [(name: String, fields: String)] {
    switch self {
    case .image, .compressedImage: Self.header
    case .cameraInfo:
      Self.header + [
        (
          "sensor_msgs/RegionOfInterest",
          "uint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\nbool do_rectify\n"
        )
      ]
    case .transforms:
      [
        (
          "geometry_msgs/TransformStamped",
          "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n"
        ),
        ("geometry_msgs/Transform", "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n"),
        ("geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"),
        ("geometry_msgs/Quaternion", "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"),
      ] + Self.header
    }
  }

  var record: MCAPSchema {
    let line = String(repeating: "=", count: 80)
    let text = fields + parts.map { "\(line)\nMSG: \($0.name)\n\($0.fields)" }.joined()
    return MCAPSchema(id: rawValue, name: name, encoding: "ros2msg", data: Array(text.utf8))
  }
}
