"use client";

import { clsx } from "clsx";
import { useId } from "react";
import { LIMITED_KEY_SCOPES, SCOPE_EFFECTS, type Scope } from "#lib/contract/key/scopes";
import { KEY_PRESETS, presetOf, SCOPE_GROUPS } from "@/components/features/keys/key-presets";
import { Checkbox } from "@/components/ui/forms/checkbox";

interface ScopeChoiceProps {
  /** True for a key that is limited to some actions: it can hold only the scopes that stay within them. */
  isLimited: boolean;
  scopes: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
  /** Takes the scopes of a preset. Those of a limited key are not enough for every preset. */
  onPreset: (scopes: readonly Scope[]) => void;
  error: string | undefined;
}

/** Offers presets for the usual keys, and below them each scope with what it allows. */
export function ScopeChoice({ isLimited, scopes, onChange, onPreset, error }: ScopeChoiceProps) {
  const errorId = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="mb-1 font-medium">What this key can do</legend>
      <Presets scopes={scopes} onPreset={onPreset} />
      {SCOPE_GROUPS.map((group) => (
        <div key={group.label} className="flex flex-col gap-2">
          <p className="text-dense text-text-3">{group.label}</p>
          {group.scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={<code className="font-mono text-dense">{scope}</code>}
              description={SCOPE_EFFECTS[scope]}
              isChecked={scopes.includes(scope)}
              disabled={isLimited && !LIMITED_KEY_SCOPES.includes(scope)}
              onChange={(isChecked) =>
                onChange(isChecked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
              }
            />
          ))}
        </div>
      ))}
      {error === undefined ? null : (
        <p id={errorId} className="text-dense text-err">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Presets({ scopes, onPreset }: Pick<ScopeChoiceProps, "scopes" | "onPreset">) {
  const chosen = presetOf(scopes);
  return (
    <div className="grid grid-cols-1 gap-2 sm:grid-cols-3">
      {KEY_PRESETS.map((preset) => (
        <button
          key={preset.id}
          type="button"
          aria-pressed={preset === chosen}
          onClick={() => onPreset(preset.scopes)}
          className={clsx(
            "flex flex-col rounded-2 border px-2.5 py-2 text-left",
            preset === chosen ? "border-accent bg-accent-weak" : "border-border-strong hover:border-text-2",
          )}
        >
          <span className="font-medium">{preset.label}</span>
          <span className="text-dense text-text-2">{preset.about}</span>
        </button>
      ))}
    </div>
  );
}
