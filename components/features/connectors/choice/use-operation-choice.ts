"use client";

import { useMemo, useState } from "react";
import { BUILD_LIMITS, type CustomConnectorObject, type ValidatedConnector } from "#lib/contract/connector";
import type { ReadSource } from "@/components/features/connectors/builder-input";
import { useOfferedOperations } from "@/components/features/connectors/choice/use-offered-operations";

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
