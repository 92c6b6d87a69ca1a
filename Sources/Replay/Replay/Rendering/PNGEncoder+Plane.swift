import Kernels
import Media
import Support

extension PNGEncoder {
  static func encode<Sample>(_ plane: PixelPlane<Sample>, as samples: SampleFormat) throws(RetakeError) -> [UInt8] {
    try encode(plane.bytes, width: plane.width, height: plane.height, as: samples)
  }
}
