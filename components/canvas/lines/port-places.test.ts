import { expect, test } from "vitest";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { ADD_TARGET } from "@/components/canvas/lines/line-sizes";
import { portOffset, portPlace, portStyle, portsLength } from "@/components/canvas/lines/port-places";

const CARD = 280;

function outputsOf(count: number): Branch[] {
  const ordinary = Array.from({ length: count }, (_, index): Branch => ({ handle: `${index}`, label: "" }));
  return [...ordinary, { handle: "failed", label: "Failed", isFailure: true }];
}

/** The places of all ports in pixels, with the port of a failure last. */
function portsOf(count: number, orientation: Orientation, length: number): number[] {
  const outputs = outputsOf(count);
  return outputs.map((_, index) => portOffset(portPlace(outputs, index, orientation), length));
}

function gapsOf(ports: readonly number[]): number[] {
  return ports.slice(1).map((place, index) => Math.round(1_000 * (place - (ports[index] ?? 0))) / 1_000);
}

test("the port of a failure keeps a distance of an add button from each other port", () => {
  for (let count = 1; count <= 10; count++) {
    expect(Math.min(...gapsOf(portsOf(count, "vertical", CARD))), `${count} branches`).toBeGreaterThan(18);
  }
  for (let count = 1; count <= 8; count++) {
    expect(Math.min(...gapsOf(portsOf(count, "vertical", CARD))), `${count} branches`).toBeGreaterThanOrEqual(
      ADD_TARGET,
    );
  }
});

test("the port of a failure moves no other port of a card with few branches", () => {
  expect(portsOf(1, "vertical", CARD)[0]).toBe(CARD / 2);
  expect(portsOf(3, "vertical", CARD).slice(0, 3)).toEqual([CARD / 4, CARD / 2, (3 * CARD) / 4]);
  expect(portsOf(1, "horizontal", 70)[0]).toBe(35);
});

test("a card with ports on its side is as high as their add buttons need", () => {
  for (let count = 2; count <= 50; count++) {
    const length = portsLength(outputsOf(count), "horizontal");
    expect(Math.min(...gapsOf(portsOf(count, "horizontal", length))), `${count} branches`).toBeGreaterThanOrEqual(
      ADD_TARGET,
    );
  }
  expect(portsLength(outputsOf(1), "horizontal")).toBe(0);
  expect(portsLength(outputsOf(8), "vertical")).toBe(0);
});

test("the style of a port is the place that lines start from", () => {
  for (const count of [1, 2, 3, 7]) {
    for (const orientation of ["vertical", "horizontal"] as const) {
      const outputs = outputsOf(count);
      for (const [index] of outputs.entries()) {
        const place = portPlace(outputs, index, orientation);
        expect(pixels(portStyle(place))).toBeCloseTo(portOffset(place, CARD));
      }
    }
  }
});

function pixels(style: string): number {
  const [, percent = "", inset = "0"] = /^(?:calc\()?([\d.]+)%(?: - ([\d.]+)px\))?$/.exec(style) ?? [];
  return (CARD * Number(percent)) / 100 - Number(inset);
}
