import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { afterPointer, watchPointer } from "@/components/ui/after-pointer";

const send = (type: string) => window.dispatchEvent(new Event(type));

test("a change runs at once unless a pointer is down, and then after the click, in order", async () => {
  watchPointer();
  const ran: string[] = [];
  afterPointer(() => ran.push("free"));
  expect(ran).toEqual(["free"]);
  send("pointerdown");
  afterPointer(() => ran.push("first"));
  send("pointerup");
  afterPointer(() => ran.push("second"));
  ran.push("click");
  await eventually(() => expect(ran).toEqual(["free", "click", "first", "second"]));
});

test("a key that comes before the timer finds the changes made", () => {
  watchPointer();
  const ran: string[] = [];
  send("pointerdown");
  afterPointer(() => ran.push("left"));
  send("keydown");
  expect(ran).toEqual([]);
  send("pointerup");
  send("keydown");
  expect(ran).toEqual(["left"]);
});

test("a press that the browser takes away, as for a drag, is no longer down", async () => {
  watchPointer();
  const ran: string[] = [];
  send("pointerdown");
  afterPointer(() => ran.push("left"));
  send("pointercancel");
  await eventually(() => expect(ran).toEqual(["left"]));
});
