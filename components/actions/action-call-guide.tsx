"use client";

import Link from "next/link";
import type { ActionDetailObject } from "#lib/contract/action";
import { exampleInput } from "@/components/actions/example-input";
import {
  curlPoll,
  curlRun,
  mcpCallSnippets,
  mcpClientSnippets,
  pythonRun,
  typescriptRun,
} from "@/components/actions/snippets";
import { useSession } from "@/components/shell/session-context";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";

export function ActionCallGuide({ action }: { action: ActionDetailObject }) {
  const { base_url: baseUrl } = useSession();
  const subject = { baseUrl, slug: action.slug, input: exampleInput(action) };
  return (
    <div className="flex max-w-2xl flex-col gap-8">
      <Section
        title="Your key"
        description={
          <>
            The snippets read an{" "}
            <Link href="/keys" className="link">
              API key
            </Link>{" "}
            with the scopes <code className="font-mono text-dense">actions:run</code> and{" "}
            <code className="font-mono text-dense">runs:read</code> from the environment. Bearer is the only way in.
          </>
        }
      >
        <CodeBlock label="Setting the key" snippets={[{ label: "Shell", code: "export SVC_API_KEY=svc_…" }]} />
      </Section>
      <Section title="Call it" description="The answer comes at once, with status 202 and a run that is still to do.">
        <CodeBlock
          label="Starting a run"
          snippets={[
            { label: "curl", code: curlRun(subject) },
            { label: "TypeScript", code: typescriptRun(subject, action.inputSchema, action.outputSchema) },
            { label: "Python", code: pythonRun(subject) },
          ]}
        />
        <CodeBlock label="The answer to a call" snippets={[{ label: "202 Accepted", code: acceptedBody(action) }]} />
      </Section>
      <Section
        title="Get the result"
        description="Ask until status is succeeded, failed, cancelled or timed_out. With Prefer: wait=25 the server holds the answer for up to 25 seconds."
      >
        <CodeBlock label="Reading a run" snippets={[{ label: "curl", code: curlPoll(baseUrl) }]} />
      </Section>
      <Section
        title="From an agent, over MCP"
        description="Add the server once, and the agent finds every published action."
      >
        <CodeBlock label="Adding the MCP server" snippets={mcpClientSnippets(baseUrl)} />
        <CodeBlock label="The tool calls" snippets={mcpCallSnippets(subject)} />
      </Section>
      <Section title="When it is refused" description="Every refusal is { error, code, details? }.">
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

const REFUSALS: readonly { status: number; code: string; text: string }[] = [
  {
    status: 400,
    code: "INPUT_VALIDATION_FAILED",
    text: "The input does not fit the schema. details names every field.",
  },
  { status: 401, code: "UNAUTHORIZED", text: "The key is missing, wrong, revoked or expired." },
  { status: 403, code: "FORBIDDEN", text: "The key lacks a scope. details.required_scope says which." },
  { status: 404, code: "ACTION_NOT_FOUND", text: "No published action has this slug." },
  { status: 409, code: "ACTION_UNAVAILABLE", text: "The action is paused or archived." },
  {
    status: 429,
    code: "RATE_LIMIT_EXCEEDED",
    text: "Too many requests of this key, or too many runs this hour. Wait for the seconds in retry-after.",
  },
];

function RefusalList() {
  return (
    <ul className="divide-y divide-border rounded-3 border border-border">
      {REFUSALS.map(({ status, code, text }) => (
        <li key={code} className="grid gap-x-6 px-3 py-2 sm:grid-cols-[228px_minmax(0,1fr)]">
          <code className="font-mono text-dense">
            {status} {code}
          </code>
          <span className="text-text-2">{text}</span>
        </li>
      ))}
    </ul>
  );
}
