import type { ConnectionListener } from "#lib/contract/connection";

const STATES: Record<ConnectionListener["status"], string> = {
  pending: "Being asked for",
  active: "Listening for",
  failed: "Cannot listen for",
};

/** How events come from a connection: by calls of the service, or by asking it. */
export function ListenerLines({ listeners }: { listeners: readonly ConnectionListener[] }) {
  return listeners.map(({ mode, status, error, events }) => {
    const what = events.length === 0 ? "events" : events.map((event) => event.replaceAll("_", " ")).join(", ");
    const how = status !== "active" ? "" : mode === "polling" ? ", by asking it" : ", by its calls";
    return (
      <p
        key={`${mode}${events.join()}`}
        className={`truncate text-dense ${status === "failed" ? "text-err" : "text-text-3"}`}
        title={error ?? undefined}
      >
        {STATES[status]} {what}
        {error === null ? how : `: ${error}`}
      </p>
    );
  });
}
