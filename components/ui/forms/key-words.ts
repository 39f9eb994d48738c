const WORDS: Record<string, string> = { "⌘": "Ctrl+", "⇧": "Shift+", "⌥": "Alt+", "↵": "Enter" };

/** Whether the keyboard has ⌘. */
export function hasCommandKey(): boolean {
  return /^(Mac|iP(hone|ad|od))/.test(navigator.platform);
}

/** Keys as they are printed on the keyboard: ⌘⇧P is Ctrl+Shift+P where there is no ⌘. */
export function keyWords(keys: string, isMac: boolean): string {
  return isMac ? keys : keys.replace(/[⌘⇧⌥↵]/g, (key) => WORDS[key] ?? key).replace(/(?<=[a-z])\+(?=\s|$)/g, "");
}
