"use client";

import { useEffect, useState } from "react";
import type { ConnectorSource } from "#lib/contract/inputs/connector-inputs";
import { callOperation } from "@/components/api/call-operation";
import type { OfferedOperation } from "@/components/features/connectors/choice/operation-chooser";

/**
 * Loads every operation of a document to choose from.
 * @param source null while nothing is to be chosen
 */
export function useOfferedOperations(source: Partial<ConnectorSource> | null): readonly OfferedOperation[] {
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
