"use client";

import { CirclePause } from "lucide-react";
import { useEffect, useState } from "react";
import type { CircuitObject } from "#lib/contract/connection/connection";
import { LIMITS } from "#lib/contract/limits";
import { formatTime } from "#lib/support/format/format-moment";
import { formatCount } from "#lib/support/format/format-number";
import { useCircuits, useConnectionKinds } from "@/components/features/connections/use-connections";

const WINDOW_MINUTES = LIMITS.breakerWindowMs / 60_000;

interface CircuitNoticeProps {
  connector: string;
  name: string;
  connectionId: unknown;
  /** The address that the step calls, if it names one. */
  url?: unknown;
}

/** Shows that the calls of a step are paused, until when and why; renders nothing while they are not paused. */
export function CircuitNotice({ connector, name, connectionId, url }: CircuitNoticeProps) {
  const origin = typeof url === "string" ? (URL.parse(url.trim())?.origin ?? null) : null;
  const circuit = useCircuits().find(
    (one) => one.connector === connector && one.connection_id === (connectionId || null) && one.origin === origin,
  );
  return circuit === undefined ? null : <OpenCircuit circuit={circuit} name={name} />;
}

/** Shows the same notice for every paused destination, on the connections page. */
export function CircuitNotices() {
  const circuits = useCircuits();
  const kinds = useConnectionKinds();
  if (circuits.length === 0) return null;
  const names = new Map(kinds.data?.data.map((kind) => [kind.connector, kind.name]));
  return (
    <div className="mx-4 my-3 flex flex-col gap-2">
      {circuits.map((circuit) => (
        <OpenCircuit
          key={[circuit.connector, circuit.connection_id, circuit.origin].join(" ")}
          circuit={circuit}
          name={names.get(circuit.connector) ?? circuit.connector}
        />
      ))}
    </div>
  );
}

function OpenCircuit({ circuit, name }: { circuit: CircuitObject; name: string }) {
  const isDue = useIsPast(circuit.retry_at);
  return (
    <div role="status" className="flex items-start gap-2 rounded-2 bg-warn-bg px-3 py-2">
      <CirclePause aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <div className="min-w-0">
        <p className="font-medium text-warn">{headlineOf(circuit, destinationOf(circuit, name), isDue)}</p>
        <p className="text-dense text-text-2">
          {formatCount(circuit.failures, "call")} failed within {WINDOW_MINUTES} minutes. Steps that call it fail at
          once until a call succeeds.
        </p>
        {circuit.last_error === null ? null : (
          <p className="text-dense text-text-2 [overflow-wrap:anywhere]">Last failure: {circuit.last_error}</p>
        )}
      </div>
    </div>
  );
}

/** Names the host of an HTTP request, because calls to other hosts continue. */
function destinationOf({ origin }: CircuitObject, name: string): string {
  return origin === null ? name : (URL.parse(origin)?.host ?? origin);
}

function headlineOf({ state, retry_at: retryAt }: CircuitObject, name: string, isDue: boolean): string {
  if (state === "half_open") return `Calls to ${name} are paused; a test call is in progress`;
  if (isDue) return `Calls to ${name} are paused; the next call tests whether the service works again`;
  return `Calls to ${name} are paused until ${formatTime(retryAt)}`;
}

/** Becomes true at the given moment. */
function useIsPast(at: string): boolean {
  const [pastOf, setPastOf] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setPastOf(at), Math.max(0, Date.parse(at) - Date.now()));
    return () => clearTimeout(timer);
  }, [at]);
  return pastOf === at;
}
