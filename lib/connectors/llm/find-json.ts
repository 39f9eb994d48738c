/** The ends of what a model thinks before it answers, in the templates of DeepSeek, Qwen, Mistral, Kimi and gpt-oss. */
const THOUGHT_ENDS = /<\/(?:think|thinking|thought|reasoning)>|\[\/THINK\]|◁\/think▷|<\|message\|>/g;
const THOUGHT_START = /^(?:<(?:think|thinking|thought|reasoning)>|\[THINK\]|◁think▷)/;
/** More pieces than this are not one answer. */
const PIECES_MAX = 100;

/**
 * Finds the JSON objects and lists in a model's text, next to prose and in fences of Markdown, in one pass. Each is a
 * whole one: a part of something that is cut off, or that only looks like JSON, is never taken for the answer.
 */
export function findJson(text: string): string[] {
  const whole = text.trim();
  const ends = [...whole.matchAll(THOUGHT_ENDS)];
  const last = ends.at(-1);
  if (!last) return THOUGHT_START.test(whole) ? [] : findPieces(whole);
  const answer = findPieces(whole.slice(last.index + last[0].length));
  return answer.length > 0 || THOUGHT_START.test(whole) ? answer : findPieces(whole);
}

function findPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length && pieces.length < PIECES_MAX; ) {
    const start = nextOpening(text, at);
    if (start < 0) break;
    const likeness = likenessOf(text, start);
    const end = likeness === "prose" ? -1 : endOfValue(text, start);
    // What follows an unclosed object is inside it.
    if (end < 0 && likeness === "json") break;
    if (end >= 0 && likeness === "json") pieces.push(text.slice(start, end));
    at = end < 0 ? start + 1 : end;
  }
  return pieces;
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === "{" || text[at] === "[") return at;
  return -1;
}

const OBJECT_START = /\{\s{0,1000}(?:["}]|$)/y;
const LIST_START = /\[\s{0,1000}(?:[{["\]\d-]|(?:true|false|null)\b)/y;
/** A dictionary of Python, or JSON5: its inner objects are not the answer either. */
const OTHER_START = /\{\s{0,1000}(?:'|\/[/*]|[A-Za-z_$][\w$]{0,200}\s{0,10}:)/y;

/** Prose has braces, too, such as `{name}`. */
function likenessOf(text: string, at: number): "json" | "other" | "prose" {
  for (const [likeness, start] of [
    ["json", OBJECT_START],
    ["json", LIST_START],
    ["other", OTHER_START],
  ] as const) {
    start.lastIndex = at;
    if (start.test(text)) return likeness;
  }
  return "prose";
}

/** Returns where the object or list ends that starts here; -1 if it does not. Braces in texts do not count. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
