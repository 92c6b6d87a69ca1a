import Support
import Testing

/// The bits themselves: recordings, scenes and digests depend on them, so a change of one must be meant.
/// Made by this package's first version, on x86-64; the error of each is covered by `PortableMathTests`.
@Suite struct PortableMathBitsTests {
  @Test
  func `powers have the bits that they always had`() {
    let pinned: [(x: Double, y: Double, bits: UInt64)] = [
      (0.5, 0.5, 0x3FE6_A09E_667F_3BCC),
      (0.25, 0.75, 0x3FD6_A09E_667F_3BCC),
      (0.1, 0.5, 0x3FD4_3D13_6248_490F),
      (0.999, 20.0, 0x3FEF_5DB5_09CB_1434),
      (1e-07, 0.05, 0x3FDC_9676_C6FC_AF21),
      (0.3, 2.2, 0x3FB2_1C08_EB3F_512C),
      (3.0, 4.5, 0x4061_8979_C707_E082),
      (0x1p-24, 0.5, 0x3F30_0000_0000_0000),
    ]
    for (x, y, bits) in pinned {
      #expect(PortableMath.pow(x, y).bitPattern == bits, "\(x) to the power of \(y)")
    }
  }

  @Test
  func `exponentials and logarithms have the bits that they always had`() {
    let pinned: [(x: Double, exp: UInt64, exp2: UInt64, log2: UInt64)] = [
      (0.001, 0x3FEF_F7CF_E56F_1A9E, 0x3FF0_02D7_11C7_9A96, 0xC023_EE7B_471B_3A95),
      (0.1, 0x3FEC_F46D_99D5_2B3A, 0x3FF1_25FB_EE25_0664, 0xC00A_934F_0979_A371),
      (0.5, 0x3FE3_68B2_FC6F_960A, 0x3FF6_A09E_667F_3BCC, 0xBFF0_0000_0000_0000),
      (1.0, 0x3FD7_8B56_362C_EF38, 0x4000_0000_0000_0000, 0x0000_0000_0000_0000),
      (2.5, 0x3FB5_0385_C094_F424, 0x4016_A09E_667F_3BCC, 0x3FF5_269E_12F3_46E3),
      (12.5, 0x3ECF_42ED_3F68_E686, 0x40B6_A09E_667F_3BCC, 0x400D_269E_12F3_46E3),
      (100.0, 0x36EA_8C1F_14E2_AF14, 0x4630_0000_0000_0000, 0x401A_934F_0979_A371),
      (700.0, 0x00D1_4F2B_0FB9_2F95, 0x6BB0_0000_0000_0000, 0x4022_E705_2491_D2C4),
    ]
    for (x, exp, exp2, log2) in pinned {
      #expect(PortableMath.exp(-x).bitPattern == exp, "exp -\(x)")
      #expect(PortableMath.exp2(x).bitPattern == exp2, "exp2 \(x)")
      #expect(PortableMath.log2(x).bitPattern == log2, "log2 \(x)")
    }
  }

  @Test
  func `sines, cosines and angles have the bits that they always had`() {
    let pinned: [(x: Double, sin: UInt64, cos: UInt64, atan2: UInt64)] = [
      (0.001, 0x3F50_624D_A521_8A62, 0x3FEF_FFFE_F390_876C, 0x3F45_D867_8DA0_E3E3),
      (0.1, 0x3FB9_8EAE_CB8B_CB2C, 0x3FEF_D712_F9A8_17C0, 0x3FB1_0A9C_765F_3723),
      (-0.5, 0xBFDE_AEE8_744B_05F0, 0x3FEC_1528_065B_7D4F, 0xBFD4_978F_A326_9EE1),
      (1.0, 0x3FEA_ED54_8F09_0CEE, 0x3FE1_4A28_0FB5_068C, 0x3FE2_D0EA_D606_6396),
      (1.1863, 0x3FED_A9E1_A2AD_19CE, 0x3FD8_0183_12E6_A47C, 0x3FE5_69A6_E90F_FDE4),
      (2.5, 0x3FE3_26AF_0DCF_CAB0, 0xBFE9_A2F7_EF85_8B7C, 0x3FF0_7C6C_6947_A6A8),
      (-3.0, 0xBFC2_1038_6DB6_D55B, 0xBFEF_AE04_BE85_E5D2, 0xBFF1_B6E1_92EB_BE44),
      (12.5, 0xBFB0_FA78_CC21_CFBB, 0x3FEF_EDF6_A822_7774, 0x3FF7_38CD_060D_0DB0),
    ]
    for (x, sin, cos, atan2) in pinned {
      #expect(PortableMath.sin(x).bitPattern == sin, "sin \(x)")
      #expect(PortableMath.cos(x).bitPattern == cos, "cos \(x)")
      #expect(PortableMath.atan2(x, 1.5).bitPattern == atan2, "atan2 of \(x) and 1.5")
    }
  }

  @Test
  func `no value of ten thousand has other bits`() {
    var generator = SeededGenerator(seed: 1)
    var digest: UInt64 = 0
    func add(_ value: Double) { digest = SeededGenerator.hash(digest, value.bitPattern) }
    for _ in 0..<10_000 {
      let (a, b) = (generator.nextUnit(), generator.nextUnit())
      add(PortableMath.pow(a, 20 * b))
      add(PortableMath.exp(-40 * a))
      add(PortableMath.sin(20 * a - 10))
      add(PortableMath.cos(20 * b - 10))
      add(PortableMath.atan2(a - 0.5, b - 0.5))
      add(PortableMath.log2(a + b + 0x1p-60))
    }
    #expect(digest == 0x60A5_E162_46E3_783D)
  }

  @Test
  func `the seeded hash has the bits that it always had`() {
    #expect(SeededGenerator.mix(0) == 0)
    #expect(SeededGenerator.mix(1) == 0x5692_161D_100B_05E5)
    #expect(SeededGenerator.hash(1, 2, 3, 4) == 0x336C_3255_CBCC_01FE)
    var generator = SeededGenerator(seed: 42)
    #expect((0..<6).map { _ in generator.next(below: 1000) } == [741, 159, 278, 344, 38, 868])
    #expect(generator.nextUnit().bitPattern == 0x3FCB_F4B3_8E22_9BB4)
  }
}
