import { assert, describe, it } from "@effect/vitest"
import { BlockList } from "node:net"
import * as PublicAddress from "./PublicAddress.ts"

/** First and last address of each range, and what stands right before and behind it. */
const edges: ReadonlyArray<readonly [first: string, last: string, special: PublicAddress.Special]> = [
  ["0.0.0.1", "0.255.255.255", "this_network"],
  ["10.0.0.0", "10.255.255.255", "private"],
  ["100.64.0.0", "100.127.255.255", "shared"],
  ["127.0.0.0", "127.255.255.255", "loopback"],
  ["169.254.0.0", "169.254.255.255", "link_local"],
  ["172.16.0.0", "172.31.255.255", "private"],
  ["192.0.0.0", "192.0.0.255", "reserved"],
  ["192.0.2.0", "192.0.2.255", "documentation"],
  ["192.88.99.0", "192.88.99.255", "tunnel"],
  ["192.168.0.0", "192.168.255.255", "private"],
  ["198.18.0.0", "198.19.255.255", "benchmarking"],
  ["198.51.100.0", "198.51.100.255", "documentation"],
  ["203.0.113.0", "203.0.113.255", "documentation"],
  ["224.0.0.0", "239.255.255.255", "multicast"],
  ["240.0.0.0", "255.255.255.254", "reserved"],
  ["::1", "::1", "loopback"],
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unique_local"],
  ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link_local"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "tunnel"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"]
]

const publicOnes = [
  "1.0.0.0",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2000::1",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2606:4700::1111",
  "3ffe:ffff::1",
  "3fff:1000::1"
]

describe("PublicAddress", () => {
  it("refuses every range that is kept for something, from its first to its last address", () => {
    for (const [first, last, special] of edges) {
      assert.strictEqual(PublicAddress.special(first), special, first)
      assert.strictEqual(PublicAddress.special(last), special, last)
    }
    assert.strictEqual(PublicAddress.special("0.0.0.0"), "unspecified")
    assert.strictEqual(PublicAddress.special("::"), "unspecified")
    assert.strictEqual(PublicAddress.special("255.255.255.255"), "broadcast")
  })

  it("lets pass what stands beside them", () => {
    for (const address of publicOnes) assert.isNull(PublicAddress.special(address), address)
  })

  it("judges the IPv4 address inside an IPv6 one, however it is written", () => {
    for (const [text, special] of [
      ["::ffff:127.0.0.1", "loopback"],
      ["::ffff:7f00:1", "loopback"],
      ["0:0:0:0:0:ffff:a00:1", "private"],
      ["::FFFF:169.254.169.254", "link_local"],
      ["64:ff9b::127.0.0.1", "loopback"],
      ["64:ff9b::a9fe:a9fe", "link_local"],
      ["::ffff:0.0.0.0", "unspecified"]
    ] as const) {
      assert.strictEqual(PublicAddress.special(text), special, text)
    }
    assert.isTrue(PublicAddress.isPublic("::ffff:8.8.8.8"))
    assert.isTrue(PublicAddress.isPublic("64:ff9b::808:808"))
  })

  it("refuses what of IPv6 is not given out, and old ways of writing IPv4 in it", () => {
    for (const text of [
      "::127.0.0.1",
      "::7f00:1",
      "4000::1",
      "64:ff9b:1::1",
      "100::1",
      "5f00::1",
      "fec0::1",
      "200::1"
    ]) {
      assert.isFalse(PublicAddress.isPublic(text), text)
    }
    assert.strictEqual(PublicAddress.special("2001:0:53aa:64c::1"), "tunnel")
    assert.strictEqual(PublicAddress.special("2001:20::1"), "reserved")
  })

  it("takes no text for public that is no plain address", () => {
    for (const text of [
      "",
      "localhost",
      "8.8.8",
      "8.8.8.8.",
      "0x8.8.8.8",
      "010.8.8.8",
      "134744072",
      "[::1]",
      "fe80::1%eth0",
      "8.8.8.8/32"
    ]) {
      assert.strictEqual(PublicAddress.special(text), "no_address", text)
    }
  })

  it("agrees with another implementation of ranges on 20,000 addresses", () => {
    const list = new BlockList()
    const ranges =
      "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
      "192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 " +
      "203.0.113.0/24 224.0.0.0/3"
    for (const range of ranges.split(" ")) {
      const [network = "", bits = ""] = range.split("/")
      list.addSubnet(network, Number(bits), "ipv4")
    }
    // Every first octet with odd steps through the others.
    for (let at = 0; at < 20_000; at++) {
      const value = (at * 214_748) >>> 0
      const text = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".")
      assert.strictEqual(PublicAddress.isPublic(text), !list.check(text, "ipv4"), text)
    }
  })
})
