import { ApiError } from "#lib/contract/api-error";

/**
 * Works on the items of a list that are not refused yet, all of them at once.
 * @param work returns a result or a refusal for each item, in the same order
 * @returns the results in the places of their items; refusals stay in theirs
 */
export async function skipRefused<Item, Result>(
  items: readonly (Item | ApiError)[],
  work: (accepted: Item[]) => Promise<readonly Result[]>,
): Promise<(Result | ApiError)[]> {
  const isAccepted = (item: Item | ApiError): item is Item => !(item instanceof ApiError);
  const results = await work(items.filter(isAccepted));
  let next = 0;
  return items.map((item) => (isAccepted(item) ? (results[next++] as Result) : item));
}
