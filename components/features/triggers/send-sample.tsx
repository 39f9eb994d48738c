"use client";

import { CircleCheck, CircleX, Send } from "lucide-react";
import { useState } from "react";
import { LIMITS } from "#lib/contract/limits";
import type { SampleAnswer } from "#lib/contract/trigger/trigger";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";
import { Link } from "@/components/ui/link";

const SAMPLE = '{\n  "hello": "world"\n}';

/** Writes an event and sends it to the webhook's address, as an outside service would. */
export function SendSample({ workflowId, isSigned }: { workflowId: string; isSigned: boolean }) {
  const [body, setBody] = useState(SAMPLE);
  const send = useOperationMutation("send_sample_event", {
    invalidates: ["list_deliveries", "get_trigger", "list_runs"],
  });
  return (
    <section aria-label="Send a sample" className="flex flex-col gap-2">
      <Field
        label="Body"
        description={`Sent to the address above${isSigned ? ", signed with the trigger's secret" : ""}. It starts a real run.`}
        error={problemIn(body)}
      >
        {(control) => (
          <Textarea
            {...control}
            isMono
            rows={4}
            spellCheck={false}
            maxLength={LIMITS.sampleEventCharacters}
            value={body}
            onChange={({ target }) => setBody(target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" isBusy={send.isPending} onClick={() => send.mutate({ workflow_id: workflowId, body })}>
          <Send aria-hidden className="size-3.5" />
          Send
        </Button>
        <div role="status" className="min-w-0 flex-1 text-dense">
          {send.data === undefined || send.isPending ? null : <Answer answer={send.data} />}
        </div>
      </div>
      {send.error === null ? null : (
        <p role="alert" className="text-dense text-err">
          {send.error.message}
        </p>
      )}
    </section>
  );
}

/** Only a hint: sending something else shows what the sender of it would get. */
function problemIn(body: string): string | null {
  try {
    if (body.trim() !== "") JSON.parse(body);
    return null;
  } catch {
    return "This isn't valid JSON, so the webhook will refuse it.";
  }
}

function Answer({ answer: { status, answer, error, run_id: runId } }: { answer: SampleAnswer }) {
  const isAccepted = runId !== null;
  const Icon = isAccepted ? CircleCheck : CircleX;
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 [overflow-wrap:anywhere]">
      <Icon aria-hidden className={`size-3.5 shrink-0 ${isAccepted ? "text-ok" : "text-err"}`} />
      <span>{status === null ? error : `Responded with ${status}.`}</span>
      {isAccepted ? (
        <Link href={`/runs/${runId}`} className="link">
          View run
        </Link>
      ) : answer === null ? null : (
        <code className="font-mono text-text-2">{answer}</code>
      )}
    </p>
  );
}
