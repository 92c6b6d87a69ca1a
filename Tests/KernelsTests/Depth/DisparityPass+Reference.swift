import Kernels

extension DisparityPass {
  func reference(key: UInt16, depth: UInt16) -> Int16 {
    hole >= 0 && depth == 0 ? Int16(hole) : Int16(table.elements[Int(key)])
  }
}
