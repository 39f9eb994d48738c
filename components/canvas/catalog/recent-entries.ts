/** More than the picker shows, because some of them may not fit where it opens. */
const KEPT = 12;

/** The entries that a user chose last, in this browser. */
export interface RecentEntries {
  read: () => string[];
  remember: (id: string) => void;
}

export function recentEntries({ userId, workspaceId }: { userId: string; workspaceId: string }): RecentEntries {
  const key = `signalbox.recent-steps.${userId}.${workspaceId}`;
  const read = () => parseIds(localStorage.getItem(key));
  return {
    read,
    remember: (id) => {
      const ids = [id, ...read().filter((other) => other !== id)].slice(0, KEPT);
      try {
        localStorage.setItem(key, JSON.stringify(ids));
      } catch {
        // Without storage, the picker offers no recent steps.
      }
    },
  };
}

function parseIds(text: string | null): string[] {
  try {
    const ids: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}
