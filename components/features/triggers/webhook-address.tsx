"use client";

import { useState } from "react";
import type { WebhookScheme } from "#lib/contract/trigger";
import { signingSnippets } from "@/components/features/triggers/signing-snippets";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";

/** Shows the webhook's URL and how to call it. */
export function WebhookAddress({ scheme, url }: { scheme: WebhookScheme | null; url: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2 rounded-2 border border-border bg-sunken py-1 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]">{url}</code>
        <CopyButton value={url} label="Copy URL" />
      </div>
      <div>
        <Button size="sm" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide sample request" : "Show sample request"}
        </Button>
      </div>
      {isShown ? (
        <>
          <CodeBlock label="Sample request" snippets={signingSnippets(url, scheme)} />
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
