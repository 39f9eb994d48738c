import type { ConnectionListener } from "#lib/contract/connection";
import { RetryListeners } from "@/components/features/connections/retry-listeners";

const STATES: Record<ConnectionListener["status"], string> = {
  pending: "Being asked for",
  active: "Listening for",
  failed: "Cannot listen for",
};

interface ListenerLinesProps {
  connectionId: string;
  listeners: readonly ConnectionListener[];
}

/** How events come from a connection: by calls of the service, or by asking it. */
export function ListenerLines({ connectionId, listeners }: ListenerLinesProps) {
  const failed = listeners.find((listener) => listener.status === "failed");
  return (
    <>
      {listeners.map(({ mode, status, error, events }) => {
        const what = events.length === 0 ? "events" : events.map((event) => event.replaceAll("_", " ")).join(", ");
        const how = status !== "active" ? "" : mode === "polling" ? ", by asking it" : ", by its calls";
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
