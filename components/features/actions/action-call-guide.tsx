"use client";

import type { ActionDetailObject } from "#lib/contract/action/action";
import { API_ERROR_STATUS } from "#lib/contract/error/api-error";
import { API_ERROR_MEANINGS, type RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import { TERMINAL_RUN_STATUSES } from "#lib/contract/run/run";
import { joinWords } from "#lib/support/join-words";
import { exampleInput } from "@/components/features/actions/example-input";
import { mcpCallSnippets, mcpClientSnippets } from "@/components/features/actions/mcp-snippets";
import {
  clientRun,
  curlClient,
  curlPoll,
  curlRun,
  pythonRun,
  typescriptRun,
} from "@/components/features/actions/snippets";
import { useSession } from "@/components/shell/session-context";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/lists/section";

export function ActionCallGuide({ action }: { action: ActionDetailObject }) {
  const { base_url: baseUrl } = useSession();
  const subject = { baseUrl, slug: action.slug, input: exampleInput(action) };
  return (
    <div className="flex max-w-2xl flex-col gap-8">
      <Section
        title="Your key"
        description={
          <>
            The snippets read an API key with the scopes <code className="font-mono text-dense">actions:run</code> and{" "}
            <code className="font-mono text-dense">runs:read</code> from the environment. Bearer tokens are the only
            authentication method.{" "}
            <Link href={`/keys?new=true&action=${action.slug}`} className="link">
              Create a key for this action
            </Link>
          </>
        }
      >
        <CodeBlock label="Set the key" snippets={[{ label: "Shell", code: "export SVC_API_KEY=svc_…" }]} />
      </Section>
      <Section title="Call it" description="The response arrives immediately, with status 202 and the new run.">
        <CodeBlock
          label="Start a run"
          snippets={[
            { label: "curl", code: curlRun(subject) },
            { label: "TypeScript", code: typescriptRun(subject, action.inputSchema, action.outputSchema) },
            { label: "Python", code: pythonRun(subject) },
          ]}
        />
        <CodeBlock
          label="With the client"
          snippets={[
            { label: "TypeScript client", code: clientRun(subject) },
            { label: "Download it", code: curlClient(baseUrl) },
          ]}
        />
        <CodeBlock label="Response to a call" snippets={[{ label: "202 Accepted", code: acceptedBody(action) }]} />
      </Section>
      <Section
        title="Get the result"
        description={`Poll until status is ${joinWords(TERMINAL_RUN_STATUSES, "or")}. With Prefer: wait=25 the server waits up to 25 seconds before it responds.`}
      >
        <CodeBlock label="Get a run" snippets={[{ label: "curl", code: curlPoll(baseUrl) }]} />
      </Section>
      <Section
        title="From an agent, over MCP"
        description="Add the server once, and the agent finds every published action."
      >
        <CodeBlock label="Add the MCP server" snippets={mcpClientSnippets(baseUrl)} />
        <CodeBlock label="Tool calls" snippets={mcpCallSnippets(subject)} />
      </Section>
      <Section
        title="Errors"
        description={
          <>
            Every error has the shape {"{ error, code, reason, details? }"}. The{" "}
            <Link href="/docs/api#errors" className="link">
              API reference
            </Link>{" "}
            lists all of them.
          </>
        }
      >
        <RefusalList />
      </Section>
    </div>
  );
}

function acceptedBody(action: ActionDetailObject): string {
  const body = {
    run_id: "0199b7c2-…",
    action_slug: action.slug,
    action_release_version: action.release_version,
    status: action.approval_policy === "always" ? "waiting_for_approval" : "accepted",
    output: null,
    error: null,
    steps: [],
  };
  return JSON.stringify(body, null, 2);
}

const REFUSALS: readonly RuntimeErrorCode[] = [
  "INPUT_VALIDATION_FAILED",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "ACTION_NOT_FOUND",
  "ACTION_UNAVAILABLE",
  "RATE_LIMIT_EXCEEDED",
];

function RefusalList() {
  return (
    <ul className="divide-y divide-border rounded-3 border border-border">
      {REFUSALS.map((code) => (
        <li key={code} className="grid gap-x-6 px-3 py-2 sm:grid-cols-[228px_minmax(0,1fr)]">
          <code className="font-mono text-dense">
            {API_ERROR_STATUS[code]} {code}
          </code>
          <span className="text-text-2">{API_ERROR_MEANINGS[code].when}</span>
        </li>
      ))}
    </ul>
  );
}
