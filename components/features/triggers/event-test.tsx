"use client";

import { Radio } from "lucide-react";
import type { EventTestObject, WebhookScheme } from "#lib/contract/trigger/trigger";
import { formatTimer } from "#lib/support/format/format-duration";
import { JsonView } from "@/components/features/json/json-view";
import { useEventTest } from "@/components/features/triggers/use-event-test";
import { WebhookAddress } from "@/components/features/triggers/webhook-address";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/words/relative-time";
import { useNow } from "@/components/words/use-now";

interface EventTestProps {
  workflowId: string;
  /** The draft's signature scheme; null without a secret. */
  scheme: WebhookScheme | null;
  /** Saves the draft, because its settings decide which events are accepted. */
  onStart: () => Promise<boolean>;
  onEvent: (output: Record<string, unknown>, receivedAt: string) => void;
}

/**
 * Waits for one delivery to the workflow's test URL and shows it. It starts no run, and the workflow need not be
 * published.
 */
export function EventTest({ workflowId, scheme, onStart, onEvent }: EventTestProps) {
  const { test, deadlineMs, isStarting, error, start, stop } = useEventTest(workflowId, onStart, onEvent);
  const isListening = deadlineMs !== null;
  return (
    <section aria-label="Test event" className="flex flex-col gap-3 border-t border-border pt-4">
      <h3 className="font-semibold">Test event</h3>
      {isListening ? (
        <Waiting test={test} scheme={scheme} deadlineMs={deadlineMs} onCancel={stop} />
      ) : (
        <>
          <p className="text-dense text-text-2">
            Send one event from the other service to the test URL. It starts no run. Its values become available to
            later steps and tests.
          </p>
          <div>
            <Button size="sm" isBusy={isStarting} onClick={start}>
              {isStarting ? null : <Radio aria-hidden className="size-3.5" />}
              {test?.output ? "Listen for another" : "Listen for a test event"}
            </Button>
          </div>
        </>
      )}
      {error === null ? null : (
        <p role="alert" className="text-dense text-err">
          {error}
        </p>
      )}
      {isListening || !test?.output ? null : <Received test={test} output={test.output} />}
    </section>
  );
}

interface WaitingProps {
  test: EventTestObject | null;
  scheme: WebhookScheme | null;
  deadlineMs: number;
  onCancel: () => void;
}

function Waiting({ test, scheme, deadlineMs, onCancel }: WaitingProps) {
  const leftMs = deadlineMs - useNow(true);
  return (
    <>
      {test === null ? null : <WebhookAddress url={test.url} scheme={scheme} />}
      <div className="flex items-center justify-between gap-3 rounded-2 bg-sunken px-3 py-2">
        <p className="flex items-center gap-2">
          <span aria-hidden className="size-2 animate-pulse rounded-full bg-run" />
          <span role="status">Waiting for an event</span>
          <span role="timer" aria-label="Time left" className="font-mono text-dense text-text-2 tabular-nums">
            {formatTimer(leftMs)}
          </span>
        </p>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      {test?.problem ? (
        <p role="alert" className="text-dense text-err [overflow-wrap:anywhere]">
          A delivery was refused: {test.problem}
        </p>
      ) : null}
    </>
  );
}

function Received({ test, output }: { test: EventTestObject; output: Record<string, unknown> }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-dense text-text-2" role="status">
        Received {test.received_at === null ? null : <RelativeTime at={test.received_at} />}. Tests use this event.
      </p>
      <JsonView value={output.body} label="body" expressionRoot="trigger.output.body" />
    </div>
  );
}
