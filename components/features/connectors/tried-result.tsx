"use client";

import type { TriedOperation } from "#lib/contract/connector/connector";
import { formatDuration } from "#lib/support/format/format-duration";
import { JsonView } from "@/components/features/json/json-view";

interface TriedResultProps {
  tried: TriedOperation | null;
  /** Set if the operation could not be called. */
  error: Error | null;
}

/** Shows the request, the service's response, and the output that a step would have. */
export function TriedResult({ tried, error }: TriedResultProps) {
  if (error !== null) {
    return (
      <p role="alert" className="self-start rounded-2 bg-err-bg px-3 py-2 text-err [overflow-wrap:anywhere]">
        {error.message}
      </p>
    );
  }
  if (tried === null) {
    return (
      <p className="text-text-2">
        The request and the response appear here, with personal data and secrets redacted. Expressions are not resolved.
      </p>
    );
  }
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-4">
      <p role="status" className={`font-medium ${tried.outcome === "succeeded" ? "text-ok" : "text-err"}`}>
        {tried.outcome === "succeeded" ? "Succeeded" : "Failed"} after {formatDuration(tried.duration_ms)}
      </p>
      {tried.requests.length === 0 ? <p className="text-text-2">No request was sent.</p> : null}
      <ol className="flex flex-col gap-2">
        {tried.requests.map((request) => (
          <li
            key={`${request.after_ms} ${request.url}`}
            className="rounded-2 border border-border bg-sunken px-3 py-2 font-mono text-dense [overflow-wrap:anywhere]"
          >
            {request.method} {request.url}
            <span className="text-text-2">
              {" "}
              {request.status ?? "no response"} · {formatDuration(request.duration_ms)}
            </span>
          </li>
        ))}
      </ol>
      {tried.error === null ? null : (
        <p role="alert" className="rounded-2 bg-err-bg px-3 py-2 text-err [overflow-wrap:anywhere]">
          <code className="font-mono text-dense">{tried.error.code}</code> {tried.error.message}
        </p>
      )}
      {tried.outcome === "succeeded" ? <JsonView value={tried.output} label="output" /> : null}
    </section>
  );
}
