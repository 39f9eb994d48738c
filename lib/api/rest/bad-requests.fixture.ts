import { type SeededRandom, seededRandom } from "#lib/support/seeded-random.fixture";

/** One seed determines the whole sequence, so a failing request can be found by its position. */
const SEED = 20_261_121;
/** Requests per surface. 20,000 requests take a minute or two: `FUZZ_REQUESTS=20000 npm test unit fuzz`. */
export const FUZZ_REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2_000);

export const TEXTS = [
  "",
  " ",
  "a",
  "null",
  "true",
  "0",
  "-1",
  "1e400",
  "NaN",
  "greet",
  "paused",
  "\u0000",
  "\ud800",
  "\udc00\ud800",
  "ключ",
  "👩‍👩‍👧",
  "'; drop table runs; --",
  "{{action_input.name}}",
  "../../etc/passwd",
  "%",
  "%%",
  "\\",
  "\n",
  "x".repeat(5_000),
  "__proto__",
  "constructor",
  "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "ada@lovelace.example",
  "9".repeat(400),
  "2026-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "-000001-01-01T00:00:00Z",
  "00000000-0000-0000-0000-000000000000",
  "accepted,failed",
  "steps",
  "events",
  "asc",
  "all",
  "bm90aGluZw",
  "🦊".repeat(100),
];
/** Field names: those of the API, and names that break programs. */
export const NAMES = [
  "limit",
  "cursor",
  "status",
  "source",
  "q",
  "order",
  "action_slug",
  "correlation_id",
  "resume_from_run_id",
  "created_after",
  "created_before",
  "include",
  "steps",
  "run_id",
  "slug",
  "input",
  "dry_run",
  "idempotency_key",
  "workflow_id",
  "decision",
  "approved",
  "comment",
  "approval_id",
  "__proto__",
  "constructor",
  "toString",
  "name",
  "count",
  "",
];

export interface BadRandom extends SeededRandom {
  isRare(share: number): boolean;
  text(): string;
  /** Generates any JSON from these texts, names, and numbers. */
  value(depth?: number): unknown;
  /** Corrupts JSON text in common ways. Half of the texts stay valid. */
  spoil(text: string): string | Uint8Array;
}

/** For tests: generates the requests of people, programs, and attackers. They are the same in every test run. */
export function badRandom(): BadRandom {
  const random = seededRandom(SEED);
  const { below, pick, next } = random;
  const text = () => pick(TEXTS);
  const value = (depth = 0): unknown => {
    const kind = below(depth > 4 ? 5 : 8);
    if (kind < 2) return text();
    if (kind === 2) return pick([0, -1, 1.5, 1e308, -0, 2 ** 53, 1e-320]);
    if (kind === 3) return pick([true, false, null]);
    if (kind === 4) return [];
    if (kind === 5) return Array.from({ length: below(5) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: below(5) }, () => [pick([...NAMES, ...TEXTS]), value(depth + 1)]));
  };
  const spoil = (whole: string): string | Uint8Array => {
    const at = below(whole.length);
    const [head, tail] = [whole.slice(0, at), whole.slice(at)];
    switch (below(8)) {
      case 0:
        return head;
      case 1:
        return head + pick(["\u0000", "\\u0000", "\\ud800", '"', "{", "]", ",", "1e400", "\ufeff"]) + tail;
      case 2:
        return new Uint8Array([...Buffer.from(head), 0xff, 0xfe, ...Buffer.from(tail)]);
      case 3:
        return `${'{"input":'.repeat(1 + below(200))}${whole}`;
      default:
        return whole;
    }
  };
  return { ...random, isRare: (share) => next() < share, text, value, spoil };
}
