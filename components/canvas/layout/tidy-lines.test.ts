import { describe, expect, test } from "vitest";
import { TEMPLATES } from "#lib/core/templates/templates";
import { seededRandom } from "#lib/support/seeded-random.fixture";
import { drawLines } from "@/components/canvas/layout/draw-lines";
import { findFaults } from "@/components/canvas/layout/find-faults.fixture";
import { generateGraph } from "@/components/canvas/layout/generate-graph.fixture";
import { tidyLayout } from "@/components/canvas/layout/tidy";

const GRAPHS = 500;
const LARGE_GRAPHS = 8;
const STEPS_MAX = 60;
const LARGE_STEPS = 200;

describe.each(["vertical", "horizontal"] as const)("a tidied %s drawing", (orientation) => {
  test(`of ${GRAPHS} generated workflows covers nothing and hides no line`, () => {
    for (let seed = 0; seed < GRAPHS; seed += 1) {
      const graph = tidyLayout(generateGraph(seed, STEPS_MAX), {}, orientation);
      expect(findFaults(graph, orientation), `seed ${seed}`).toEqual([]);
    }
  });

  test("of the largest workflows covers nothing and hides no line", () => {
    const large = Array.from({ length: 400 }, (_, seed) => seed).filter(
      (seed) => generateGraph(seed, LARGE_STEPS).nodes.length >= LARGE_STEPS - 1,
    );
    expect(large.length).toBeGreaterThanOrEqual(LARGE_GRAPHS);
    for (const seed of large.slice(0, LARGE_GRAPHS)) {
      const graph = tidyLayout(generateGraph(seed, LARGE_STEPS), {}, orientation);
      expect(findFaults(graph, orientation), `seed ${seed}`).toEqual([]);
    }
  });

  test.each(TEMPLATES.map((template) => [template.name, template.definition] as const))(
    "of the template %s covers nothing and hides no line",
    (_name, definition) => {
      expect(findFaults(tidyLayout(definition, {}, orientation), orientation)).toEqual([]);
    },
  );

  test("is the same for the same graph, wherever its steps were before", () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const graph = generateGraph(seed, STEPS_MAX);
      const random = seededRandom(seed);
      const first = graph.nodes[0]?.position ?? { x: 0, y: 0 };
      const nodes = graph.nodes.map((node, index) =>
        index === 0 ? node : { ...node, position: { x: random.below(4_000), y: random.below(4_000) } },
      );
      const tidy = tidyLayout(graph, {}, orientation);
      expect(tidyLayout({ ...graph, nodes }, {}, orientation).nodes, `seed ${seed}`).toEqual(tidy.nodes);
      expect(first).toEqual(tidy.nodes[0]?.position);
      expect(tidyLayout(tidy, {}, orientation).nodes.every((node, at) => node === tidy.nodes[at])).toBe(true);
    }
  });

  test("has lines that are routed again only if something moved", () => {
    const graph = tidyLayout(generateGraph(8, STEPS_MAX), {}, orientation);
    const view = { sizes: {}, orientation };
    const before = drawLines(graph, view);
    const renamed = graph.nodes.map((node) => ({ ...node, data: { ...node.data, note: "typed" } }));
    const after = drawLines({ ...graph, nodes: renamed }, view, before);
    expect([...after].filter(([id, line]) => before.get(id) !== line)).toEqual([]);
  });
});
