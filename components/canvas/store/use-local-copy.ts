import { useEffect, useState } from "react";
import { findLocalCopy, type LocalCopy, readLocalCopy } from "@/components/canvas/store/local-copy";

type Reading = { copy: LocalCopy | null } | { error: unknown };

/**
 * Returns this browser's unsaved copy of a workflow's draft, as it is when the component mounts; null if there is none,
 * and undefined while it is read.
 */
export function useLocalCopy(workflowId: string): LocalCopy | null | undefined {
  const [text] = useState(() => findLocalCopy(workflowId));
  const [reading, setReading] = useState<Reading | null>(text === null ? { copy: null } : null);
  useEffect(() => {
    if (text === null) return;
    readLocalCopy(text).then(
      (copy) => setReading({ copy }),
      (error: unknown) => setReading({ error }),
    );
  }, [text]);
  if (reading === null) return undefined;
  // Without its copy the draft would open, and the first edit would overwrite what the user had not saved.
  if ("error" in reading) throw reading.error;
  return reading.copy;
}
