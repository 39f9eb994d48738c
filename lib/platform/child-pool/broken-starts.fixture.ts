import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/**
 * What happens to a child process: the system kills it while it starts, or when it gets its first call; or it ends by
 * itself while it is confined.
 */
export type Breakage = "killed_at_start" | "killed_in_call" | "ends_if_confined";

export interface BrokenStarts {
  /** The next `count` children break. Those after them start as usual. */
  breakNext(breakage: Breakage, count: number): void;
  /** Returns how many of them are still to come. */
  left(): number;
}

/**
 * For tests: puts a script in front of Node, which child processes run instead of it. A child is broken as a busy machine
 * breaks it, by a signal of the system. Call it at the top of the file, before any child starts.
 */
export function useBrokenStarts(): BrokenStarts {
  const node = process.execPath;
  const folder = mkdtempSync(join(tmpdir(), "broken-starts-"));
  const wrapper = join(folder, "node");
  const killer = join(folder, "killer.mjs");

  beforeAll(() => {
    writeFileSync(killer, `process.once("message", () => process.kill(process.pid, "SIGKILL"));`);
    // One folder for each child that breaks: only one process can remove it.
    const script = `#!/bin/sh
take() { for one in ${folder}/$1.*; do /bin/rmdir "$one" 2>/dev/null && return 0; done; return 1; }
if take killed_at_start; then kill -KILL $$; fi
if take killed_in_call; then exec ${node} --allow-fs-read=${folder}/* --import ${killer} "$@"; fi
if [ "$(ulimit -f)" = 0 ] && take ends_if_confined; then exit 1; fi
exec ${node} "$@"
`;
    writeFileSync(wrapper, script);
    chmodSync(wrapper, 0o755);
    // Children may run as another user.
    chmodSync(folder, 0o777);
    process.execPath = wrapper;
  });
  afterAll(() => {
    process.execPath = node;
    if (existsSync(folder)) rmSync(folder, { recursive: true });
  });

  let made = 0;
  return {
    breakNext: (breakage, count) => {
      for (let at = 0; at < count; at += 1) mkdirSync(join(folder, `${breakage}.${made++}`));
    },
    left: () => readdirSync(folder).filter((name) => name.includes(".") && !name.endsWith(".mjs")).length,
  };
}
