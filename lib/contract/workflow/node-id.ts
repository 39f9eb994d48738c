/** The ids of steps, which expressions use as names. */
export const NODE_ID_PATTERN = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
