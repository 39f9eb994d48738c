import { expect, it } from "vitest";
import { choiceCodec, choicesCodec, flagCodec, optionalTextCodec, textCodec } from "@/components/ui/url-codecs";

it("a written value is read back, and the default is not written", () => {
  const codec = choiceCodec(["all", "active"], "all");
  expect(codec.write("all")).toBeNull();
  expect(codec.read(codec.write("active"))).toBe("active");
  expect(flagCodec.read(flagCodec.write(true))).toBe(true);
  expect(flagCodec.write(false)).toBeNull();
  expect(textCodec.write("")).toBeNull();
  expect(optionalTextCodec.read("")).toBeNull();
});

it("an unknown word in an address means the default", () => {
  expect(choiceCodec(["a"], null).read("<script>")).toBeNull();
  expect(choicesCodec(["a", "b"]).read("b,evil,a,a")).toEqual(["a", "b"]);
  expect(choicesCodec(["a"]).read(null)).toEqual([]);
});
