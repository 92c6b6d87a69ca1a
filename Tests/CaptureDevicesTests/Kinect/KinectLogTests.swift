import CaptureDevices
import Testing

/// The messages are those of libfreenect 0.5.3's cameras.c.
@Suite struct KinectLogTests {
  @Test(arguments: [
    "[Stream 80] Lost too many packets, resyncing...\n",
    "[Stream 80] Inconsistent flag 82 with 3 packets in buf (162 total), resyncing...\n",
    "[Stream 80] Expected max 1908 data bytes, but got 1920. Resyncng...\n",
  ])
  func `a resynchronisation is a lost colour frame`(_ message: String) {
    #expect(KinectLog.meaning(of: message) == .lostFrame(.color))
  }

  @Test(arguments: [
    "Got depth frame of size 422400/422400, 239/242 packets arrived, TS 0e7a3c11\n",
    "[Stream 70] Expected 1748 data bytes, but got 12\n",
    "[Stream 70] Expected max 1748 data bytes, but got 1760. Dropping...\n",
  ])
  func `missing packets damage a depth frame`(_ message: String) {
    #expect(KinectLog.meaning(of: message) == .damagedFrame(.depth))
  }

  @Test func `missing packets damage a colour frame`() {
    let message = "Got video frame of size 307200/307200, 1/162 packets arrived, TS 00000000\n"
    #expect(KinectLog.meaning(of: message) == .damagedFrame(.color))
  }

  @Test func `lost packets are counted by their camera`() {
    #expect(KinectLog.meaning(of: "[Stream 70] Lost 3 packets\n") == .lostPackets(.depth, count: 3))
    #expect(KinectLog.meaning(of: "[Stream 80] Lost 255 packets\n") == .lostPackets(.color, count: 255))
  }

  @Test(arguments: [
    "", "Got ", "Got video frame", "Got depth frame of size 1/1, 242", "Got depth frame of size 1/1, /",
    "Got depth frame of size 422400/422400, 242/242 packets arrived, TS 0e7a3c11\n",
    "[Stream 70] Negotiated packet size 1760\n", "[Stream 55] Lost 2 packets\n",
    "[Stream 70] Lost 6 total packets in 9 frames (0.666667 lppf)\n", "[Stream 70] Lost 0 packets\n",
    "[Stream 70] Lost -1 packets\n", "[Stream 70] Lost 99999999999999999999 packets\n", "[Stream 70] Lost packets\n",
    "Could not open camera: -3\n", "[Stream 55] Lost too many packets, resyncing...\n",
    "USB camera marked dead, stopping streams\n",
  ])
  func `other messages mean nothing`(_ message: String) {
    #expect(KinectLog.meaning(of: message) == nil)
  }
}
