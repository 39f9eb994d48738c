import type { GraphNode } from "#lib/contract/workflow/graph";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateReferences } from "#lib/core/expressions/template-references";
import { findNamedNode } from "#lib/core/graph/edges";
import { shapesOf } from "#lib/core/graph/node-shapes";
import {
  closedObject,
  membersOf,
  type Shape,
  type ShapeField,
  shapeOfValue,
  UNKNOWN,
  unionShape,
} from "#lib/core/shapes/shape";
import { isJsonObject } from "#lib/support/json";
import type { Analysis } from "@/components/canvas/document/analysis";
import { loopsAround } from "@/components/canvas/document/frames";
import { type Known, knownOutput } from "@/components/canvas/samples/known-values";

/**
 * Returns the shape of a code step's `input`: what the earlier steps declare, and where they declare nothing, what they
 * returned last or what the step itself got. It has exactly the names of the step's values.
 */
export function inputShapeOf(node: GraphNode, analysis: Analysis, known: Known): Shape {
  const input = isJsonObject(node.data.input) ? node.data.input : {};
  const shapes = shapesOf(analysis.index, analysis.catalog);
  const last = known.results[node.id]?.step;
  const lastInput = last !== undefined && !last.truncated && isJsonObject(last.input) ? last.input : {};
  return closedObject(
    ...Object.entries(input).map(([name, template]) => {
      const value = lastValue(template, node, analysis, known) ?? lastInput[name];
      const declared = shapes.ofTemplate(template);
      return [name, value === undefined ? declared : completeShape(declared, openShapeOf(value))] as const;
    }),
  );
}

/** Undefined if a value is not known, or depends on the item of a loop. */
function lastValue(template: unknown, node: GraphNode, analysis: Analysis, known: Known): unknown {
  const scope: Record<string, unknown> = {};
  const around = loopsAround(analysis.index.definition, node.id);
  for (const { name } of templateReferences(template)) {
    const named = findNamedNode(analysis.index, name);
    if (named === null || around.includes(named.id)) return undefined;
    const output = knownOutput(known, named.id);
    if (output === undefined) return undefined;
    scope[name] = output;
  }
  try {
    return resolveTemplate(template, scope);
  } catch {
    return undefined;
  }
}

/** A value is an example: the next one can have other fields. */
function openShapeOf(value: unknown): Shape {
  return open(shapeOfValue(value));
}

function open(shape: Shape): Shape {
  switch (shape.kind) {
    case "array":
      return { kind: "array", items: open(shape.items) };
    case "object": {
      const fields = new Map(
        Array.from(shape.fields, ([name, field]): [string, ShapeField] => [
          name,
          { ...field, shape: open(field.shape) },
        ]),
      );
      return { kind: "object", fields, rest: UNKNOWN };
    }
    case "union":
      return unionShape(shape.members.map(open));
    // The next value can be anything.
    case "null":
      return UNKNOWN;
    default:
      return shape;
  }
}

/** Fills what is declared as unknown with an example. What is declared stays as it is. */
function completeShape(declared: Shape, example: Shape): Shape {
  if (declared.kind === "unknown") return example;
  if (declared.kind === "union") {
    return unionShape(
      declared.members.map((member) => (member.kind === example.kind ? completeShape(member, example) : member)),
    );
  }
  if (declared.kind === "array" && example.kind === "array") {
    return { kind: "array", items: completeShape(declared.items, example.items) };
  }
  if (declared.kind !== "object" || example.kind !== "object") return declared;
  const fields = new Map(declared.fields);
  for (const [name, field] of example.fields) {
    const before = fields.get(name);
    if (before !== undefined) fields.set(name, { ...before, shape: completeShape(before.shape, field.shape) });
    else if (declared.rest !== null) fields.set(name, field);
  }
  return { ...declared, fields };
}

/** The fields that a value can have, of all its alternatives. */
export function fieldsIn(shape: Shape): ReadonlyMap<string, ShapeField> {
  const objects = membersOf(shape).filter((member) => member.kind === "object");
  return new Map(objects.flatMap(({ fields }) => [...fields]));
}
