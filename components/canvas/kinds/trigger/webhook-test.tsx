"use client";

import { WEBHOOK_SCHEMES } from "#lib/contract/trigger";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { EVENT_FIELD } from "@/components/canvas/samples/test-input";
import { useDraft, useDraftSession, useEditor } from "@/components/canvas/store/draft-context";
import { EventTest } from "@/components/features/triggers/event-test";

/**
 * Listens for an event of the draft's webhook. The received event becomes the test input and fills the field samples.
 */
export function WebhookTest() {
  const { node } = usePanel();
  const session = useDraftSession();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  if (isReadOnly) return null;
  const { secret, scheme } = node.data;
  const isSigned = typeof secret === "string" && secret !== "";
  function take(output: Record<string, unknown>, receivedAt: string) {
    const { keepSample, setTexts } = session.tests.getState();
    keepSample(node.id, { output: { output }, receivedAt });
    setTexts({ [EVENT_FIELD.webhook]: JSON.stringify(output.body, null, 2) }, null);
  }
  return (
    <EventTest
      workflowId={workflowId}
      scheme={isSigned ? (WEBHOOK_SCHEMES.find((known) => known === scheme) ?? "auto") : null}
      onStart={() => session.saveNow()}
      onEvent={take}
    />
  );
}
