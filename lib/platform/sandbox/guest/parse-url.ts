import { AUTHORITY_STATES } from "#lib/platform/sandbox/guest/url-authority-states";
import type { Parser, State, StateName } from "#lib/platform/sandbox/guest/url-parser";
import { PATH_STATES } from "#lib/platform/sandbox/guest/url-path-states";
import { newUrlRecord, type UrlRecord } from "#lib/platform/sandbox/guest/url-record";

const STATES: Record<StateName, State> = { ...AUTHORITY_STATES, ...PATH_STATES };

/** @returns null when the text is no URL */
export function parseUrl(text: string, base: UrlRecord | null): UrlRecord | null {
  const url = newUrlRecord();
  return run(trimControls(text), { url, base, override: null }, "schemeStart") ? url : null;
}

/** Reads one part of a URL into it, as the setters do. */
export function parseUrlPart(text: string, url: UrlRecord, state: StateName): void {
  run(text, { url, base: null, override: state }, state);
}

function run(text: string, target: Pick<Parser, "url" | "base" | "override">, start: StateName): boolean {
  const chars = Array.from(text.replace(/[\t\n\r]/g, ""));
  const flags = { hasAtSign: false, hasPassword: false, isInBrackets: false };
  const parser: Parser = { ...target, ...flags, chars, at: 0, buffer: "" };
  let state = start;
  for (; ; parser.at += 1) {
    const step = STATES[state](parser, chars[parser.at] ?? "");
    if (step === "fail") return false;
    if (step === "done") return true;
    if (step !== "stay") state = step;
    if (parser.at >= chars.length) return true;
  }
}

/** Without the control characters and spaces at both ends. */
function trimControls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charAt(start) <= " ") start += 1;
  while (end > start && text.charAt(end - 1) <= " ") end -= 1;
  return text.slice(start, end);
}
