import type { ReactNode } from "react";

interface Mark {
  /** Of the tile, in degrees; null for a neutral one. */
  hue: number | null;
  /** Two letters, or a pictogram. */
  sign: string | ReactNode;
}

const envelope = <path d="M2.5 4.5h11v7h-11zM2.5 5l5.5 4 5.5-4" fill="none" stroke="currentColor" strokeWidth={1.4} />;
const grid = (
  <path d="M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.6 6.3V13" fill="none" stroke="currentColor" strokeWidth={1.4} />
);

const server = (
  <path d="M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01" fill="none" stroke="currentColor" strokeWidth={1.4} />
);

/** Our own marks of the built-in connectors: letters and pictograms, never a service's logo. */
export const APP_MARKS: Readonly<Record<string, Mark>> = {
  http: { hue: null, sign: "{}" },
  mcp: { hue: 90, sign: server },
  openai: { hue: 165, sign: "Oa" },
  anthropic: { hue: 45, sign: "An" },
  email: { hue: 255, sign: envelope },
  google_sheets: { hue: 145, sign: grid },
  hubspot: { hue: 30, sign: "Hs" },
  kommo: { hue: 275, sign: "Ko" },
  bitrix24: { hue: 200, sign: "Bx" },
  max: { hue: 310, sign: "Mx" },
  telegram: { hue: 235, sign: "Tg" },
};

/** A 24 px tile with the mark of a connector. A custom connector gets the first letters of its name. */
export function AppMark({ connector }: { connector: string }) {
  const { hue, sign } = (Object.hasOwn(APP_MARKS, connector) && APP_MARKS[connector]) || {
    hue: null,
    sign: lettersOf(connector),
  };
  return (
    <span
      aria-hidden
      // As generated content the letters are no text: searching, copying and reading aloud leave them out.
      data-letters={typeof sign === "string" ? sign : undefined}
      className="flex size-6 shrink-0 items-center justify-center rounded-[6px] text-micro font-semibold before:content-[attr(data-letters)]"
      style={hue === null ? NEUTRAL : colorsOf(hue)}
    >
      {typeof sign === "string" ? null : (
        <svg aria-hidden viewBox="0 0 16 16" className="size-4">
          {sign}
        </svg>
      )}
    </span>
  );
}

const NEUTRAL = { color: "var(--k-conn)", background: "color-mix(in srgb, var(--k-conn) 12%, var(--surface))" };

/** One lightness and strength for all hues, so that every mark reads equally well in both themes. */
function colorsOf(hue: number) {
  return {
    color: `light-dark(oklch(0.42 0.11 ${hue}), oklch(0.84 0.09 ${hue}))`,
    background: `light-dark(oklch(0.94 0.03 ${hue}), oklch(0.31 0.05 ${hue}))`,
  };
}

/** `billing-api` becomes `Ba`, `orders` becomes `Or`. */
function lettersOf(name: string): string {
  const [first = "", second] = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const letters = second === undefined ? first.slice(0, 2) : first.charAt(0) + second.charAt(0);
  return letters.charAt(0).toUpperCase() + letters.slice(1).toLowerCase();
}
