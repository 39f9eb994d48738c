"use client";

import { type TriggerKind, WEBHOOK_SCHEMES, type WebhookScheme } from "#lib/contract/trigger/trigger";
import { editNodeData } from "@/components/canvas/document/edit-data";
import { EventForm } from "@/components/canvas/kinds/trigger/event-form";
import { FailureForm } from "@/components/canvas/kinds/trigger/failure-form";
import { FormSettings } from "@/components/canvas/kinds/trigger/form-settings";
import { ScheduleForm } from "@/components/canvas/kinds/trigger/schedule-form";
import { asTriggerKind, TRIGGER_CHOICES } from "@/components/canvas/kinds/trigger/trigger-choices";
import { WebhookForm } from "@/components/canvas/kinds/trigger/webhook-form";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { ChoiceField } from "@/components/canvas/panel/fields/plain-field";
import { EVENT_FIELD } from "@/components/canvas/samples/test-input";
import { useDraft, useDraftSession, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { EventTest } from "@/components/features/triggers/event-test";
import { LiveTrigger } from "@/components/features/triggers/live-trigger";
import { WebhookAddress } from "@/components/features/triggers/webhook-address";

/** The hint for each kind before the first activation. */
const BEFORE: Record<string, string> = {
  webhook: "The URL starts runs once you activate the workflow. Until then, it takes test events while you listen.",
  form: "Activating the workflow creates the form's URL. The URL stays the same afterward.",
  schedule: "The schedule starts when you activate the workflow.",
  connector: "Signalbox starts receiving events when you activate the workflow. Earlier events don't start runs.",
  failure: "Failed runs start the workflow once you activate it. Tests, and failures of this workflow, never do.",
};

/** Edits the trigger that starts the workflow, and shows its state once it is activated. */
export function TriggerForm() {
  const { node } = usePanel();
  const editor = useEditorStore();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const isActivated = useDraft((draft) => draft.facts.trigger !== null);
  const { kind } = node.data;
  function choose(next: string) {
    if (next === kind) return;
    const { definition, edit } = editor.getState();
    edit(editNodeData(definition, node.id, [], asTriggerKind(next as TriggerKind, node.data.name)));
  }
  return (
    <>
      <ChoiceField path={["kind"]} label="Starts on" options={TRIGGER_CHOICES} fallback="webhook" onChoose={choose} />
      {kind === "webhook" ? <WebhookForm /> : null}
      {kind === "schedule" ? <ScheduleForm /> : null}
      {kind === "form" ? <FormSettings /> : null}
      {kind === "connector" ? <EventForm /> : null}
      {kind === "failure" ? <FailureForm /> : null}
      {kind === "webhook" ? <WebhookTest /> : null}
      {isActivated ? (
        <LiveTrigger workflowId={workflowId} />
      ) : (
        <>
          {kind === "webhook" ? <DraftAddress /> : null}
          <p className="rounded-2 bg-sunken px-3 py-2 text-dense text-text-2">
            {BEFORE[String(kind)] ?? BEFORE.schedule}
          </p>
        </>
      )}
    </>
  );
}

/** Shows the URL that the webhook will have, so that people can enter it at the sender. The saved draft has it. */
function DraftAddress() {
  const url = useDraft((draft) => draft.facts.webhook_url);
  const scheme = useDraftScheme();
  if (url === undefined) return null;
  return (
    <section aria-label="URL" className="flex flex-col gap-2 border-t border-border pt-4">
      <h3 className="font-semibold">URL</h3>
      <WebhookAddress url={url} scheme={scheme} />
    </section>
  );
}

/** Returns how the sender signs deliveries; null without a secret. */
function useDraftScheme(): WebhookScheme | null {
  const { secret, scheme } = usePanel().node.data;
  const isSigned = typeof secret === "string" && secret !== "";
  return isSigned ? (WEBHOOK_SCHEMES.find((known) => known === scheme) ?? "auto") : null;
}

/**
 * Listens for an event of the draft's webhook. The received event becomes the test input and fills the field samples.
 */
function WebhookTest() {
  const { node } = usePanel();
  const session = useDraftSession();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const scheme = useDraftScheme();
  if (isReadOnly) return null;
  function take(output: Record<string, unknown>, receivedAt: string) {
    const { keepSample, setTexts } = session.tests.getState();
    keepSample(node.id, { output: { output }, receivedAt });
    setTexts({ [EVENT_FIELD.webhook]: JSON.stringify(output.body, null, 2) }, null);
  }
  return <EventTest workflowId={workflowId} scheme={scheme} onStart={() => session.saveNow()} onEvent={take} />;
}
