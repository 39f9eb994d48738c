import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Comment, parseSync, Visitor } from "oxc-parser";

const FOLDERS = "{app,bench,components,deploy,docs,e2e,examples,lib,prisma,scripts,server,worker}";
const CODE = ["*.{ts,js,mjs}", `${FOLDERS}/**/*.{ts,tsx,js,mjs}`];
/** Files that are read line by line, because their code has no words in a row. */
const DOCUMENTS = [
  "*.md",
  ".github/**/*.{md,yml}",
  `${FOLDERS}/**/*.{md,css,yaml,tpl,txt,sh,py,go,prisma}`,
  `${FOLDERS}/**/Dockerfile`,
];
/** Migrations are left out, because an applied migration must not change. */
const STATEMENTS = ["prisma/functions/*.sql"];
const GENERATED = ["**/node_modules", "**/.next", "lib/platform/db/generated"];
/** Matches text with a word after a word. Imports, selectors, and identifiers have none. */
const HAS_WORDS = /\p{L}{2,}[,;:]? \p{L}/u;
/** SQL in a string, which is not prose although it has words. */
const SQL =
  /\$\w*\$|^\s*(?:select|with|insert|update|delete|create|alter)\s.*\b(?:from|into|set|as|table|function)\b|^begin\b.*;/is;
const TEST_FUNCTIONS = new Set(["describe", "it", "test"]);

export interface Passage {
  path: string;
  line: number;
  kind: "comment" | "document" | "string" | "test name";
  text: string;
}

interface Found {
  start: number;
  kind: Passage["kind"];
  text: string;
}

/** Returns every comment, text, and test name of the project that has at least two words, with its place. */
export function listProse(): Passage[] {
  return [
    ...listFiles(...CODE).flatMap((path) => readPassages(path, readCode)),
    ...listFiles(...DOCUMENTS).flatMap((path) => readPassages(path, readDocument)),
    ...listFiles(...STATEMENTS).flatMap((path) => readPassages(path, readStatement)),
  ];
}

/** Returns the names of a file's tests and of their groups, as they are written. */
export function listTestNames(path: string): string[] {
  const found = readCode(readFileSync(path, "utf8"), path);
  return found.filter(({ kind }) => kind === "test name").map(({ text }) => text);
}

/** Lists files only, because some routes are folders with the name of the file they serve. */
function listFiles(...patterns: string[]): string[] {
  const entries = globSync(patterns, { exclude: GENERATED, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative("", join(entry.parentPath, entry.name)));
}

function readPassages(path: string, read: (source: string, path: string) => Found[]): Passage[] {
  const source = readFileSync(path, "utf8");
  const starts = [...source.matchAll(/^/gm)].map(({ index }) => index);
  return read(source, path)
    .filter(({ text }) => HAS_WORDS.test(text) && !SQL.test(text))
    .map(({ start, kind, text }) => ({
      path,
      line: findLine(starts, start),
      kind,
      text: text.replace(/\s+/g, " ").trim(),
    }));
}

function findLine(starts: readonly number[], offset: number): number {
  const next = starts.findIndex((start) => start > offset);
  return next === -1 ? starts.length : next;
}

function readCode(source: string, path: string): Found[] {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  const found: Found[] = [];
  const names = new Set<number>();
  const add = (start: number, text: string) =>
    found.push({ start, kind: names.has(start) ? "test name" : "string", text });
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (first && isTestFunction(source.slice(callee.start, callee.end))) names.add(first.start);
    },
    Literal({ start, value }) {
      if (typeof value === "string") add(start, value);
    },
    TemplateLiteral({ start, quasis }) {
      add(start, quasis.map(({ value }) => value.cooked ?? "").join("…"));
    },
    JSXText({ start, value }) {
      add(start, value);
    },
  }).visit(program);
  return [...joinLines(comments, source), ...found];
}

function isTestFunction(callee: string): boolean {
  return TEST_FUNCTIONS.has(/^\w+/.exec(callee)?.[0] ?? "");
}

/** Joins a comment of several `//` lines into one passage, which is how readers see it. */
function joinLines(comments: readonly Comment[], source: string): Found[] {
  const joined: (Found & { end: number })[] = [];
  for (const { start, end, type, value } of comments) {
    const last = joined.at(-1);
    const text = value.replace(/^\s*\*/gm, "");
    if (last && type === "Line" && /^\n?\s*$/.test(source.slice(last.end, start))) {
      last.text += ` ${text}`;
      last.end = end;
    } else joined.push({ start, end, kind: "comment", text });
  }
  return joined;
}

/**
 * Reads a document without its code blocks. Code between backticks counts as a word, so that the sentence around it
 * stays complete.
 */
function readDocument(source: string): Found[] {
  const text = source.replace(/^( *)(`{3,})[\s\S]*?^\1\2/gm, (block) => block.replace(/[^\n]/g, ""));
  return [...text.matchAll(/^.*\S.*$/gm)].map(({ index, 0: line }) => ({ start: index, kind: "document", text: line }));
}

function readStatement(source: string): Found[] {
  return [...source.matchAll(/--(.*)$|'([^'\n]*)'/gm)].map(({ index, 1: comment, 2: text }) => ({
    start: index,
    kind: comment === undefined ? "string" : "comment",
    text: comment ?? text ?? "",
  }));
}
