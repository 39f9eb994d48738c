import type { Wanted } from "#lib/connectors/custom/locate/locate-pointers";

/** A list can have the same indentation as the key before it, but is inside of it. */
const LIST_DEPTH = 0.5;

/** A mapping or list that the lines belong to. */
interface Block {
  indent: number;
  wanted: Wanted | undefined;
  /** The number of elements so far, in a list. */
  elements: number;
}

/**
 * Finds the keys and elements that are wanted in a YAML text, by indentation. It does not look into brackets, and it
 * never looks at text, whose lines are indented further.
 */
export function locateInYaml(text: string, root: Wanted): void {
  const blocks: Block[] = [];
  let pending: Wanted | undefined = root;
  let textIndent = Number.POSITIVE_INFINITY;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    let at = skipSpaces(text, start, end);
    const isContent = at < end && text[at] !== "#" && text[at] !== "\r" && !text.startsWith("---", start);
    if (isContent && at - start <= textIndent) {
      textIndent = Number.POSITIVE_INFINITY;
      for (; isDash(text, at, end); at = skipSpaces(text, at + 1, end)) {
        const list = enter(blocks, at - start + LIST_DEPTH, pending);
        pending = mark(list.wanted, String(list.elements), at);
        list.elements += 1;
      }
      const key = readKey(text.slice(at, end));
      if (key) {
        const { wanted } = enter(blocks, at - start, pending);
        pending = mark(wanted, key.name, at);
        if (key.isText) textIndent = at - start;
      }
    }
    start = end + 1;
  }
}

/** Leaves the deeper blocks, and starts one if there is none with this indentation. */
function enter(blocks: Block[], indent: number, pending: Wanted | undefined): Block {
  while ((blocks.at(-1)?.indent ?? -1) > indent) blocks.pop();
  const last = blocks.at(-1);
  if (last?.indent === indent) return last;
  const block = { indent, wanted: pending, elements: 0 };
  blocks.push(block);
  return block;
}

function mark(wanted: Wanted | undefined, name: string, at: number): Wanted | undefined {
  const part = wanted?.parts.get(name);
  if (part) part.at ??= at;
  return part;
}

function skipSpaces(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text[at] === " ") at += 1;
  return at;
}

function isDash(text: string, at: number, end: number): boolean {
  return text[at] === "-" && (at + 1 === end || text[at + 1] === " ");
}

/** Reads `key:` at the start of a line, and whether a text follows on the next ones; null if the line has no key. */
function readKey(line: string): { name: string; isText: boolean } | null {
  const quote = line[0];
  const isQuoted = quote === '"' || quote === "'";
  const from = isQuoted ? line.indexOf(quote, 1) + 1 : 0;
  for (let colon = line.indexOf(":", from); colon >= 0; colon = line.indexOf(":", colon + 1)) {
    const rest = line.slice(colon + 1, colon + 4);
    if (!/^(?:\s|$)/.test(rest)) continue;
    const name = line.slice(0, colon).trimEnd();
    return { name: isQuoted ? name.slice(1, -1) : name, isText: /^\s+[|>]/.test(rest) };
  }
  return null;
}
