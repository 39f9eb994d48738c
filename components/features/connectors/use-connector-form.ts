"use client";

import { useEffect, useMemo, useState } from "react";
import type { CustomConnectorObject, ValidatedConnector } from "#lib/contract/connector/connector";
import { buildConnectorInput } from "#lib/contract/connector/connector-inputs";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { useOperationForm } from "@/components/api/use-operation-form";
import {
  type ConnectorSettings,
  checkInput,
  type ReadSource,
  readSource,
  type SourceKind,
  slugOf,
  type TypedSource,
  withSelection,
} from "@/components/features/connectors/builder-input";
import { useOperationChoice } from "@/components/features/connectors/choice/use-operation-choice";
import { emptyOperation } from "@/components/features/connectors/hand-operations";
import { randomHex } from "@/components/ui/random-hex";

/** Delay after the last keystroke; a document is large, and no one reads errors while typing. */
const CHECK_AFTER_MS = 600;

interface Checked {
  /** Null before the first check. */
  result: ValidatedConnector | null;
  problems: readonly string[];
  isChecking: boolean;
}

const UNCHECKED: Checked = { result: null, problems: [], isChecking: false };

/** The form field that shows the errors of each source, and the message if the source is missing. */
const SOURCE_FIELDS = { document: "text", address: "url", hand: "hand" } as const;
const MISSING_SOURCE: Record<SourceKind, string> = {
  document: "Paste or upload a document.",
  address: "Enter the URL of a document.",
  hand: "Name at least one operation.",
};
const REQUIRED = "This is required.";

/**
 * The form that builds a connector. The document fills settings that the user has not typed. Every change is checked by
 * the same use case that builds.
 * @param replaced the connector that gets a new version
 * @param onBuild called with the ID of the build, or null if it was refused
 */
export function useConnectorForm(replaced: CustomConnectorObject | null, onBuild: (buildId: string | null) => void) {
  const [typed, setTyped] = useState<TypedSource>(() => ({
    kind: "document",
    text: "",
    file: null,
    url: "",
    hand: [emptyOperation(randomHex())],
  }));
  const [given, setGiven] = useState<Partial<ConnectorSettings>>({});
  const document = useMemo(() => readSource(typed), [typed]);
  const { choice, operations } = useOperationChoice(document.source, replaced);
  const read = useMemo(() => withSelection(document, operations), [document, operations]);
  const checked = useCheck(read, given, replaced);
  choice.note(checked.result);
  const { slug, name, baseUrl, auth } = checked.settings;
  const values = useMemo(
    () => ({
      slug,
      name,
      base_url: baseUrl,
      auth,
      text: typed.text,
      url: typed.url,
      hand: typed.hand.filter((operation) => operation.name.trim() !== ""),
    }),
    [typed, slug, name, baseUrl, auth],
  );
  const form = useOperationForm("build_connector", {
    schema: buildConnectorInput,
    start: values,
    values,
    toInput: (settings) => ({
      ...read.source,
      slug: settings.slug,
      name: settings.name.trim(),
      base_url: settings.base_url.trim(),
      auth: settings.auth,
    }),
    fields: { openapi: "text", openapi_url: "url", operations: "hand" },
    missing: { slug: REQUIRED, name: REQUIRED, base_url: REQUIRED },
    check: () =>
      read.source === null ? { [SOURCE_FIELDS[typed.kind]]: read.problems[0] ?? MISSING_SOURCE[typed.kind] } : {},
    onSuccess: ({ build_id: buildId }) => onBuild(buildId),
    onFailure: () => onBuild(null),
  });
  return {
    ...checked,
    form,
    choice,
    typed,
    isSourceEmpty: document.source === null && document.problems.length === 0,
    setTyped: (change: Partial<TypedSource>) => setTyped((before) => ({ ...before, ...change })),
    set: (change: Partial<ConnectorSettings>) => setGiven((before) => ({ ...before, ...change })),
  };
}

/** Checks the source and the settings once the user has stopped typing for a moment. */
function useCheck(
  read: ReadSource,
  given: Partial<ConnectorSettings>,
  replaced: CustomConnectorObject | null,
): Checked & { settings: ConnectorSettings } {
  const [checked, setChecked] = useState<Checked>(UNCHECKED);
  const settings = settingsOf(given, replaced, checked.result);
  const { slug, name, baseUrl, auth } = settings;
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      () => void check({ slug, name, baseUrl, auth }, read, abort.signal, setChecked),
      CHECK_AFTER_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [read, slug, name, baseUrl, auth]);
  return { ...checked, settings };
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
  { source, problems }: ReadSource,
  signal: AbortSignal,
  tell: (next: Checked | ((before: Checked) => Checked)) => void,
): Promise<void> {
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
  if (!(error instanceof ClientError)) return ["Couldn't check the connector. Try again."];
  const named = error.fieldErrors.map(({ field, message }) => `${field}: ${message}`);
  return named.length === 0 ? [error.message] : named;
}
