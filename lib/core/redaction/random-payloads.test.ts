import { expect, test } from "vitest";
import { sanitize } from "#lib/core/redaction/sanitize";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const random = seededRandom(99);
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const characters = (length: number, from = BASE64) =>
  Array.from({ length }, () => from[random.below(from.length)]).join("");
const digits = (length: number) => characters(length, "0123456789");

/** One secret of each kind, with the part that must not appear afterwards. */
function secret(): { text: string; canary: string } {
  const local = `u${characters(8)}`;
  const value = characters(20);
  const hex = characters(40, "0123456789abcdef");
  const phone = `9${digits(9)}`;
  const own = characters(32);
  return random.pick([
    { text: `${local}@example.com`, canary: local },
    { text: `Bearer ${value}`, canary: value },
    { text: `api_key=${value}`, canary: value },
    { text: `"access_token": "${value}"`, canary: value },
    { text: `+7${phone}`, canary: phone },
    {
      text: `8 (${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6, 8)}-${phone.slice(8)}`,
      canary: `${phone.slice(3, 6)}-`,
    },
    { text: hex, canary: hex },
    { text: `svc_${own}`, canary: own },
  ]);
}

const AROUND = [
  "",
  " ",
  ", ",
  "\n",
  "(",
  ")",
  '"',
  "'",
  "<",
  ">",
  ";",
  ": ",
  "Order 17: ",
  "тел. ",
  "?x=",
  "&",
  "{",
  "}",
  "😀",
] as const;

test("a secret anywhere in a payload is removed, and the payload keeps its shape", () => {
  for (let round = 0; round < 5_000; round += 1) {
    const canaries: string[] = [];
    const payload = random.json(() => {
      if (random.next() < 0.3) return random.pick([1, true, null, "text"]);
      const { text, canary } = secret();
      canaries.push(canary);
      return random.pick(AROUND) + text + random.pick(AROUND);
    });
    const before = JSON.stringify(payload);
    const after = JSON.stringify(sanitize(payload));
    for (const canary of canaries) expect(after.includes(canary), `${canary} in ${after}`).toBe(false);
    expect(JSON.stringify(payload)).toBe(before);
    if (canaries.length === 0) expect(after).toBe(before);
  }
});

test("any text is cleaned without an error", () => {
  const pieces = [
    "@",
    "a",
    ".co",
    "+7",
    "8",
    "912",
    " ",
    "-",
    "(",
    "Bearer ",
    "api_key",
    "=",
    '"',
    "svc_",
    "eyJ",
    "/",
    "_",
    "%40",
    "\ud800",
    "\u0000",
    "ж",
    "x".repeat(40),
  ];
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: random.below(20) }, () => random.pick(pieces)).join("");
    expect(typeof sanitize(text)).toBe("string");
  }
});
