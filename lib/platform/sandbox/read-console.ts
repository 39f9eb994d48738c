import { LIMITS } from "#lib/contract/limits";

const { consoleLines, consoleLineCharacters, consoleBytes } = LIMITS;
/** Characters of JSON in which everything that is kept fits, even if each character is escaped. */
const READABLE_CHARACTERS = 6 * consoleBytes;

/**
 * Reads what code wrote to its console. The text comes from the process that ran the code, so it may be anything: the
 * limits of the guest are applied again, in bytes.
 */
export function readConsole(json: string): string[] {
  const lines = parseLines(json);
  const kept: string[] = [];
  let bytes = 2;
  for (const line of lines.slice(0, consoleLines + 1)) {
    // One more character shows that the guest cut the line.
    const text = line.slice(0, consoleLineCharacters + 1);
    bytes += Buffer.byteLength(JSON.stringify(text)) + 1;
    if (bytes > consoleBytes) return [...kept, "… what followed was not kept"];
    kept.push(text);
  }
  return kept;
}

function parseLines(json: string): string[] {
  if (json.length > READABLE_CHARACTERS) return [];
  try {
    const lines: unknown = JSON.parse(json);
    return Array.isArray(lines) ? lines.filter((line) => typeof line === "string") : [];
  } catch {
    return [];
  }
}
