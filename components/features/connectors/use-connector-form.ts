"use client";

import { useEffect, useState } from "react";
import type { CustomConnectorObject, ValidatedConnector } from "#lib/contract/connector";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import {
  type ConnectorSettings,
  checkInput,
  readSource,
  settingsProblems,
  slugOf,
  type TypedSource,
} from "@/components/features/connectors/builder-input";
import { emptyOperation } from "@/components/features/connectors/hand-operations";
import { randomHex } from "@/components/ui/random-hex";

/** After the last letter; a document is large, and nobody reads faults while typing. */
const CHECK_AFTER_MS = 600;

interface Checked {
  /** Null before the first answer. */
  result: ValidatedConnector | null;
  problems: readonly string[];
  isChecking: boolean;
}

const UNCHECKED: Checked = { result: null, problems: [], isChecking: false };

/**
 * The form that makes a connector. What a document says of itself fills what nobody has typed; everything is checked as it
 * changes, by the use case that builds.
 * @param replaced the connector that gets a new version
 */
export function useConnectorForm(replaced: CustomConnectorObject | null) {
  const [typed, setTyped] = useState<TypedSource>(() => ({
    ...{ kind: "document", text: "", url: "" },
    hand: [emptyOperation(randomHex())],
  }));
  const [given, setGiven] = useState<Partial<ConnectorSettings>>({});
  const [isWanted, setWanted] = useState(false);
  const [checked, setChecked] = useState<Checked>(UNCHECKED);
  const settings = settingsOf(given, replaced, checked.result);
  const { slug, name, baseUrl, auth } = settings;
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      () => void check({ slug, name, baseUrl, auth }, typed, abort.signal, setChecked),
      CHECK_AFTER_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed, slug, name, baseUrl, auth]);
  return {
    typed,
    setTyped: (change: Partial<TypedSource>) => setTyped((before) => ({ ...before, ...change })),
    settings,
    set: (change: Partial<ConnectorSettings>) => setGiven((before) => ({ ...before, ...change })),
    ...checked,
    settingsProblems: settingsProblems(settings, isWanted),
    /** What is built; null where something is missing, which is then shown. */
    toBuild: () => {
      setWanted(true);
      const { source } = readSource(typed);
      const isReady = source !== null && Object.keys(settingsProblems(settings, true)).length === 0;
      return isReady ? { ...source, slug, name: name.trim(), base_url: baseUrl.trim(), auth } : null;
    },
  };
}

export type ConnectorFormState = ReturnType<typeof useConnectorForm>;

function settingsOf(
  given: Partial<ConnectorSettings>,
  replaced: CustomConnectorObject | null,
  result: ValidatedConnector | null,
): ConnectorSettings {
  const suggested = result?.suggested;
  const name = given.name ?? replaced?.name ?? suggested?.name ?? "";
  return {
    name,
    slug: replaced?.connector ?? given.slug ?? slugOf(name),
    baseUrl: given.baseUrl ?? replaced?.base_url ?? suggested?.base_url ?? "",
    auth: given.auth ?? replaced?.auth ?? suggested?.auth ?? "none",
  };
}

async function check(
  settings: ConnectorSettings,
  typed: TypedSource,
  signal: AbortSignal,
  tell: (next: Checked | ((before: Checked) => Checked)) => void,
): Promise<void> {
  const { source, problems } = readSource(typed);
  if (source === null) return tell({ ...UNCHECKED, problems });
  tell((before) => ({ ...before, problems: [], isChecking: true }));
  try {
    const result = await callOperation("validate_connector", checkInput(source, settings), { signal });
    tell({ result, problems: [], isChecking: false });
  } catch (error) {
    if (!signal.aborted) tell({ ...UNCHECKED, problems: problemsOf(error) });
  }
}

function problemsOf(error: unknown): string[] {
  if (!(error instanceof ClientError)) return ["It could not be checked. Try again."];
  const named = error.fieldErrors.map(({ field, message }) => `${field}: ${message}`);
  return named.length === 0 ? [error.message] : named;
}
