/** API key scopes (contract, API keys). */
export const SCOPES = [
  "actions:read",
  "actions:run",
  "runs:read",
  "approvals:decide",
  "connectors:read",
  "connectors:write",
  "workflows:read",
  "workflows:write",
  "workflows:run",
] as const;
export type Scope = (typeof SCOPES)[number];

/** contract, API keys: the scopes of a key that was created without naming any. */
export const DEFAULT_SCOPES: readonly Scope[] = [
  "actions:read",
  "actions:run",
  "runs:read",
  "connectors:read",
  "workflows:read",
  "workflows:write",
];

/**
 * decisions, API keys: the scopes that a key limited to some actions may hold. Every other scope reaches beyond these
 * actions: a key that edits workflows can change what they do, and a key that approves decides runs of others.
 */
export const LIMITED_KEY_SCOPES: readonly Scope[] = ["actions:read", "actions:run", "runs:read"];

/**
 * Returns the scopes that a key has in effect. Keys that were created before the limit was enforced may have more
 * stored.
 */
export function effectiveScopes(scopes: readonly Scope[], actionSlugs: readonly string[] | null): Scope[] {
  return scopes.filter((scope) => actionSlugs === null || LIMITED_KEY_SCOPES.includes(scope));
}

/** What the web application offers: every scope except the reserved one, which nothing requires (contract, API keys). */
export const OFFERED_SCOPES = SCOPES.filter((scope) => scope !== "workflows:run");
export type OfferedScope = (typeof OFFERED_SCOPES)[number];

/** What a key with the scope can do, as shown in the web application. */
export const SCOPE_EFFECTS: Record<OfferedScope, string> = {
  "actions:read": "List published actions and read their schemas",
  "actions:run": "Run actions and cancel their runs",
  "runs:read": "Read runs, their output and their steps",
  "approvals:decide": "Approve or reject waiting runs",
  "connectors:read": "List connectors and their operations",
  "connectors:write": "Build custom connectors",
  "workflows:read": "Read workflows and their drafts",
  "workflows:write": "Create, change, publish and delete workflows",
};

/** contract, API keys: `svc_` followed by 24 random bytes in base64url, which are 32 characters. */
export const RAW_KEY_PATTERN = /^svc_[A-Za-z0-9_-]{32}$/;
/** contract, API keys: the public prefix is `svc_` and the first four characters of the random part. */
export const KEY_PREFIX_LENGTH = 8;
export const KEY_RANDOM_BYTES = 24;
export const KEY_SALT_BYTES = 16;
