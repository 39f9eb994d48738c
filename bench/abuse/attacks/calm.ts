import type { OpenAttack } from "#bench/abuse/attack";

/** Does nothing, for comparison. */
export const openCalm: OpenAttack = async () => ({ run: async () => {} });
