import FrameModel
import Support

extension JSONObject {
  /// A stream's description, and what a command knows of the stream.
  init(_ stream: StreamDescription, _ members: KeyValuePairs<String, (any JSONValue)?>) {
    self.init([
      "name": stream.name,
      "kind": stream.kind.rawValue,
      "format": stream.layout.format.rawValue,
      "width": stream.layout.width,
      "height": stream.layout.height,
      "nominal_rate": stream.rate.description,
    ])
    add(members)
  }

  init(_ settings: [StreamDescription.Setting]) { self.init(pairs: settings.map { ($0.name, $0.value) }) }
}
