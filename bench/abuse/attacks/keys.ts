import { randomBytes } from "node:crypto";
import { type Arena, fact, type OpenAttack } from "#bench/abuse/attack";
import { inParallel } from "#bench/abuse/in-parallel";
import { send } from "#bench/abuse/send";

const KEY_CONNECTIONS = 40;
const SIGN_IN_CONNECTIONS = 10;
const SHORT_COUNT = 200;

/** Guesses keys and passwords. */
export const openKeys: OpenAttack = async (arena: Arena) => {
  const count = arena.size === "short" ? SHORT_COUNT : Number.POSITIVE_INFINITY;
  return {
    run: async (over) => {
      await Promise.all([
        inParallel({ connections: KEY_CONNECTIONS, over, count }, (index) => guessKey(arena, index, over)),
        inParallel({ connections: SIGN_IN_CONNECTIONS, over, count: count / 4 }, () => guessPassword(arena, over)),
      ]);
    },
    facts: () => {
      const accepted = arena.tally.count((what) => what.startsWith("2"));
      return [fact("no guess is accepted", accepted === 0, `${accepted} accepted`)];
    },
  };
};

/** Guesses an API key. Every second guess shares its first eight characters with a real key. */
async function guessKey(arena: Arena, index: number, over: AbortSignal): Promise<void> {
  const prefix = index % 2 === 0 ? "svc_" : (arena.victim.headers.authorization?.slice("Bearer ".length, 15) ?? "svc_");
  const key = `${prefix}${randomBytes(24).toString("base64url")}`.slice(0, 36);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ input: {} });
  await send(arena, { path: "/api/v1/runtime/actions/pure/run", headers, body, over });
}

/** Guesses a password the way the form does: it fetches the token, then makes the attempt. */
async function guessPassword(arena: Arena, over: AbortSignal): Promise<void> {
  const { url, victim } = arena;
  const session = await fetch(`${url}/api/auth/csrf`, { signal: over }).catch(() => null);
  const token = ((await session?.json().catch(() => null)) as { csrfToken?: string } | null)?.csrfToken ?? "";
  const cookie =
    session?.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ") ?? "";
  const form = { csrfToken: token, json: "true", email: victim.email, password: randomBytes(8).toString("hex") };
  const headers = { "content-type": "application/x-www-form-urlencoded", cookie, origin: url };
  const body = new URLSearchParams(form).toString();
  await send(arena, { path: "/api/auth/callback/credentials", headers, body, over });
}
