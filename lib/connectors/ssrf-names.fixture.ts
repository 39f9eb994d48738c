import type { DnsRecord } from "#lib/connectors/dns-server.fixture";

const A = (value: string): DnsRecord => ({ type: "A", value });
const AAAA = (value: string): DnsRecord => ({ type: "AAAA", value });
const CNAME = (value: string): DnsRecord => ({ type: "CNAME", value });
/** A public address that is never called, because one forbidden address next to it is enough for a refusal. */
const PUBLIC = "93.184.215.14";
const PUBLIC_6 = "2606:4700:4700::1111";

/** Names, each with the records that its owner serves. */
export const DNS_ATTEMPTS: Readonly<Record<string, readonly DnsRecord[]>> = {
  "loopback.evil.example": [A("127.0.0.1")],
  "loopback-two.evil.example": [A("127.0.0.2")],
  "loopback-far.evil.example": [A("127.255.0.1")],
  "zero.evil.example": [A("0.0.0.0")],
  "private-a.evil.example": [A("10.0.0.1")],
  "private-b.evil.example": [A("172.16.0.1")],
  "private-c.evil.example": [A("192.168.1.1")],
  "carrier.evil.example": [A("100.64.0.1")],
  "link-local.evil.example": [A("169.254.1.1")],
  "metadata.evil.example": [A("169.254.169.254")],
  "metadata-ecs.evil.example": [A("169.254.170.2")],
  "metadata-alibaba.evil.example": [A("100.100.100.200")],
  "metadata-oracle.evil.example": [A("192.0.0.192")],
  "broadcast.evil.example": [A("255.255.255.255")],
  "multicast.evil.example": [A("224.0.0.1")],
  "reserved.evil.example": [A("240.0.0.1")],
  "loopback-six.evil.example": [AAAA("::1")],
  "zero-six.evil.example": [AAAA("::")],
  "mapped.evil.example": [AAAA("::ffff:127.0.0.1")],
  "mapped-metadata.evil.example": [AAAA("::ffff:169.254.169.254")],
  "compatible.evil.example": [AAAA("::127.0.0.1")],
  "translated.evil.example": [AAAA("64:ff9b::7f00:1")],
  "translated-local.evil.example": [AAAA("64:ff9b:1::7f00:1")],
  "six-to-four.evil.example": [AAAA("2002:7f00:1::1")],
  "teredo.evil.example": [AAAA("2001:0:7f00:1::1")],
  "unique-local.evil.example": [AAAA("fd00::1")],
  "link-local-six.evil.example": [AAAA("fe80::1")],
  "metadata-six.evil.example": [AAAA("fd00:ec2::254")],
  "public-first.evil.example": [A(PUBLIC), A("127.0.0.1")],
  "private-first.evil.example": [A("127.0.0.1"), A(PUBLIC)],
  "one-of-many.evil.example": [A(PUBLIC), A("8.8.8.8"), A("1.1.1.1"), A("10.0.0.1")],
  "public-four-private-six.evil.example": [A(PUBLIC), AAAA("::1")],
  "private-four-public-six.evil.example": [AAAA(PUBLIC_6), A("127.0.0.1")],
  "alias.evil.example": [CNAME("inside.evil.example"), A("127.0.0.1")],
  "alias-six.evil.example": [CNAME("inside.evil.example"), AAAA("::1")],
  "alias-of-alias.evil.example": [CNAME("b.evil.example"), CNAME("c.evil.example"), A("192.168.0.1")],
  "alias-to-localhost.evil.example": [CNAME("localhost"), A("127.0.0.1")],
  "alias-to-metadata.evil.example": [CNAME("metadata.google.internal"), A("169.254.169.254")],
  "metadata.google.internal": [A("169.254.169.254")],
  "instance-data.ec2.internal": [A("169.254.169.254")],
};

/** Redirects of a server that may be called. `PORT` is the port of a server that may not. */
export const REDIRECT_TARGETS: readonly string[] = [
  "http://127.0.0.2:PORT/",
  "//127.0.0.2:PORT/",
  "http://2130706434:PORT/",
  "http://0x7f000002:PORT/",
  "http://0177.0.0.2:PORT/",
  "http://[::ffff:127.0.0.2]:PORT/",
  "http://a@127.0.0.2:PORT/",
  "http://loopback-two.evil.example:PORT/",
  "http://169.254.169.254/latest/meta-data/",
  "http://10.0.0.1:PORT/",
  "http://[fd00:ec2::254]/",
  "file:///etc/passwd",
  "gopher://127.0.0.2:PORT/_x",
];
