import { watch } from "node:fs";

const SETTLE_MS = 200;

/** Calls `onChange` after the worker's sources change, once for a burst of changes. */
export function watchSources(folders: string[], onChange: () => void): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, file) => {
      if (!file?.endsWith(".ts") || file.endsWith(".test.ts")) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, SETTLE_MS);
    }),
  );
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
