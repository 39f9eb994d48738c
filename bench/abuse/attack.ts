import type { Tenants } from "#bench/abuse/make-tenants";
import type { Tally } from "#bench/abuse/tally";

/** The short form proves refusals and order within seconds; the full size is what an attacker would send. */
export type AttackSize = "short" | "full";

/** What an attack works with. */
export interface Arena extends Tenants {
  /** Scheme, host and port of the product. */
  url: string;
  size: AttackSize;
  /** The answers that the attacker got. */
  tally: Tally;
}

/** A statement that holds on any machine, however slow. */
export interface Fact {
  what: string;
  isMet: boolean;
  measured: string;
}

/** An attack that is prepared. */
export interface Strike {
  /** Attacks until `over`; an attack with a fixed amount of work may return before that. */
  run(over: AbortSignal): Promise<void>;
  /** Reads what must hold after the attack. */
  facts?(): Promise<Fact[]> | Fact[];
}

/** Prepares an attack; nothing is measured yet. */
export type OpenAttack = (arena: Arena) => Promise<Strike>;

export function fact(what: string, isMet: boolean, measured: string | number): Fact {
  return { what, isMet, measured: String(measured) };
}
