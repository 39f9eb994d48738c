"use client";

import { useMemo } from "react";
import type { Reference } from "#lib/core/expressions/expression";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { writeExpression, writePath } from "#lib/core/expressions/write-expression";
import { findNamedNode } from "#lib/core/graph/edges";
import { shapesOf } from "#lib/core/graph/node-shapes";
import { typeOfShape } from "#lib/core/shapes/shape";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { Analysis } from "@/components/canvas/document/analysis";
import type { DataField, DataSource } from "@/components/canvas/document/earlier-data";
import type { ChipFacts, DescribeReference } from "@/components/canvas/expressions/editor/chip-facts";
import { findExpressions } from "@/components/canvas/expressions/editor/find-expressions";
import { usePanelAnalysis } from "@/components/canvas/panel/fields/panel-context";

interface ReferenceFacts {
  describe: DescribeReference;
  /** Differs when one of the text's references is described differently. */
  factsKey: string;
}

/** Returns what the chips of a text show. */
export function useReferenceFacts(
  text: string,
  sources: readonly DataSource[],
  broken: ReadonlySet<string>,
): ReferenceFacts {
  const analysis = usePanelAnalysis();
  const fields = useMemo(
    () => new Map(sources.flatMap((source) => source.fields.map((field) => [field.expression, field]))),
    [sources],
  );
  const describe = (source: string) => describeReference(source, analysis, fields, broken);
  const shown = findExpressions(text).filter(({ isReference }) => isReference);
  return { describe, factsKey: JSON.stringify(shown.map(({ source }) => describe(source))) };
}

function describeReference(
  source: string,
  analysis: Analysis,
  fields: ReadonlyMap<string, DataField>,
  broken: ReadonlySet<string>,
): ChipFacts {
  const reference = readReference(source);
  const node = reference === null ? null : findNamedNode(analysis.index, reference.name);
  if (reference === null || node === null) {
    return { step: source.slice(2, -2).trim(), path: "", type: null, sample: null, isBroken: true };
  }
  const { name, path } = reference;
  const field = fields.get(writeExpression(name, path));
  return {
    step: nodeLabel(node),
    path: writePath("", path).replace(/^\./, ""),
    type: field?.type ?? typeOfShape(shapesOf(analysis.index, analysis.catalog).ofTemplate(source)),
    sample: field?.sample ?? null,
    isBroken: broken.has(source),
  };
}

function readReference(source: string): Reference | null {
  const [part] = parseTemplate(source).parts;
  return part !== undefined && typeof part !== "string" && part.root.kind === "reference" ? part.root : null;
}
