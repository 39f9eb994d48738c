import { DEFAULT_SCOPES, SCOPES, type Scope } from "#lib/contract/scopes";
import { formatCount } from "#lib/support/format/format-number";

export interface KeyPreset {
  id: string;
  label: string;
  /** Who the key is for. */
  about: string;
  scopes: readonly Scope[];
}

export const KEY_PRESETS: readonly KeyPreset[] = [
  {
    id: "agent",
    label: "Agent",
    about: "Calls actions and reads its runs",
    scopes: ["actions:read", "actions:run", "runs:read"],
  },
  { id: "builder", label: "Builder", about: "Also draws and publishes workflows", scopes: DEFAULT_SCOPES },
  {
    id: "approver",
    label: "Approver",
    about: "Decides runs that wait for approval",
    scopes: ["runs:read", "approvals:decide"],
  },
];

/** The preset whose scopes these are; null is a choice of one's own. */
export function presetOf(scopes: readonly Scope[]): KeyPreset | null {
  return (
    KEY_PRESETS.find(
      (preset) => preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope)),
    ) ?? null
  );
}

/** Scopes by what they are about, in the contract's order. */
export const SCOPE_GROUPS: readonly { label: string; scopes: readonly Scope[] }[] = [
  { label: "Actions and runs", scopes: scopesOf("actions", "runs", "approvals") },
  { label: "Connectors", scopes: scopesOf("connectors") },
  { label: "Workflows", scopes: scopesOf("workflows") },
];

function scopesOf(...nouns: string[]): readonly Scope[] {
  return SCOPES.filter((scope) => nouns.includes(scope.split(":")[0] ?? ""));
}

/** "Agent", or how many scopes. */
export function scopesSummary(scopes: readonly Scope[]): string {
  const preset = presetOf(scopes);
  if (preset !== null) return preset.label;
  return scopes.length === 1 ? (scopes[0] ?? "") : formatCount(scopes.length, "scope");
}
