import Support
import Testing

@Suite struct MemoTests {
  @Test func `a value is made once for each key, and again after the limit was reached`() {
    let memo = Memo<Int, Int>(limit: 3)
    var made: [Int] = []
    func square(_ number: Int) -> Int {
      memo.value(number) {
        made.append(number)
        return number * number
      }
    }
    for number in [1, 2, 1, 3, 2] { #expect(square(number) == number * number) }
    #expect(made == [1, 2, 3])
    #expect(square(4) == 16 && square(1) == 1)
    #expect(made == [1, 2, 3, 4, 1])
  }

  @Test func `what could not be made is tried again`() {
    let memo = Memo<Int, Int>(limit: 3)
    #expect(throws: RetakeError.self) {
      try memo.value(1) { () throws(RetakeError) -> Int in throw RetakeError(.inputOutput, "No.") }
    }
    #expect(memo.value(1) { 7 } == 7)
  }
}
