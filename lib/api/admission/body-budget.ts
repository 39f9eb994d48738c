import { LIMITS } from "#lib/contract/limits";
import { shareInProcess } from "#lib/support/share-in-process";

interface ArrivingBody {
  readonly source: string;
  bytes: number;
  stop: () => void;
}

/** The share of one body in the memory for bodies that have not arrived completely. */
export interface BodyShare {
  add(bytes: number): void;
  /** Gives the memory back: the body is complete or refused. */
  end(): void;
}

/** All of this process: by source, the oldest body of each first. */
const arriving = shareInProcess("arrivingBodies", () => ({
  bySource: new Map<string, Set<ArrivingBody>>(),
  bytes: 0,
}));

/**
 * Counts a body while it arrives. If all bodies together become too large, the oldest one of the source with the most
 * bytes has to go: clients that send quickly and little are never affected by one that opens many and stalls.
 * @param stop is called if it is this one
 */
export function trackBody(source: string, stop: () => void): BodyShare {
  const body: ArrivingBody = { source, bytes: 0, stop };
  const ofSource = arriving.bySource.get(source) ?? new Set();
  arriving.bySource.set(source, ofSource.add(body));
  const end = () => forget(body);
  return {
    end,
    add: (bytes) => {
      if (!ofSource.has(body)) return;
      body.bytes += bytes;
      arriving.bytes += bytes;
      while (arriving.bytes > LIMITS.arrivingBodiesBytes) stopOne();
    },
  };
}

function forget(body: ArrivingBody): void {
  const ofSource = arriving.bySource.get(body.source);
  if (!ofSource?.delete(body)) return;
  arriving.bytes -= body.bytes;
  if (ofSource.size === 0) arriving.bySource.delete(body.source);
}

function stopOne(): void {
  let largest: ArrivingBody[] = [];
  let most = 0;
  for (const ofSource of arriving.bySource.values()) {
    const bodies = [...ofSource].filter(({ bytes }) => bytes > 0);
    const bytes = bodies.reduce((sum, body) => sum + body.bytes, 0);
    if (bytes > most) [most, largest] = [bytes, bodies];
  }
  const [oldest] = largest;
  if (!oldest) return;
  forget(oldest);
  oldest.stop();
}
