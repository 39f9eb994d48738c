"use client";

import { CircleCheck } from "lucide-react";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import type { DeployResult } from "#lib/contract/workflow/workflow";
import { formatDateTime } from "#lib/support/format/format-moment";
import { useOperation } from "@/components/api/operation-hooks";
import { exampleInput } from "@/components/features/actions/example-input";
import { curlPoll, curlRun } from "@/components/features/actions/snippets";
import { TriggerAddress } from "@/components/features/triggers/trigger-address";
import { useSession } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";

export function describeSuccess({ action }: DeployResult): string {
  if (action === null) return "The trigger uses this version.";
  if (action.status !== "active") {
    return `${action.slug} is published and ${action.status}: calls get 409 until it's active again.`;
  }
  return action.approval_policy === "always"
    ? `${action.slug} is ready to call. Each run waits for approval.`
    : `${action.slug} is ready to call.`;
}

export function SuccessTitle({ version }: { version: number }) {
  return (
    <span className="flex items-center gap-2">
      <CircleCheck aria-hidden className="size-4 text-ok" />
      Version {version} is live
    </span>
  );
}

interface SuccessFooterProps {
  result: DeployResult;
  /** Publishes the previous version again. */
  onUndo: () => void;
  onClose: () => void;
}

export function SuccessFooter({ result, onUndo, onClose }: SuccessFooterProps) {
  return (
    <>
      {result.version === 1 ? null : (
        <span className="mr-auto">
          <Button variant="ghost" onClick={onUndo}>
            Undo: publish version {result.version - 1} again…
          </Button>
        </span>
      )}
      {result.action === null ? (
        <Button asChild>
          <Link href={`/runs?workflow=${result.workflow_id}`}>View runs</Link>
        </Button>
      ) : (
        <>
          <Button asChild>
            <Link href={`/runs?action=${result.action.slug}`}>View runs</Link>
          </Button>
          <Button asChild>
            <Link href={`/actions/${result.action.slug}`}>View action</Link>
          </Button>
        </>
      )}
      <Button variant="primary" onClick={onClose}>
        Back to the canvas
      </Button>
    </>
  );
}

/** Shows the URL of a webhook or a form, or the next time of a schedule. */
function ActivatedTrigger({ workflowId }: { workflowId: string }) {
  const trigger = useOperation("get_trigger", { workflow_id: workflowId }).data?.trigger;
  return (
    <div className="flex flex-col gap-3">
      {trigger ? <TriggerAddress trigger={trigger} workflowId={workflowId} /> : null}
      {trigger?.next_at ? <p>Next run: {formatDateTime(trigger.next_at)}.</p> : null}
      {trigger?.status === "paused" ? <p>The trigger is paused. It starts no runs until you resume it.</p> : null}
    </div>
  );
}

/** Shows how to call the action right now. */
export function SuccessBody({ result, inputSchema }: { result: DeployResult; inputSchema: InputSchema }) {
  if (result.action === null) return <ActivatedTrigger workflowId={result.workflow_id} />;
  return <CallIt slug={result.action.slug} inputSchema={inputSchema} />;
}

function CallIt({ slug, inputSchema }: { slug: string; inputSchema: InputSchema }) {
  const { base_url: baseUrl } = useSession();
  const input = exampleInput({ examples: [], inputSchema });
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock
        label="Call the action"
        snippets={[
          { label: "Start a run", code: curlRun({ baseUrl, slug, input }) },
          { label: "Get its result", code: curlPoll(baseUrl) },
        ]}
      />
      <p className="text-text-2">
        Store an API key in <code className="font-mono text-dense">SVC_API_KEY</code> first.{" "}
        <Link href={`/keys?new=true&action=${slug}`} className="link">
          Create an API key
        </Link>
      </p>
    </div>
  );
}
