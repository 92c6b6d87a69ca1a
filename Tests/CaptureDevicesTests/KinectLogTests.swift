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
    "[Stream 70] Lost 2 packets\n", "[Stream 70] Expected 1748 data bytes, but got 12\n",
    "[Stream 70] Expected max 1748 data bytes, but got 1760. Dropping...\n",
  ])
  func `a few lost packets damage a depth frame`(_ message: String) {
    #expect(KinectLog.meaning(of: message) == .damagedFrame(.depth))
  }

  @Test(arguments: [
    "", "[Stream 70] Negotiated packet size 1760\n", "Could not open camera: -3\n",
    "[Stream 55] Lost 2 packets\n", "USB camera marked dead, stopping streams\n",
  ])
  func `other messages lose nothing`(_ message: String) {
    #expect(KinectLog.meaning(of: message) == nil)
  }
}
