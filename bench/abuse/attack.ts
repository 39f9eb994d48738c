import type { Tenants } from "#bench/abuse/make-tenants";
import type { Tally } from "#bench/abuse/tally";

/** The short form proves refusals and order within seconds. The full size sends as much as an attacker would. */
export type AttackSize = "short" | "full";

/** The tenants, the target, and the tally that an attack works with. */
export interface Arena extends Tenants {
  /** The product's scheme, host, and port. */
  url: string;
  size: AttackSize;
  /** The answers that the attacker got. */
  tally: Tally;
}

/** A statement that holds on any machine, however slow, and whether it held. */
export interface Fact {
  what: string;
  isMet: boolean;
  measured: string;
}

/** A prepared attack. */
export interface Strike {
  /** Attacks until `over` aborts. An attack with a fixed amount of work may return earlier. */
  run(over: AbortSignal): Promise<void>;
  /** Checks what must hold after the attack. */
  facts?(): Promise<Fact[]> | Fact[];
}

/** Prepares an attack. The measurement has not started yet. */
export type OpenAttack = (arena: Arena) => Promise<Strike>;

export function fact(what: string, isMet: boolean, measured: string | number): Fact {
  return { what, isMet, measured: String(measured) };
}
