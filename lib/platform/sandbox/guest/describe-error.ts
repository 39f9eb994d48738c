const MAX_MESSAGE = 1_000;
const MAX_STACK = 4_000;
const MAX_CODE = 40;

// Captured before user code can change them.
const stringify = JSON.stringify;
const toText = String;
const readProperty = Reflect.get;

/**
 * Describes a thrown value as the JSON text of `{name, message, stack, code, retryAfterMs}`. Anything can be thrown, so every read may
 * itself throw; values that cannot be read are left out.
 */
export function describeError(thrown: unknown): string {
  try {
    return describe(thrown);
  } catch {
    return "{}";
  }
}

function describe(thrown: unknown): string {
  const isObject = (typeof thrown === "object" && thrown !== null) || typeof thrown === "function";
  const message = isObject ? (read(thrown, "message") ?? ownText(thrown)) : textOf(thrown);
  const name = (isObject ? read(thrown, "name") : null)?.slice(0, 100) ?? "";
  const stack = (isObject ? read(thrown, "stack") : null)?.slice(0, MAX_STACK) ?? "";
  const code = (isObject ? read(thrown, "code") : null)?.slice(0, MAX_CODE) ?? "";
  const text = message.slice(0, MAX_MESSAGE) + positionOf(thrown);
  const pause = isObject ? readPause(thrown) : "null";
  // Built from texts only: `JSON.stringify` of an object would call its `toJSON`, which may be the user's.
  return `{"name":${stringify(name)},"message":${stringify(text)},"stack":${stringify(stack)},"code":${stringify(code)},"retryAfterMs":${pause}}`;
}

function read(thrown: object, key: string): string | null {
  try {
    const value: unknown = readProperty(thrown, key);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** How long the code asks to wait, as JSON text. */
function readPause(thrown: object): string {
  try {
    const value: unknown = readProperty(thrown, "retryAfterMs");
    return typeof value === "number" && value >= 0 ? stringify(value) : "null";
  } catch {
    return "null";
  }
}

/** JSONata reports where in the expression it stopped. */
function positionOf(thrown: unknown): string {
  try {
    const { code, position } = thrown as { code?: unknown; position?: unknown };
    if (typeof code !== "string" || typeof position !== "number") return "";
    return ` (${code.slice(0, 20)}, at character ${position})`;
  } catch {
    return "";
  }
}

function ownText(thrown: object): string {
  try {
    return stringify(thrown) ?? textOf(thrown);
  } catch {
    return textOf(thrown);
  }
}

function textOf(thrown: unknown): string {
  if (thrown === null || thrown === undefined) return `The code threw ${thrown}`;
  try {
    return toText(thrown);
  } catch {
    return "something that has no text";
  }
}
