let isDown = false;
let isListening = false;
let waiting: (() => void)[] = [];

/**
 * Runs a change that can move what is on the screen: at once, or after the pointer is up and its click is handled. A press
 * moves the focus before the pointer is up, so a message that appears when a field loses the focus would move the pressed
 * button away from the pointer, and the browser would drop the click. Changes run in the order in which they were asked
 * for.
 */
export function afterPointer(change: () => void): void {
  if (isDown || waiting.length > 0) waiting.push(change);
  else change();
}

/** Must be called before the first press that counts. */
export function watchPointer(): void {
  if (isListening) return;
  isListening = true;
  window.addEventListener("pointerdown", press, { capture: true });
  window.addEventListener("pointerup", release, { capture: true });
  window.addEventListener("pointercancel", release, { capture: true });
  // A key can come before the timer, and what it does must follow what the press did.
  window.addEventListener("keydown", flush, { capture: true });
  window.addEventListener("beforeinput", flush, { capture: true });
}

function press(): void {
  isDown = true;
}

/** The click follows in the same task. */
function release(): void {
  isDown = false;
  if (waiting.length > 0) setTimeout(flush);
}

function flush(): void {
  if (isDown) return;
  const changes = waiting;
  waiting = [];
  for (const change of changes) change();
}
