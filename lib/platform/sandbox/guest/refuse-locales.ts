import { defineProperties } from "#lib/platform/sandbox/guest/define-properties";

const DATES = "Use {{format_date(date, pattern, time_zone)}} in the step's input";
const NUMBERS = "Use {{format_number(number, decimals)}} in the step's input";
/** Languages whose letters change case in their own way. */
const OWN_CASE = /^(?:tr|az|lt)(?:-|$)/i;

// Captured before user code can change them.
const DATE_METHODS = ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"] as const;
const { localeCompare, toUpperCase, toLowerCase } = String.prototype;
const { call } = Function.prototype;
const { keys } = Object;
const run = call.bind(call) as <This, Args extends unknown[], Result>(
  work: (this: This, ...args: Args) => Result,
  self: This,
  ...args: Args
) => Result;

/** True for what the interpreter does without locales: English, in UTC, without options. */
function isPlain(locales: unknown, options: unknown): boolean {
  if (locales !== undefined && locales !== "en-US" && locales !== "en") return false;
  if (typeof options !== "object" || options === null) return true;
  return keys(options).every((name) => name === "timeZone" && Reflect.get(options, name) === "UTC");
}

function refuse(method: string, instead: string): never {
  throw new RangeError(`There are no locales and time zones in code: ${method} would ignore them. ${instead}`);
}

/**
 * Refuses the arguments of methods that the interpreter ignores, so that a date in another zone, or a number in another
 * notation, is an error and not a wrong text. A call without them is what it is in the interpreter.
 */
export function refuseLocales(): void {
  for (const name of DATE_METHODS) {
    const original = Date.prototype[name] as () => string;
    defineProperties(Date.prototype, {
      [name](this: Date, locales?: unknown, options?: unknown): string {
        return isPlain(locales, options) ? run(original, this) : refuse(name, DATES);
      },
    });
  }
  defineProperties(Number.prototype, {
    toLocaleString(this: number, locales?: unknown, options?: unknown): string {
      if (locales !== undefined || options !== undefined) refuse("toLocaleString", NUMBERS);
      return `${this}`;
    },
  });
  defineProperties(String.prototype, {
    localeCompare(this: string, other: string, locales?: unknown, options?: unknown): number {
      const isIgnored = typeof options === "object" && options !== null && keys(options).length > 0;
      if (isIgnored) refuse("localeCompare", `Compare other texts, such as those of toLowerCase(), for ${locales}`);
      return run(localeCompare as (other: string) => number, this, other);
    },
    toLocaleUpperCase(this: string, locales?: unknown): string {
      if (OWN_CASE.test(String(locales ?? ""))) refuse("toLocaleUpperCase", "Replace the letters yourself");
      return run(toUpperCase, this);
    },
    toLocaleLowerCase(this: string, locales?: unknown): string {
      if (OWN_CASE.test(String(locales ?? ""))) refuse("toLocaleLowerCase", "Replace the letters yourself");
      return run(toLowerCase, this);
    },
  });
}
