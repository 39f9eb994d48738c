interface GatherOptions {
  /** Batches on their way at the same time. */
  atOnce: number;
  /** Items of one batch. */
  max: number;
  /** Whether a batch that failed with this error may succeed item by item. */
  isItemsFault(error: unknown): boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * One statement for many callers: calls of the same turn of the event loop, and those that come while earlier batches are
 * on their way, go together. An idle process waits for nothing; a busy one saves round trips and commits.
 * @param work does all items and gives their results in the same order
 */
export function gather<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  options: GatherOptions,
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
      const batch = waiting.splice(0, options.max);
      void settle(work, batch, options.isItemsFault).finally(() => {
        inFlight -= 1;
        schedule();
      });
      schedule();
    });
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
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
