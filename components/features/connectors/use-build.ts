"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { BuildObject } from "#lib/contract/connector";
import type { ConnectorSource } from "#lib/contract/inputs/connector-inputs";
import { callOperation } from "@/components/api/call-operation";
import { invalidateOperations, useOperation } from "@/components/api/operation-hooks";

const POLL_MS = 400;

/** Builds a connector and follows the build until it ends. */
export function useBuild(onReady: (build: BuildObject) => void) {
  const queryClient = useQueryClient();
  const [buildId, setBuildId] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const status = useOperation(
    "get_build_status",
    { build_id: buildId ?? "" },
    { enabled: buildId !== null, refetchInterval: (build) => (hasEnded(build) ? false : POLL_MS) },
  );
  const build = buildId === null ? null : (status.data ?? null);
  const tellReady = useEffectEvent(async (ready: BuildObject) => {
    await invalidateOperations(queryClient, [
      ...(["list_custom_connectors", "get_custom_connector", "describe_custom_connector"] as const),
      ...(["list_connectors", "get_connector_operations", "get_operation_schema"] as const),
    ]);
    onReady(ready);
  });
  useEffect(() => {
    if (build?.status === "ready") void tellReady(build);
  }, [build]);
  async function start(source: ConnectorSource): Promise<void> {
    setAsking(true);
    setError(null);
    setBuildId(null);
    try {
      setBuildId((await callOperation("build_connector", source)).build_id);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error("It could not be built. Try again."));
    }
    setAsking(false);
  }
  return { build, error: error ?? status.error, isBuilding: isAsking || (buildId !== null && !hasEnded(build)), start };
}

function hasEnded(build: BuildObject | null | undefined): boolean {
  return build?.status === "ready" || build?.status === "failed";
}
