import { expect, test } from "vitest";
import { completionPlaceAt } from "@/components/canvas/expressions/editor/completion-place";

/** Finds the place at the `|` of a text, and returns the part that a choice would replace. */
function placeAt(marked: string, isAsked = false) {
  const position = marked.indexOf("|");
  const text = marked.replace("|", "");
  const place = completionPlaceAt(text, position, isAsked);
  return place === null ? null : { ...place, replaced: text.slice(place.from, place.to) };
}

test("the whole path around the caret is the token, not only the part before it", () => {
  expect(placeAt("{{action_in|put.amount}}")).toMatchObject({ typed: "action_in", replaced: "action_input.amount" });
  expect(placeAt('{{upper(order["unit pr|ice"].x)}}')).toMatchObject({ replaced: 'order["unit price"].x' });
  expect(placeAt("Hi {{action_in|put.amount and more")).toMatchObject({ replaced: "action_input.amount" });
});

test("a token that is the whole expression is completed with it, and one in a longer expression alone", () => {
  expect(placeAt("{{ am| }}")).toMatchObject({ isAlone: true, expression: { from: 0, to: 8, isClosed: true } });
  expect(placeAt("Is {{ord|")).toMatchObject({ isAlone: true, expression: { from: 3, to: 8, isClosed: false } });
  expect(placeAt('{{am| ?? "x"}}')).toMatchObject({ isAlone: false, replaced: "am" });
});

test("nothing is completed outside of expressions, in quoted texts and in numbers", () => {
  expect(placeAt("plain te|xt")).toBeNull();
  expect(placeAt("{{a.b}} te|xt")).toBeNull();
  expect(placeAt("\\{{am|")).toBeNull();
  expect(placeAt('{{upper("am|")}}')).toBeNull();
  expect(placeAt("{{round(1|2)}}")).toBeNull();
  expect(placeAt("{{a.b}|}")).toBeNull();
});

test("outside of expressions, values are offered when the user asks", () => {
  expect(placeAt("plain |text", true)).toMatchObject({ typed: "", expression: null, isAlone: true });
});

test("after a value only ?? can follow, and after ??, a comma and a parenthesis a value", () => {
  expect(placeAt("{{action_input.note |}}")).toMatchObject({ isAfterValue: true, typed: "" });
  expect(placeAt("{{first(orders).sku ?|}}")).toMatchObject({ isAfterValue: true, typed: "?" });
  for (const before of ["{{a ?? |}}", "{{upper(|)}}", "{{round(a, |)}}", "{{|}}"]) {
    expect(placeAt(before), before).toMatchObject({ isAfterValue: false });
  }
});
