import Foundation
import FrameModel
import Kernels
import Media
import Support

/// Identifies external decoders. Their versions, and so their pixels, may differ between machines.
package enum DecoderIdentity {
  /// "libjpeg-turbo 0123…": XXH3-128 of the pixels of a baseline, a progressive and a truncated
  /// JPEG. The library does not report its version, and versions that decode alike may share an
  /// identity.
  package static func jpeg() throws(RetakeError) -> String {
    let checksum = RunningChecksum()
    for file in [baseline, progressive, Array(baseline.prefix(baseline.count * 2 / 3))] {
      var image = RGBImage(width: 37, height: 29)
      try file.withRawBytes { bytes throws(RetakeError) in
        try image.pixels.withUnsafeMutableBufferPointer { pixels throws(RetakeError) in
          try JPEGDecoder().decodeRGB(
            bytes, width: image.width, height: image.height, into: pixels.baseAddress!, name: "A picture of Retake's")
        }
      }
      image.pixels.withRawBytes { checksum.add($0) }
    }
    return "libjpeg-turbo \(checksum.hex)"
  }

  package static func ffmpeg() throws(RetakeError) -> String { "ffmpeg \(try VideoDecoder.version())" }

  // Noise, 37 × 29 pixels: 4:2:0 with restart markers, and progressive 4:2:2.
  private static let baseline = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQ
    YEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAdACUD
    ASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKB
    kaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZ
    mqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQF
    BgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5
    OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX
    2Nna4uPk5ebn6Onq8vP09fb3+Pn6/90ABAAD/9oADAMBAAIRAxEAPwDn/lmlW9VSIo1ClT97Pb+Y7inJAyiVsDExJULg9fX8xWiLaMzeWhza7QX+
    bgkZ/i/AelSJbne4IHy5Ea4wPw9e1ePCSZ7ft3fV6/r1fo1ovMy/IBAiKglDnOOP84p5gyzBSOScEitMWxxuCneDyOc4/pUn2f5RwSccZOSa6oUu
    YpYjsZT2ZkCoiMxTriitOaMQEHKjd14HX8elFdUcHJq6JljKSdpvX+vM/9CYWRjBssbvMbcZDxj8PwFSeUSxBPFv8pPJJ/zj9akt3L6ZJMS3mLIF
    Vi2SOnfrjr+dXAqoLfaMb0DNjoeR/jXg4a7eoKvG2i0sn8r6L5PUppExUyqMhu34/wA6kjtsFHOMj+HHWtFIV3sMDaMjGPYf40kq7SEU45PP44r2
    4zhRpOrPZFe2d7Iy7u1jRlVpJFbGfkYDr+FFSzzJazE+SH3gd8Yx+HvRWEc1xTV4QVv680c1XE4aM2pys/R/5H//2Q==
    """)
  private static let progressive = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQ
    YEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wgARCAAdACUD
    ASEAAhEBAxEB/8QAGQAAAwEBAQAAAAAAAAAAAAAAAAECAwQF/8QAGQEAAgMBAAAAAAAAAAAAAAAAAQQCAwUA/90ABAAD/9oADAMBAAIQAxAAAAHz
    xTQpmQS7/9DCkm6bAZd3/9F2hZdvBEz/AP/S6rz69ocKM+//xAAbEAACAgMBAAAAAAAAAAAAAAAAEQESAiExM//dAAQABf/aAAgBAQABBQLuSKlS
    p//QrtCEVP/RohCKnD//0o80Lc6IxiT/xAAdEQACAwACAwAAAAAAAAAAAAAAARESIQIxA4HB/90ABAAD/9oACAEDAQE/AbzpJVvT/9CUuixdro//
    0YjPX0sLyxh//9JNtSLlouR//8QAGhEAAgMBAQAAAAAAAAAAAAAAAAECAxESEP/aAAgBAgEBPwEw5P/QiRRyj//RrelaHbSnjZ//0qSUuK215//E
    ACEQAAECBAcAAAAAAAAAAAAAAAABEBESQVEgITJhcXKx/90ABAAF/9oACAEBAAY/Ap6HJB//0IJpPDdsj//RkudSLXP/0lWomD//xAAgEAACAgID
    AAMBAAAAAAAAAAAAAREhMUFRYXGBobHw/9oACAEBAAE/IcSYU6sTKXHUlkWUQRwvw//Q4DntSbzhFTSrwLMTb+1J/9FfYT/eHmBCafAlVieltn//
    0l6hxOzB+c9iRx0LCiYk/90ABAAD/9oADAMBAAIAAwAAABDWP//QhO//0af/AP/SFy//xAAiEQACAgEDBAMAAAAAAAAAAAABEQAhMWFxgVGRocGx
    4fD/2gAIAQMBAT8QAEuDfBoeYFxtMd7n/9BxYWtkx5d8SgZ/dZjBW31P/9E6lfD2xC9894QUn//SGSyQO7s8xiaymwDP/8QAIREAAgEEAAcAAAAA
    AAAAAAAAAAERITFBgRBhscHR8PH/2gAIAQIBAT8QSxoSOvB//9B59z8JxZkf/9G432G2HqG1yfg//9Kp7G3VHWglCof/xAAhEAEAAgEEAgMBAAAA
    AAAAAAABESEAMUFRgXGRYaHw0f/dAAQABf/aAAgBAQABPxAoehNY/F/J99qPVyeJ595GQDDMoxH5wWsO7FZJZpqWv8Z//9BBbKW8nl0ZcN/C9c7Z
    IQ8oa9dZGIETTcmcWpI60Anrzn//0YBdKeHX5eXYoqPPj1hpC+1YSQoI114yG0Ro7PXnP//SlWrEOwVv3iA0CRibkMUbWhxlVqRVDx/frKRkNDjP
    /9k=
    """)

  private static func bytes(_ text: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
  }
}
