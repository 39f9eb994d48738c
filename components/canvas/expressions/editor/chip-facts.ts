/** What a chip shows of a reference. */
export interface ChipFacts {
  /** The name of the step as people see it. */
  step: string;
  /** The path inside its output; empty for the whole output. */
  path: string;
  /** Null if it is unknown. */
  type: string | null;
  /** The last value as shortened JSON; null if none is known. */
  sample: string | null;
  isBroken: boolean;
}

/** @param source the expression with its braces, as written */
export type DescribeReference = (source: string) => ChipFacts;

/** A part of a chip: its class and its text. */
export type ChipPart = readonly [className: string, text: string];

/** Returns the parts of a chip in order; read one after the other, they are a name. */
export function chipParts({ step, path, type }: ChipFacts): ChipPart[] {
  const parts: ChipPart[] = [["expression-chip-step", step]];
  if (path !== "") parts.push(["expression-chip-dot", " › "], ["expression-chip-path", path]);
  if (type !== null) parts.push(["expression-chip-type", ` ${type}`]);
  return parts;
}

export function chipTitle(source: string, { sample, isBroken }: ChipFacts): string {
  if (isBroken) return `${source} can't be resolved.`;
  return sample === null ? source : `${source} = ${sample}`;
}
