import { Specimen, SpecimenSheet } from "@/components/pages/design/specimen";

const GROUNDS = ["canvas", "app", "surface", "raised", "sunken", "accent-weak"];
const INKS = ["text", "text-2", "text-3", "accent"];
const TONES = ["ok", "warn", "err", "wait", "timeout", "idle", "run"];
const KINDS = ["trigger", "io", "logic", "data", "code", "llm", "conn"];

const SIZES: readonly [name: string, look: string][] = [
  ["24/32, sign-in and empty pages", "text-hero font-semibold"],
  ["18/26, the page's title", "text-page font-semibold"],
  ["14/20, titles", "text-title font-semibold"],
  ["13/20, body", "text-body"],
  ["12/18, help and dense rows", "text-dense"],
  ["11/16, the smallest", "text-micro"],
  ["Mono 12/18, ids, keys and code", "font-mono text-dense"],
];

/** The tokens themselves: every ink on every ground, every status on its tint, every kind on its tile. */
export function TokenSpecimens() {
  return (
    <SpecimenSheet>
      {GROUNDS.map((ground) => (
        <Specimen key={ground} name={ground}>
          <p className="flex w-36 flex-col rounded-2 border border-border p-2" style={{ background: token(ground) }}>
            {/* The third ink is for paper, not for what is selected. */}
            {INKS.filter((ink) => ink !== "text-3" || ground !== "accent-weak").map((ink) => (
              <span key={ink} style={{ color: token(ink) }}>
                {ink}
              </span>
            ))}
          </p>
        </Specimen>
      ))}
      <Specimen name="Statuses on their tints" isWide>
        {TONES.map((tone) => (
          <span
            key={tone}
            className="rounded-2 px-2 py-1"
            style={{ color: token(tone), background: token(`${tone}-bg`) }}
          >
            {tone}
          </span>
        ))}
      </Specimen>
      <Specimen name="Kinds of steps on their tiles" isWide>
        {KINDS.map((kind) => (
          <span
            key={kind}
            className="rounded-2 px-2 py-1"
            style={{
              color: token(`k-${kind}`),
              background: `color-mix(in srgb, ${token(`k-${kind}`)} 12%, var(--surface))`,
            }}
          >
            {kind}
          </span>
        ))}
      </Specimen>
      {SIZES.map(([name, look]) => (
        <Specimen key={name} name={name} isWide>
          <span className={look}>Order A-10492 is on its way</span>
        </Specimen>
      ))}
    </SpecimenSheet>
  );
}

function token(name: string): string {
  return `var(--${name})`;
}
