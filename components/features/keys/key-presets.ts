import {
  DEFAULT_SCOPES,
  LIMITED_KEY_SCOPES,
  OFFERED_SCOPES,
  type OfferedScope,
  type Scope,
} from "#lib/contract/key/scopes";
import { formatCount } from "#lib/support/format/format-number";

export interface KeyPreset {
  id: string;
  label: string;
  /** What the key is used for. */
  about: string;
  scopes: readonly Scope[];
}

export const KEY_PRESETS: readonly KeyPreset[] = [
  {
    id: "agent",
    label: "Agent",
    about: "Calls actions and reads their runs",
    scopes: LIMITED_KEY_SCOPES,
  },
  { id: "builder", label: "Builder", about: "Also edits and publishes workflows", scopes: DEFAULT_SCOPES },
  {
    id: "approver",
    label: "Approver",
    about: "Approves or rejects waiting runs",
    scopes: ["runs:read", "approvals:decide"],
  },
];

/** Returns the preset with exactly these scopes, or null for a custom choice. */
export function presetOf(scopes: readonly Scope[]): KeyPreset | null {
  return (
    KEY_PRESETS.find(
      (preset) => preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope)),
    ) ?? null
  );
}

/** The offered scopes, grouped by topic, in the contract's order. */
export const SCOPE_GROUPS: readonly { label: string; scopes: readonly OfferedScope[] }[] = [
  { label: "Actions and runs", scopes: scopesOf("actions", "runs", "approvals") },
  { label: "Connectors", scopes: scopesOf("connectors") },
  { label: "Workflows", scopes: scopesOf("workflows") },
];

function scopesOf(...nouns: string[]): readonly OfferedScope[] {
  return OFFERED_SCOPES.filter((scope) => nouns.includes(scope.split(":")[0] ?? ""));
}

/** Returns the preset's name, such as "Agent", or the number of scopes. */
export function scopesSummary(scopes: readonly Scope[]): string {
  const preset = presetOf(scopes);
  if (preset !== null) return preset.label;
  return scopes.length === 1 ? (scopes[0] ?? "") : formatCount(scopes.length, "scope");
}
