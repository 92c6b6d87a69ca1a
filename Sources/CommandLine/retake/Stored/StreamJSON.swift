import FrameModel
import Support

extension JSONObject {
  init(_ stream: StreamDescription) {
    self.init()
    add("name", stream.name)
    add("kind", stream.kind.rawValue)
    add("format", stream.layout.format.rawValue)
    add("width", stream.layout.width)
    add("height", stream.layout.height)
    add("nominal_rate", stream.rate.description)
  }
}
