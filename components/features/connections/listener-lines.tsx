import type { ConnectionListener } from "#lib/contract/connection";
import { RetryListeners } from "@/components/features/connections/retry-listeners";

const STATES: Record<ConnectionListener["status"], string> = {
  pending: "Setting up",
  active: "Listening for",
  failed: "Can't listen for",
};

interface ListenerLinesProps {
  connectionId: string;
  listeners: readonly ConnectionListener[];
}

/** Shows how events of a connection arrive: the service calls us, or we poll it. */
export function ListenerLines({ connectionId, listeners }: ListenerLinesProps) {
  const failed = listeners.find((listener) => listener.status === "failed");
  return (
    <>
      {listeners.map(({ mode, status, error, events }) => {
        const what = events.length === 0 ? "events" : events.map((event) => event.replaceAll("_", " ")).join(", ");
        const how = status !== "active" ? "" : mode === "polling" ? " (polling)" : " (webhook)";
        return (
          <p
            key={`${mode}${events.join()}`}
            className={`text-dense ${status === "failed" ? "whitespace-normal text-err [overflow-wrap:anywhere]" : "truncate text-text-3"}`}
            title={error ?? undefined}
          >
            {STATES[status]} {what}
            {error === null ? how : `: ${error}`}
          </p>
        );
      })}
      {failed === undefined ? null : (
        <RetryListeners connectionId={connectionId} failingSince={failed.failing_since} retryAt={failed.retry_at} />
      )}
    </>
  );
}
