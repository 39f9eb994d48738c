import type { OpenAttack } from "#bench/abuse/attack";
import type { Scope } from "#lib/contract/key/scopes";

interface AttackEntry {
  /** One-line description of the attack. */
  summary: string;
  /** Product settings that differ from the defaults. */
  settings?: Readonly<Record<string, string>>;
  /** The scopes of the attacker's key, if the default scopes are not enough. */
  scopes?: readonly Scope[];
  /** Loads the attack, only in the attacker's thread, because use cases read the environment when they load. */
  load(): Promise<OpenAttack>;
}

/** Turns off the run limits, so that the attacker can build a deep queue. */
const WITHOUT_RUN_LIMITS = { RUNS_PER_USER_PER_HOUR: "0", RUNS_PER_MONTH: "0" };

export const ATTACKS = {
  calm: {
    summary: "no attack: what the victim measures on this machine",
    load: async () => (await import("#bench/abuse/attacks/calm")).openCalm,
  },
  patterns: {
    summary: "patterns that unfold to a million states, in drafts, publishing and runs, on texts of a megabyte",
    load: async () => (await import("#bench/abuse/attacks/patterns")).openPatterns,
  },
  operations: {
    summary: "600 graph operations per call on the largest definition",
    load: async () => (await import("#bench/abuse/attacks/operations")).openOperations,
  },
  loops: {
    summary: "a loop of 1,000 in a loop of 1,000, and runs of 19,000 steps",
    load: async () => (await import("#bench/abuse/attacks/loops")).openLoops,
  },
  code: {
    summary: "hundreds of runs whose code step never ends",
    settings: WITHOUT_RUN_LIMITS,
    load: async () => (await import("#bench/abuse/attacks/code")).openCode,
  },
  upstream: {
    summary: "an upstream that answers 10 MiB of JSON: millions of elements, deep nesting",
    load: async () => (await import("#bench/abuse/attacks/upstream")).openUpstream,
  },
  queue: {
    summary: "10,000 queued runs, each with a step of 30 s",
    settings: WITHOUT_RUN_LIMITS,
    load: async () => (await import("#bench/abuse/attacks/queue")).openQueue,
  },
  webhooks: {
    summary: "webhooks over the limit: signed, unsigned, large, unknown",
    load: async () => (await import("#bench/abuse/attacks/webhooks")).openWebhooks,
  },
  bodies: {
    summary:
      "hundreds of connections that declare a body of 1 MiB and send nothing, a byte per second, or all but one byte",
    load: async () => (await import("#bench/abuse/attacks/bodies")).openBodies,
  },
  keys: {
    summary: "wrong keys and wrong passwords on fifty connections",
    load: async () => (await import("#bench/abuse/attacks/keys")).openKeys,
  },
  mail: {
    summary: "mail servers that never end: a byte per second, endless lines, endless literals",
    load: async () => (await import("#bench/abuse/attacks/mail")).openMail,
  },
  openapi: {
    summary: "OpenAPI documents that unfold, in parallel",
    scopes: ["connectors:read", "connectors:write"],
    load: async () => (await import("#bench/abuse/attacks/openapi")).openOpenapi,
  },
  reads: {
    summary: "the largest journal, read in parallel with every step",
    load: async () => (await import("#bench/abuse/attacks/reads")).openReads,
  },
} satisfies Record<string, AttackEntry>;

export type AttackName = keyof typeof ATTACKS;
export const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[];

export function attackNamed(name: AttackName): AttackEntry {
  return ATTACKS[name];
}
