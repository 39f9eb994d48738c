import type { OpenAttack } from "#bench/abuse/attack";

/** Does nothing. Its measurements are the baseline for the attacks. */
export const openCalm: OpenAttack = async () => ({ run: async () => {} });
