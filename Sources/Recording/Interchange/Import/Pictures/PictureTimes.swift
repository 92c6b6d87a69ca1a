import FrameModel
import Support

/// The times of numbered pictures at a constant rate.
struct PictureTimes {
  /// Pictures from the first to the last number, missing ones included. Nine hours at 30 per second.
  private static let stepLimit = 1_000_000

  /// The number at time 0.
  let first: Int
  /// Numbers from one picture to the next.
  let step: Int
  let rate: FrameRate

  /// - Parameter sequences: the pictures of each stream, in the order of their numbers.
  /// - Throws: `.unsupported` for numbers that are too far apart.
  init(_ sequences: [[PicturePattern.Picture]], rate: FrameRate) throws(RetakeError) {
    let numbers = sequences.joined().map(\.number)
    let (low, high) = (numbers.min() ?? 0, numbers.max() ?? 0)
    first = low
    step = Self.step(numbers)
    self.rate = rate
    for pictures in sequences {
      let steps = (pictures.last?.number ?? 0) - (pictures.first?.number ?? 0)
      guard steps / Self.step(pictures.map(\.number)) < Self.stepLimit else {
        throw RetakeError(
          .unsupported,
          "The pictures from \(pictures.first?.path ?? "") on have numbers from \(pictures.first?.number ?? 0) to "
            + "\(pictures.last?.number ?? 0), most of which are missing.",
          hint: "if the numbers are times, list them in rgb.txt and depth.txt as TUM's data sets do")
      }
    }
    guard let last = time(of: high), last.isPlausibleTime else {
      throw RetakeError(
        .unsupported, "Picture \(high) would be more than 73 years after picture \(low) at --fps \(rate).",
        hint: "give pictures per second, such as 30")
    }
  }

  /// The largest step that all numbers keep from the lowest on.
  private static func step(_ numbers: [Int]) -> Int {
    let low = numbers.min() ?? 0
    var step = 0
    for number in numbers {
      var (a, b) = (step, number - low)
      while b != 0 { (a, b) = (b, a % b) }
      step = a
    }
    return max(1, step)
  }

  /// Nanoseconds, rounded half up; nil if it does not fit.
  func time(of number: Int) -> Int64? {
    let period = (UInt64(rate.denominator) * 1_000_000_000)
    let wide = UInt64((number - first) / step).multipliedFullWidth(by: period)
    let divisor = UInt64(rate.numerator)
    guard wide.high < divisor else { return nil }
    let (quotient, remainder) = divisor.dividingFullWidth(wide)
    return Int64(exactly: quotient + (remainder * 2 >= divisor ? 1 : 0))
  }

  /// A stream's pictures with their times; a missing number has no path.
  func timed(_ pictures: [PicturePattern.Picture]) -> [TimedPicture] {
    let step = Self.step(pictures.map(\.number))
    var timed: [TimedPicture] = []
    for picture in pictures {
      while let last = timed.last, last.number + step < picture.number {
        timed.append(
          TimedPicture(number: last.number + step, nanoseconds: time(of: last.number + step) ?? 0, path: nil))
      }
      timed.append(TimedPicture(number: picture.number, nanoseconds: time(of: picture.number) ?? 0, path: picture.path))
    }
    return timed
  }
}

struct TimedPicture: Hashable, Sendable {
  let number: Int
  var nanoseconds: Int64
  /// Nil for a picture that is missing between others.
  let path: String?
}
