import { describe, expect, test } from "vitest";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Definition } from "#lib/contract/workflow/graph";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { seededRandom } from "#lib/support/seeded-random.fixture";
import { CARD_FOOTER_HEIGHT, type Sizes } from "@/components/canvas/document/dimensions";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";
import { findFaults } from "@/components/canvas/layout/find-faults.fixture";
import { generateGraph } from "@/components/canvas/layout/generate-graph.fixture";
import { nodeSize } from "@/components/canvas/layout/node-size";
import { pushGrown } from "@/components/canvas/layout/push-grown";
import { tidyLayout } from "@/components/canvas/layout/tidy";

const GRAPHS = 500;
const STEPS_MAX = 60;
const SUMMARY_LINE = 18;

const cardsOf = ({ nodes }: Definition) => nodes.filter(({ type }) => !STEP_KINDS[type].holdsBody);

function measure(definition: Definition, orientation: Orientation): Sizes {
  return Object.fromEntries(cardsOf(definition).map((node) => [node.id, nodeSize(definition, node, {}, orientation)]));
}

/** Some cards get a footer after the layout, and some another line of their summary. */
function growSome(sizes: Sizes, seed: number): Sizes {
  const random = seededRandom(seed);
  const grown = Object.entries(sizes).map(([id, { width, height }]) => {
    const footer = random.next() < 0.35 ? CARD_FOOTER_HEIGHT : 0;
    const line = random.next() < 0.2 ? SUMMARY_LINE : 0;
    return [id, { width, height: height + footer + line }] as const;
  });
  return Object.fromEntries(grown);
}

const placesIn = ({ nodes }: Definition) => nodes.map(({ position }) => position);
const isAboutCourse = (fault: string) => fault.includes("walked twice") || fault.includes("leaves its corridor");

describe.each(["vertical", "horizontal"] as const)("in a %s drawing", (orientation) => {
  test(`cards that grow push what is around them, in ${GRAPHS} generated workflows`, () => {
    for (let seed = 0; seed < GRAPHS; seed += 1) {
      const graph = tidyLayout(generateGraph(seed, STEPS_MAX), {}, orientation);
      const former = measure(graph, orientation);
      const sizes = growSome(former, seed);
      const pushed = pushGrown(graph, former, { sizes, orientation });
      expect(findFaults(pushed, orientation, sizes), `seed ${seed}`).toEqual([]);
    }
  });

  test("cards that shrink and grow again, over and over, soon move nothing any further", () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const graph = tidyLayout(generateGraph(seed, STEPS_MAX), {}, orientation);
      const small = measure(graph, orientation);
      const large = growSome(small, seed);
      const growAgain = (definition: Definition) =>
        pushGrown(pushGrown(definition, large, { sizes: small, orientation }), small, { sizes: large, orientation });
      const settled = growAgain(growAgain(growAgain(pushGrown(graph, small, { sizes: large, orientation }))));
      expect(placesIn(growAgain(settled)), `seed ${seed}`).toEqual(placesIn(settled));
    }
  });
});

test("between cards that have grown without any room, lines neither leave the space between their ends nor return", () => {
  for (let seed = 0; seed < GRAPHS; seed += 1) {
    const graph = tidyLayout(generateGraph(seed, STEPS_MAX), {}, "vertical");
    const sizes = growSome(measure(graph, "vertical"), seed);
    expect(findFaults(graph, "vertical", sizes).filter(isAboutCourse), `seed ${seed}`).toEqual([]);
  }
});

test("a card that grows moves only what is below it, and only as far as it lacks room", () => {
  const chain: Definition = {
    nodes: [
      testNode("start", "action_input", 0, 0),
      testNode("near", "transform", 0, 130),
      testNode("end", "return_output", 0, 700),
    ],
    edges: [testEdge("start", "near"), testEdge("near", "end")],
  };
  const former = measure(chain, "vertical");
  const grow = (id: string) => {
    const { width, height } = former[id] ?? { width: 0, height: 0 };
    const sizes = { ...former, [id]: { width, height: height + CARD_FOOTER_HEIGHT } };
    const pushed = pushGrown(chain, former, { sizes, orientation: "vertical" });
    return placesIn(pushed).map(({ y }) => y);
  };
  expect(grow("start")).toEqual([0, 130 + CARD_FOOTER_HEIGHT, 700 + CARD_FOOTER_HEIGHT]);
  expect(grow("near")).toEqual([0, 130, 700]);
  expect(grow("end")).toEqual([0, 130, 700]);
});
