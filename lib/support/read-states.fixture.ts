import { readFileSync } from "node:fs";

/** Reads the transitions of the state diagram below a heading of a document. Changes from or to `[*]` do not count. */
export function readStates(path: string, heading: string): { from: string; to: string; events: string[] }[] {
  const [, section = ""] = readFileSync(path, "utf8").split(`${heading}\n`);
  const [, diagram = ""] = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(section) ?? [];
  return [...diagram.matchAll(/^ +(\w+) --> (\w+)(?:: (.*))?$/gm)].map(([, from = "", to = "", events = ""]) => ({
    from,
    to,
    events: events.split(", "),
  }));
}
