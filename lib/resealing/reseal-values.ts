import { ApiError } from "#lib/contract/api-error";
import { forgetKey, isCurrentKeyKnown } from "#lib/resealing/check-encryption-keys";
import { resealColumn } from "#lib/resealing/reseal-column";
import { resealDefinitions } from "#lib/resealing/reseal-definitions";
import type { Resealed } from "#lib/resealing/resealed";
import { SEALED_COLUMNS } from "#lib/resealing/sealed-columns";
import { encryptionKeys } from "#lib/secrets/encryption-keys";

export interface ResealReport {
  /** The id of the key everything is sealed with now. */
  key: string;
  /** By place, what was sealed anew. */
  resealed: Record<string, number>;
  /** By place, what does not open and stays as it is; empty when all is well. */
  unreadable: Record<string, number>;
  /** Keys that ENCRYPTION_KEYS need not hold any more. */
  unneeded_keys: string[];
}

/**
 * Seals everything in the database with the current key, the first of ENCRYPTION_KEYS, while the instance runs. It may be
 * ended and begun again at any time.
 * @throws ApiError BAD_REQUEST where no instance was started with that key in front
 */
export async function resealValues(): Promise<ResealReport> {
  const { currentId, masters } = encryptionKeys();
  if (!(await isCurrentKeyKnown())) {
    throw new ApiError(
      "BAD_REQUEST",
      `No instance was started with the key "${currentId}" in front. Restart every process with it first: none but those could open what is sealed with it.`,
    );
  }
  const first = await resealPlaces();
  // A second look finds what a process that still has the old key in front sealed meanwhile.
  const second = await resealPlaces();
  const isOldKeyInUse = second.some(({ resealed }) => resealed > 0);
  const left = new Set(second.flatMap(({ unreadable }) => [...unreadable.keys()]));
  const unneeded = isOldKeyInUse ? [] : [...masters.keys()].filter((id) => id !== currentId && !left.has(id));
  for (const id of unneeded) await forgetKey(id);
  return {
    key: currentId,
    resealed: countByPlace(first, ({ resealed }) => resealed),
    unreadable: countByPlace(second, ({ unreadable }) =>
      [...unreadable.values()].reduce((sum, count) => sum + count, 0),
    ),
    unneeded_keys: unneeded,
  };
}

type PlaceResealed = Resealed & { place: string };

async function resealPlaces(): Promise<PlaceResealed[]> {
  const places: PlaceResealed[] = [];
  for (const column of SEALED_COLUMNS) places.push({ place: column.table, ...(await resealColumn(column)) });
  return [...places, { place: "definitions", ...(await resealDefinitions()) }];
}

function countByPlace(
  places: readonly PlaceResealed[],
  count: (place: PlaceResealed) => number,
): Record<string, number> {
  return Object.fromEntries(
    places.map((place) => [place.place, count(place)] as const).filter(([, found]) => found > 0),
  );
}
