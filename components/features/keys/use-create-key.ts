"use client";

import { createKeyInput } from "#lib/contract/key/key-inputs";
import { effectiveScopes, LIMITED_KEY_SCOPES, type Scope } from "#lib/contract/key/scopes";
import type { CreatedKey } from "#lib/contract/wire/web";
import { useOperationForm } from "@/components/api/use-operation-form";
import { type Expiry, expiresAtOf } from "@/components/features/keys/key-expiry";

interface KeyValues {
  name: string;
  scopes: readonly Scope[];
  /** Null for every action. */
  slugs: readonly string[] | null;
  expiry: Expiry;
  date: string;
}

/** Starts with the fewest rights (decisions, API keys: a new key), so that a key gets more only if a person gives them. */
const START: KeyValues = { name: "", scopes: LIMITED_KEY_SCOPES, slugs: [], expiry: "90", date: "" };

/**
 * The form of a new key.
 * @param action the slug of an action that is chosen at the start, or an empty text
 */
export function useCreateKey(action: string, onCreated: (key: CreatedKey) => void) {
  return useOperationForm("create_key", {
    schema: createKeyInput,
    start: action === "" ? START : { ...START, slugs: [action] },
    toInput: ({ name, scopes, slugs, expiry, date }) => {
      const expiresAt = expiresAtOf(expiry, date, Date.now());
      return {
        name: name.trim(),
        scopes: effectiveScopes(scopes, slugs),
        ...(slugs === null ? {} : { action_slugs: [...slugs] }),
        ...(expiresAt ? { expires_at: expiresAt } : {}),
      };
    },
    fields: { expires_at: "date", action_slugs: "slugs" },
    missing: {
      name: "Enter a name, such as the integration that will use the key.",
      scopes: "Choose at least one scope.",
      slugs: "Choose at least one action.",
    },
    check: ({ expiry, date }) =>
      expiresAtOf(expiry, date, Date.now()) === undefined ? { date: "Choose a day in the future." } : {},
    onSuccess: onCreated,
  });
}
