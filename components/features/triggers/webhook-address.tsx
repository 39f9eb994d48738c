"use client";

import { useState } from "react";
import type { WebhookScheme } from "#lib/contract/trigger/trigger";
import { SendSample } from "@/components/features/triggers/send-sample";
import { signingSnippets } from "@/components/features/triggers/signing-snippets";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";

interface WebhookAddressProps {
  scheme: WebhookScheme | null;
  url: string;
  /** The workflow whose webhook takes a sample event now; left out for the address of a test, and while it is paused. */
  sampleFor?: string | undefined;
}

/** Shows the webhook's URL and how to call it, and calls it. */
export function WebhookAddress({ scheme, url, sampleFor }: WebhookAddressProps) {
  const [isShown, setShown] = useState(false);
  const [isSending, setSending] = useState(false);
  const isEditor = useHasRole("editor");
  const workflowId = isEditor ? sampleFor : undefined;
  const snippets = signingSnippets(url, scheme);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2 rounded-2 border border-border bg-sunken py-1 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">{url}</code>
        <CopyButton value={url} label="Copy URL" />
      </div>
      <div className="flex flex-wrap gap-2">
        {workflowId === undefined ? null : (
          <Button size="sm" aria-expanded={isSending} onClick={() => setSending(!isSending)}>
            {isSending ? "Hide the sample" : "Send a sample"}
          </Button>
        )}
        {snippets.length === 0 ? null : (
          <Button size="sm" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? "Hide sample request" : "Show sample request"}
          </Button>
        )}
      </div>
      {workflowId !== undefined && isSending ? <SendSample workflowId={workflowId} isSigned={scheme !== null} /> : null}
      {isShown && snippets.length > 0 ? (
        <>
          <CodeBlock label="Sample request" snippets={snippets} />
          {scheme === null ? null : (
            <p className="text-dense text-text-3">
              Store the secret in <code className="font-mono">WEBHOOK_SECRET</code> first.
            </p>
          )}
        </>
      ) : null}
    </div>
  );
}
