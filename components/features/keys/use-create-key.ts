"use client";

import { type FormEvent, useState } from "react";
import { DEFAULT_SCOPES, type Scope } from "#lib/contract/scopes";
import type { CreatedKey } from "#lib/contract/web/web";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { type Expiry, expiresAtOf } from "@/components/features/keys/key-expiry";

interface Problems {
  name?: string;
  scopes?: string;
  date?: string;
  general?: string;
}

/** The form of a new key. The answer holds the raw key, so it goes past the query cache straight to `onCreated`. */
export function useCreateKey(onCreated: (key: CreatedKey) => void) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(DEFAULT_SCOPES);
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [date, setDate] = useState("");
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const expiresAt = expiresAtOf(expiry, date, Date.now());
    const found: Problems = {
      ...(name.trim() === "" ? { name: "Name the key after the integration that will use it." } : {}),
      ...(scopes.length === 0 ? { scopes: "Choose at least one." } : {}),
      ...(expiresAt === undefined ? { date: "Choose a day in the future." } : {}),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    setIsBusy(true);
    try {
      const input = { name: name.trim(), scopes: [...scopes], ...(expiresAt ? { expires_at: expiresAt } : {}) };
      onCreated(await callOperation("create_key", input));
    } catch (error) {
      setIsBusy(false);
      setProblems({
        general: error instanceof ClientError ? error.message : "The key could not be created. Try again.",
      });
    }
  }

  return { submit, name, setName, scopes, setScopes, expiry, setExpiry, date, setDate, problems, isBusy };
}
