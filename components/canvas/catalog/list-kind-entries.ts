import { STEP_KINDS, STEP_TYPES, type StepType } from "#lib/core/steps/step-kinds";
import type { CatalogEntry } from "@/components/canvas/catalog/catalog-entry";
import type { KindVariant } from "@/components/canvas/kinds/canvas-kind";
import { CANVAS_KINDS } from "@/components/canvas/kinds/canvas-kinds";

/** The kinds that most workflows use, most used first. The picker shows them without scrolling. */
export const COMMON_KINDS: readonly StepType[] = [
  "connector",
  "condition",
  "code",
  "loop",
  "llm",
  "transform",
  "approval",
  "return_output",
];

const COMMON_WEIGHT = 2.5;
const OTHER_WEIGHT = 1.5;
const PLAIN = { isOwn: false, app: null, weakKeywords: "" } as const;

/** Lists the step kinds, the common ones first, then their presets. A kind with variants is one entry for each of them. */
export function listKindEntries(): CatalogEntry[] {
  const others = STEP_TYPES.filter((type) => !COMMON_KINDS.includes(type));
  const kinds = [...COMMON_KINDS, ...others].flatMap((type) => {
    const { variants } = CANVAS_KINDS[type];
    return variants?.map((variant) => variantEntry(type, variant)) ?? [kindEntry(type)];
  });
  const presets = STEP_TYPES.flatMap((type) =>
    (CANVAS_KINDS[type].presets ?? []).map((preset) => ({ ...variantEntry(type, preset), weight: OTHER_WEIGHT })),
  );
  return [...kinds, ...presets];
}

function kindEntry(type: StepType): CatalogEntry {
  const { title, description, keywords } = STEP_KINDS[type];
  return {
    ...entryOf(type),
    id: `kind:${type}`,
    title,
    description,
    keywords,
    choice: { kind: "step", step: { type } },
  };
}

function variantEntry(type: StepType, { id, title, description, keywords, newData }: KindVariant): CatalogEntry {
  return {
    ...entryOf(type),
    id: `${type}:${id}`,
    title,
    description,
    keywords,
    choice: { kind: "step", step: { type, name: title, data: newData() } },
  };
}

function entryOf(type: StepType): Pick<CatalogEntry, "group" | "icon" | "weight" | keyof typeof PLAIN> {
  const place = COMMON_KINDS.indexOf(type);
  return {
    ...PLAIN,
    group: STEP_KINDS[type].hasInput ? "steps" : "start",
    icon: { type, app: null },
    weight: place === -1 ? OTHER_WEIGHT : COMMON_WEIGHT - place / 10,
  };
}
