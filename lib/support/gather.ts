interface GatherOptions<Item> {
  /** The maximum number of batches in flight. */
  atOnce: number;
  /** The maximum number of items in a batch. */
  max: number;
  /** The maximum size of a batch. A larger item is a batch of its own. */
  bytes?: { max: number; of(item: Item): number };
  /** Returns true if the items of a batch that failed with this error may succeed individually. */
  isItemsFault(error: unknown): boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  bytes: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Combines the calls of many callers into one statement: calls of the same turn of the event loop, and calls that
 * arrive while earlier batches are in flight, share a batch. An idle process adds no delay; a busy process saves round
 * trips and commits.
 * @param work processes all items and returns their results in the same order
 */
export function gather<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  options: GatherOptions<Item>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled || waiting.length === 0 || inFlight >= options.atOnce) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      inFlight += 1;
      const batch = waiting.splice(0, countFitting(waiting, options.max, options.bytes?.max));
      void settle(work, batch, options.isItemsFault).finally(() => {
        inFlight -= 1;
        schedule();
      });
      schedule();
    });
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, bytes: options.bytes?.of(item) ?? 0, resolve, reject });
      schedule();
    });
}

/** Returns how many items, from the first one on, make a batch. */
function countFitting(waiting: readonly { bytes: number }[], max: number, bytesMax = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  const end = waiting.findIndex((entry, index) => {
    bytes += entry.bytes;
    return index > 0 && (index === max || bytes > bytesMax);
  });
  return end < 0 ? waiting.length : end;
}

async function settle<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  batch: readonly Waiting<Item, Result>[],
  isItemsFault: (error: unknown) => boolean,
): Promise<void> {
  try {
    const results = await work(batch.map((entry) => entry.item));
    for (const [index, entry] of batch.entries()) entry.resolve(results[index] as Result);
  } catch (error) {
    if (batch.length === 1 || !isItemsFault(error)) for (const entry of batch) entry.reject(error);
    else await Promise.all(batch.map((entry) => settle(work, [entry], isItemsFault)));
  }
}
