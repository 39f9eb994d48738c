"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { BuildObject } from "#lib/contract/connector/connector";
import { invalidateOperations, useOperation } from "@/components/api/operation-hooks";

const POLL_MS = 400;

/** Polls a connector build until it ends. */
export function useBuild(onReady: (build: BuildObject) => void) {
  const queryClient = useQueryClient();
  const [buildId, setBuildId] = useState<string | null>(null);
  const status = useOperation(
    "get_build_status",
    { build_id: buildId ?? "" },
    { enabled: buildId !== null, refetchInterval: (build) => (hasEnded(build) ? false : POLL_MS) },
  );
  const build = buildId === null ? null : (status.data ?? null);
  const tellReady = useEffectEvent(async (ready: BuildObject) => {
    await invalidateOperations(queryClient, [
      ...(["list_custom_connectors", "get_custom_connector", "describe_custom_connector"] as const),
      ...(["list_connectors", "list_step_catalog", "get_connector_operations", "get_operation_schema"] as const),
    ]);
    onReady(ready);
  });
  useEffect(() => {
    if (build?.status === "ready") void tellReady(build);
  }, [build]);
  return {
    build,
    error: status.error,
    isBuilding: buildId !== null && !hasEnded(build),
    /** Null hides the build. */
    follow: setBuildId,
  };
}

function hasEnded(build: BuildObject | null | undefined): boolean {
  return build?.status === "ready" || build?.status === "failed";
}
