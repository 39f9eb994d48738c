import { describe, expect, test } from "vitest";
import { TEMPLATES } from "#lib/core/templates/templates";
import { drawnOrientation } from "@/components/canvas/layout/drawn-orientation";
import { generateGraph } from "@/components/canvas/layout/generate-graph.fixture";
import { tidyLayout } from "@/components/canvas/layout/tidy";

const GRAPHS = 60;
const STEPS_MAX = 40;

describe.each(["vertical", "horizontal"] as const)("a tidied %s drawing", (orientation) => {
  test("of generated workflows shows its direction by its positions alone", () => {
    for (let seed = 0; seed < GRAPHS; seed += 1) {
      const graph = generateGraph(seed, STEPS_MAX);
      if (graph.edges.length === 0) continue;
      expect(drawnOrientation(tidyLayout(graph, {}, orientation)), `seed ${seed}`).toBe(orientation);
    }
  });

  test.each(TEMPLATES.map((template) => [template.name, template.definition] as const))(
    "of the template %s shows its direction by its positions alone",
    (_name, definition) => {
      expect(drawnOrientation(tidyLayout(definition, {}, orientation))).toBe(orientation);
    },
  );
});

test("a drawing without edges is from top to bottom", () => {
  expect(drawnOrientation({ nodes: [], edges: [] })).toBe("vertical");
});
