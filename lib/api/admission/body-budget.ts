import { LIMITS } from "#lib/contract/limits";
import { shareInProcess } from "#lib/support/share-in-process";

interface ArrivingBody {
  bytes: number;
  readonly stop: () => void;
}

interface ArrivingSource {
  /** The bodies of which something has arrived, the oldest first. */
  readonly bodies: Set<ArrivingBody>;
  bytes: number;
}

/** The share of one body in the memory for bodies that have not arrived completely. */
export interface BodyShare {
  add(bytes: number): void;
  /** Gives the memory back: the body is complete or refused. */
  end(): void;
}

/** All of this process. Each source keeps its sum, so that finding the largest one does not read every body. */
const arriving = shareInProcess("arrivingBodies", () => ({ bySource: new Map<string, ArrivingSource>(), bytes: 0 }));

/**
 * Counts a body while it arrives. If all bodies together become too large, the oldest one of the source with the most
 * bytes has to go: clients that send quickly and little are never affected by one that opens many and stalls.
 * @param stop is called if it is this one
 */
export function trackBody(source: string, stop: () => void): BodyShare {
  let isOver = false;
  const body: ArrivingBody = {
    bytes: 0,
    stop: () => {
      end();
      stop();
    },
  };
  const end = () => {
    isOver = true;
    forget(source, body);
  };
  return {
    end,
    add: (bytes) => {
      if (isOver || bytes === 0) return;
      const ofSource = arriving.bySource.get(source) ?? { bodies: new Set(), bytes: 0 };
      arriving.bySource.set(source, ofSource);
      ofSource.bodies.add(body);
      body.bytes += bytes;
      ofSource.bytes += bytes;
      arriving.bytes += bytes;
      while (arriving.bytes > LIMITS.arrivingBodiesBytes && stopOne()) {}
    },
  };
}

function forget(source: string, body: ArrivingBody): void {
  const ofSource = arriving.bySource.get(source);
  if (!ofSource?.bodies.delete(body)) return;
  ofSource.bytes -= body.bytes;
  arriving.bytes -= body.bytes;
  if (ofSource.bodies.size === 0) arriving.bySource.delete(source);
}

/** @returns false if no body is arriving */
function stopOne(): boolean {
  let largest: ArrivingSource | null = null;
  for (const ofSource of arriving.bySource.values()) {
    if (largest === null || ofSource.bytes > largest.bytes) largest = ofSource;
  }
  const oldest = largest?.bodies.values().next().value;
  oldest?.stop();
  return oldest !== undefined;
}
