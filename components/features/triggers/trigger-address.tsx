"use client";

import { ExternalLink } from "lucide-react";
import type { TriggerObject } from "#lib/contract/trigger/trigger";
import { WebhookAddress } from "@/components/features/triggers/webhook-address";
import { CopyButton } from "@/components/ui/copy-button";

interface TriggerAddressProps {
  trigger: TriggerObject;
  workflowId: string;
}

/** Shows the URL of a webhook and how to call it, or the URL of a form; nothing for a trigger without a URL. */
export function TriggerAddress({ trigger: { kind, url, scheme, status }, workflowId }: TriggerAddressProps) {
  if (url === null) return null;
  if (kind === "form") return <FormAddress url={url} />;
  return <WebhookAddress scheme={scheme} url={url} sampleFor={status === "active" ? workflowId : undefined} />;
}

function FormAddress({ url }: { url: string }) {
  return (
    <div className="flex items-center gap-2 rounded-2 border border-border bg-sunken py-1 pr-1 pl-2.5">
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label="Open form"
        className="link min-w-0 flex-1 font-mono text-dense [overflow-wrap:anywhere]"
      >
        {url}
        <ExternalLink aria-hidden className="ml-1 inline size-3.5" />
      </a>
      <CopyButton value={url} label="Copy URL" />
    </div>
  );
}
