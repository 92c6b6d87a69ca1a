import Foundation
import StudioServer
import TestSupport
import Testing

struct PageFilesTests {
  @Test
  func `every file of the page is within the program`() throws {
    let folder = Checkout.root + "/Sources/Studio/StudioServer/Page"
    #expect(PageFiles.names.sorted() == (try FileManager.default.contentsOfDirectory(atPath: folder)).sorted())
  }
}
