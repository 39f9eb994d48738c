import { ENCODE, percentDecode, percentEncode } from "#lib/platform/sandbox/guest/percent-encoding";
import { encodePunycode } from "#lib/platform/sandbox/guest/punycode";

const FORBIDDEN = "\0\t\n\r #/:<>?@[\\]^|";

/** The host as a URL writes it (URL standard, host parsing), or null when it is none. */
export function parseHost(text: string, isSpecial: boolean): string | null {
  if (text.startsWith("[")) return text.endsWith("]") ? parseIpv6(text.slice(1, -1)) : null;
  if (!isSpecial) return isForbidden(text) ? null : percentEncode(text, ENCODE.opaque);
  const domain = toAscii(percentDecode(text));
  if (domain === "" || isForbidden(domain) || /[%\p{Cc}]/u.test(domain)) return null;
  return endsInNumber(domain) ? parseIpv4(domain) : domain;
}

function isForbidden(host: string): boolean {
  return Array.from(FORBIDDEN).some((char) => host.includes(char));
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/**
 * Internationalized labels as `xn--`. The mapping is NFKC and lower case, which is that of UTS 46 for the names that
 * people write; the tables of its rarities are left out.
 * @returns "" for what can be no name
 */
function toAscii(domain: string): string {
  if (isAscii(domain)) return domain.toLowerCase();
  const mapped = domain.replace(/[\u3002\uff61]/g, ".").replace(/[\u00ad\u200b\u2060\ufeff]/g, "");
  const normal = mapped.normalize("NFKC").toLowerCase().normalize("NFC");
  if (/[\p{C}\p{Z}\ufffd]/u.test(normal)) return "";
  const labels = normal.split(".");
  if (labels.some((label) => label.startsWith("xn--") && !isAscii(label))) return "";
  return labels.map((label) => (isAscii(label) ? label : `xn--${encodePunycode(label)}`)).join(".");
}

function endsInNumber(domain: string): boolean {
  const parts = domain.replace(/\.$/, "").split(".");
  return /^(?:\d+|0x[0-9a-f]*)$/i.test(parts.at(-1) ?? "");
}

function parseIpv4(domain: string): string | null {
  const parts = domain.replace(/\.$/, "").split(".");
  if (parts.length > 4) return null;
  const numbers = parts.map(parseIpv4Number);
  const last = numbers.pop() ?? Number.NaN;
  if (numbers.some((number) => !(number <= 255)) || !(last < 256 ** (4 - numbers.length))) return null;
  const address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join(".");
}

function parseIpv4Number(text: string): number {
  if (text === "") return Number.NaN;
  const hex = /^0x([0-9a-f]*)$/i.exec(text);
  if (hex) return hex[1] === "" ? 0 : Number.parseInt(hex[1] ?? "", 16);
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
}

function parseIpv6(text: string): string | null {
  const withHex = text.includes(".") ? embeddedIpv4(text) : text;
  if (withHex === null) return null;
  const halves = withHex.split("::");
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...new Array<string>(missing).fill("0"), ...tail];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return `[${compress(groups.map((group) => Number.parseInt(group, 16).toString(16)))}]`;
}

/** `::ffff:1.2.3.4` with the dotted part as two groups. */
function embeddedIpv4(text: string): string | null {
  const match = /^(.*:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (!match) return null;
  const [, head = "", ...digits] = match;
  if (digits.some((part) => (part.length > 1 && part.startsWith("0")) || Number(part) > 255)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = digits.map(Number);
  return `${head}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** The longest run of two or more zero groups, the first of equals, becomes `::`. */
function compress(groups: string[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === "0") length += 1;
    if (length > best.length) best = { start, length };
  }
  if (best.start < 0) return groups.join(":");
  return `${groups.slice(0, best.start).join(":")}::${groups.slice(best.start + best.length).join(":")}`;
}
