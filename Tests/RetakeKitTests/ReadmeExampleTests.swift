import Foundation
import RetakeKit
import TestSupport
import Testing

/// What other packages are told to write, in the README.
@Suite struct ReadmeExampleTests {
}
