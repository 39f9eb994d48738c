import { expect, it } from "vitest";
import { keyWords } from "@/components/ui/forms/key-words";

it("names keys as they are printed on the keyboard they are pressed on", () => {
  expect(keyWords("⌘⇧P", true)).toBe("⌘⇧P");
  expect(keyWords("⌘⇧P", false)).toBe("Ctrl+Shift+P");
  expect(keyWords("⌘↵", false)).toBe("Ctrl+Enter");
  expect(keyWords("⌘C  ⌘X  ⌘V", false)).toBe("Ctrl+C  Ctrl+X  Ctrl+V");
  expect(keyWords("⌥ and arrows", false)).toBe("Alt and arrows");
  expect(keyWords("+  −", false)).toBe("+  −");
});
