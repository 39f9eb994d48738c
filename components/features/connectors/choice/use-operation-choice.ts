"use client";

import { useEffect, useMemo, useState } from "react";
import { BUILD_LIMITS, type CustomConnectorObject, type ValidatedConnector } from "#lib/contract/connector/connector";
import type { ConnectorSource } from "#lib/contract/connector/connector-inputs";
import { callOperation } from "@/components/api/call-operation";
import type { ReadSource } from "@/components/features/connectors/builder-input";
import type { OfferedOperation } from "@/components/features/connectors/choice/operation-chooser";

type Source = ReadSource["source"];

/**
 * Chooses operations of a document that has more than a connector can have. A new version starts with the operations of
 * the former one.
 */
export function useOperationChoice(source: Source, replaced: CustomConnectorObject | null) {
  const [large, setLarge] = useState<Source>(null);
  const [picked, setPicked] = useState<{ source: Source; names: ReadonlySet<string> } | null>(null);
  const isLarge = source !== null && large === source;
  const offered = useOfferedOperations(isLarge ? source : null);
  const chosen = useMemo(() => {
    if (picked !== null && picked.source === source) return picked.names;
    const known = new Set(offered.map(({ operation }) => operation));
    return new Set(replaced?.operations.flatMap(({ operation }) => (known.has(operation) ? [operation] : [])));
  }, [picked, source, offered, replaced]);
  const operations = useMemo(() => (isLarge ? [...chosen] : []), [isLarge, chosen]);
  return {
    operations,
    choice: {
      offered,
      chosen,
      choose: (names: ReadonlySet<string>) => setPicked({ source, names }),
      /** Learns from a check how large the document is. */
      note: (result: ValidatedConnector | null) => {
        const count = result?.document?.operations ?? 0;
        if (!isLarge && source !== null && count > BUILD_LIMITS.operations) setLarge(source);
      },
    },
  };
}

/**
 * Loads every operation of a document to choose from.
 * @param source null while nothing is to be chosen
 */
function useOfferedOperations(source: Partial<ConnectorSource> | null): readonly OfferedOperation[] {
  const [offered, setOffered] = useState<readonly OfferedOperation[]>([]);
  useEffect(() => {
    if (source === null) return setOffered([]);
    const abort = new AbortController();
    void load(source, abort.signal, setOffered);
    return () => abort.abort();
  }, [source]);
  return offered;
}

async function load(
  source: Partial<ConnectorSource>,
  signal: AbortSignal,
  show: (offered: readonly OfferedOperation[]) => void,
): Promise<void> {
  try {
    const { document } = await callOperation("validate_connector", { ...source, list_operations: true }, { signal });
    show(document?.list ?? []);
  } catch {
    // The check of the same source reports why it cannot be read.
    if (!signal.aborted) show([]);
  }
}
