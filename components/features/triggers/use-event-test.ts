"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { EventTestObject } from "#lib/contract/trigger";
import { callOperation } from "@/components/api/call-operation";
import { operationKey, useOperation } from "@/components/api/operation-hooks";

const POLL_MS = 1_000;

/**
 * Listens for a test event while the panel is open, and looks every second until it came or time is up.
 * @param onStart what must be done first; false stops it
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
    // Somebody listens already: the page was opened anew meanwhile. An event that was there then was told before.
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
      if (!(await onStart())) throw new Error("The draft could not be saved, so nothing listens.");
      const begun = await callOperation("start_event_test", input);
      told.current = WAITING;
      show(begun);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : "That did not work. Try again.");
    }
    setStarting(false);
  }
  async function stop() {
    told.current = null;
    try {
      show((await callOperation("stop_event_test", input)).test);
    } catch {
      setError("It could not be cancelled. It ends by itself.");
    }
  }
  const deadlineMs = test?.remaining_ms == null ? null : query.dataUpdatedAt + test.remaining_ms;
  return { test, deadlineMs, isStarting, error, start: () => void start(), stop: () => void stop() };
}

/** Stands where the moment of the last event does, until one came. */
const WAITING = "waiting";
