"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { EventTestObject } from "#lib/contract/trigger/trigger";
import { callOperation } from "@/components/api/call-operation";
import { operationKey, useOperation } from "@/components/api/operation-hooks";

const POLL_MS = 1_000;

/**
 * Listens for a test event while the panel is open, and polls every second until it arrives or time runs out.
 * @param onStart runs first; false cancels listening
 */
export function useEventTest(
  workflowId: string,
  onStart: () => Promise<boolean>,
  onEvent: (output: Record<string, unknown>, receivedAt: string) => void,
) {
  const queryClient = useQueryClient();
  const input = { workflow_id: workflowId };
  const query = useOperation("get_event_test", input, {
    refetchInterval: (answer) => (answer?.test?.remaining_ms == null ? false : POLL_MS),
  });
  const test = query.data?.test ?? null;
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const told = useRef<string | null>(null);
  const tell = useEffectEvent((next: EventTestObject | null) => {
    const { received_at: at = null, output = null, remaining_ms: left = null } = next ?? {};
    // The draft is already listened for: the page was reloaded meanwhile. An event that had already arrived was
    // reported before.
    if (left !== null) told.current = WAITING;
    if (told.current === WAITING && at !== null && output !== null) {
      told.current = at;
      onEvent(output, at);
    }
  });
  useEffect(() => tell(test), [test]);
  const show = (next: EventTestObject | null) =>
    queryClient.setQueryData(operationKey("get_event_test", input), { test: next });
  async function start() {
    setStarting(true);
    setError(null);
    try {
      if (!(await onStart())) throw new Error("The draft couldn't be saved, so no event can be received.");
      const begun = await callOperation("start_event_test", input);
      told.current = WAITING;
      show(begun);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : "Couldn't start listening. Try again.");
    }
    setStarting(false);
  }
  async function stop() {
    told.current = null;
    try {
      show((await callOperation("stop_event_test", input)).test);
    } catch {
      setError("Couldn't stop listening. It stops on its own when time runs out.");
    }
  }
  const deadlineMs = test?.remaining_ms == null ? null : query.dataUpdatedAt + test.remaining_ms;
  return { test, deadlineMs, isStarting, error, start: () => void start(), stop: () => void stop() };
}

/** Stands in for the time of the last event until one arrives. */
const WAITING = "waiting";
