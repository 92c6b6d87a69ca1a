/// The samples of a packed picture.
package enum SampleFormat: Hashable, Sendable {
  case rgb8, grey8
  /// In host byte order.
  case grey16

  var bytesPerPixel: Int {
    switch self {
    case .rgb8: 3
    case .grey8: 1
    case .grey16: 2
    }
  }
}
