import { createSocket } from "node:dgram";
import { type LookupAddress, Resolver } from "node:dns";
import ipaddr from "ipaddr.js";
import type { NameLookup } from "#lib/connectors/look-up-in-turn";

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const HEADER_BYTES = 12;
const FLAGS_ANSWER = 0x8580;

/** A record of a response. It belongs to the requested name, or to the alias before it. */
export type DnsRecord = { type: keyof typeof TYPES; value: string };

export interface TestDnsServer {
  /** Resolves names only with this server. */
  lookup: NameLookup;
  /** The names that were requested. */
  asked: string[];
  close(): void;
}

/**
 * For tests: starts a DNS server on loopback (RFC 1035, UDP).
 * @param zone returns a name's records, alias first. An empty list means "no data".
 */
export async function startDnsServer(zone: (name: string) => readonly DnsRecord[]): Promise<TestDnsServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const records = zone(name).filter((record) => record.type === "CNAME" || TYPES[record.type] === type);
    socket.send(answer(query.subarray(0, end), name, records), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { lookup: lookupBy(resolver), asked, close: () => socket.close() };
}

function lookupBy(resolver: Resolver): NameLookup {
  return (hostname, _options, callback) => {
    const found: LookupAddress[] = [];
    let open = 2;
    const take =
      (family: 4 | 6) =>
      (_error: unknown, addresses: string[] = []) => {
        found.push(...addresses.map((address) => ({ address, family })));
        open -= 1;
        if (open > 0) return;
        if (found.length > 0) callback(null, found);
        else callback(Object.assign(new Error(`no ${hostname}`), { code: "ENOTFOUND" }), []);
      };
    resolver.resolve4(hostname, take(4));
    resolver.resolve6(hostname, take(6));
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(question: Buffer, name: string, records: readonly DnsRecord[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(FLAGS_ANSWER, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  let owner = name;
  const lines = records.map((record) => {
    const line = resourceRecord(owner, record);
    if (record.type === "CNAME") owner = record.value;
    return line;
  });
  return Buffer.concat([head, ...lines]);
}

/** Encodes a record with TTL 0, because an attacker who rebinds a name never lets it be cached. */
function resourceRecord(owner: string, { type, value }: DnsRecord): Buffer {
  const data = type === "CNAME" ? encodeName(value) : Buffer.from(ipaddr.parse(value).toByteArray());
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), fixed, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split(".").flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, "latin1")]);
  return Buffer.concat([...labels, Buffer.from([0])]);
}
