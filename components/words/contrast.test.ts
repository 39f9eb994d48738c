import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT_MIN = 4.5;
const SHAPE_MIN = 3;
/** The share of a kind's color that its tile mixes into the surface (`kind-tile.tsx`). */
const TILE_SHARE = 0.12;

const GROUNDS = ["canvas", "app", "surface", "raised", "sunken"];
const TONES = ["ok", "warn", "err", "wait", "timeout", "idle", "run"];
const KINDS = ["k-trigger", "k-io", "k-logic", "k-data", "k-code", "k-llm", "k-conn"];
/** Hairlines, dots and veils: no meaning depends on them alone. */
const DECORATION = ["dot", "border", "scrim", "nav-selected"];

interface Pair {
  front: string;
  ground: string;
  min: number;
}

const each = (fronts: string[], grounds: string[], min: number): Pair[] =>
  fronts.flatMap((front) => grounds.map((ground) => ({ front, ground, min })));

const PAIRS: Pair[] = [
  ...each(["text", "text-2", "text-3", "accent", ...TONES], GROUNDS, TEXT_MIN),
  ...each(["text", "text-2", "accent"], ["accent-weak"], TEXT_MIN),
  ...TONES.flatMap((tone) => each([tone, "text", "text-2"], [`${tone}-bg`], TEXT_MIN)),
  { front: "on-primary", ground: "primary", min: TEXT_MIN },
  { front: "on-accent", ground: "accent-solid", min: TEXT_MIN },
  { front: "on-err", ground: "err", min: TEXT_MIN },
  // The border of a field, the line of a draft, the focus ring, the fill of a switch.
  ...each(["border-strong", "accent"], GROUNDS, SHAPE_MIN),
  ...each(["accent-solid"], ["app", "surface", "raised"], SHAPE_MIN),
  ...KINDS.flatMap((kind) => each([kind], ["surface", "raised", `tile of ${kind}`], SHAPE_MIN)),
];

type Rgb = readonly [number, number, number];
type Tokens = ReadonlyMap<string, string>;

const CSS = readFileSync("app/globals.css", "utf8");
const LIGHT = readTokens(":root");
const THEMES = [
  ["light", LIGHT],
  ["dark", new Map([...LIGHT, ...readTokens('[data-theme="dark"]')])],
] as const;

/** Returns the colors of the first block of a selector, by name. */
function readTokens(selector: string): Map<string, string> {
  const start = CSS.indexOf(`\n${selector} {`);
  const block = CSS.slice(start, CSS.indexOf("\n}", start));
  return new Map([...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]));
}

function colourOf(tokens: Tokens, name: string): Rgb {
  if (name.startsWith("tile of ")) return mix(colourOf(tokens, name.slice(8)), colourOf(tokens, "surface"));
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(tokens.get(name) ?? "") ?? [];
  if (red === undefined || green === undefined || blue === undefined) throw new Error(`--${name} is not a color`);
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}

function mix(front: Rgb, ground: Rgb): Rgb {
  const part = (at: 0 | 1 | 2) => front[at] * TILE_SHARE + ground[at] * (1 - TILE_SHARE);
  return [part(0), part(1), part(2)];
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG's contrast ratio, from 1 to 21. */
function contrast(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function findFaults(tokens: Tokens): string[] {
  return PAIRS.flatMap(({ front, ground, min }) => {
    const ratio = contrast(colourOf(tokens, front), colourOf(tokens, ground));
    return ratio >= min ? [] : [`${front} on ${ground}: ${ratio.toFixed(2)}, needs ${min}`];
  });
}

describe.each(THEMES)("the colors of the %s theme", (_theme, tokens) => {
  test("have a contrast of 4.5 for every text and 3 for every meaningful shape", () => {
    expect(findFaults(tokens)).toEqual([]);
  });

  test("fail as soon as one contrast is too low", () => {
    const weak = new Map([...tokens, ["text-3", tokens.get("border") ?? ""], ["ok", tokens.get("ok-bg") ?? ""]]);
    const faults = findFaults(weak).join("\n");
    expect(faults).toContain("text-3 on surface");
    expect(faults).toContain("ok on ok-bg: 1.00");
  });

  test("are each part of a pair or of the decoration", () => {
    const paired = new Set(PAIRS.flatMap(({ front, ground }) => [front, ground]));
    const colours = [...tokens].filter(([, value]) => /^(#|rgb|var\(--(?!font|r-))/.test(value)).map(([name]) => name);
    expect(colours.filter((name) => !paired.has(name) && !DECORATION.includes(name))).toEqual([]);
  });
});

test("black on white is 21 to 1, a color on itself 1 to 1", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  expect(contrast([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2);
  expect(contrast([9, 9, 9], [9, 9, 9])).toBe(1);
});
