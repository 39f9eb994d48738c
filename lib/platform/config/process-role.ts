/**
 * What a start runs: everything, only the web server, only workers, or nothing after the migrations. On several
 * machines each has one of them.
 */
export const PROCESS_ROLES = ["all", "web", "worker", "migrate"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];
