import { compareTexts } from "#lib/platform/sandbox/guest/compare-texts";
import { defineProperties } from "#lib/platform/sandbox/guest/define-properties";
import {
  groupThousands,
  writeEnglishDay,
  writeEnglishNumber,
  writeEnglishTime,
} from "#lib/platform/sandbox/guest/english-texts";

const DATES = "Use {{format_date(date, pattern, time_zone)}} in the step's input";
const NUMBERS = "Use {{format_number(number, decimals)}} in the step's input";
const LETTERS = "Replace the letters yourself";
/** Languages whose letters change case in their own way. */
const OWN_CASE = /^(?:tr|az|lt)(?:-|$)/i;
/** Languages that sort as CLDR's root collation does, without options in the name. */
const ROOT_ORDER = /^(?:en|de|fr|it|nl|pt|ru)(?:-(?!u-)[A-Za-z0-9]+)*$/i;

// Captured before user code can change them.
const DATE_METHODS = {
  toLocaleString: (date: Date) => `${writeEnglishDay(date)}, ${writeEnglishTime(date)}`,
  toLocaleDateString: writeEnglishDay,
  toLocaleTimeString: writeEnglishTime,
};
const { toUpperCase, toLowerCase } = String.prototype;
const { call } = Function.prototype;
const { keys, getPrototypeOf } = Object;
const { isNaN: isNoNumber } = Number;
const run = call.bind(call) as <This, Args extends unknown[], Result>(
  work: (this: This, ...args: Args) => Result,
  self: This,
  ...args: Args
) => Result;

/** True for what can be written without locales: English, without options. */
function isEnglish(locales: unknown, options: unknown): boolean {
  return (locales === undefined || locales === "en-US" || locales === "en") && !hasOptions(options);
}

function hasOptions(options: unknown): boolean {
  return typeof options === "object" && options !== null && keys(options).length > 0;
}

function isInUtc(options: unknown): boolean {
  if (typeof options !== "object" || options === null) return false;
  return keys(options).every((name) => name === "timeZone" && Reflect.get(options, name) === "UTC");
}

function refuse(method: string, instead: string): never {
  throw new RangeError(`There are no locales and time zones in code: ${method} would ignore them. ${instead}`);
}

/**
 * Refuses the arguments of methods that the interpreter ignores, so that a date in another zone, or a number in another
 * notation, is an error and not a wrong text. Without them, the methods write English and UTC, as they do elsewhere.
 */
export function refuseLocales(): void {
  for (const [name, write] of Object.entries(DATE_METHODS)) {
    defineProperties(Date.prototype, {
      [name](this: Date, locales?: unknown, options?: unknown): string {
        if (!isEnglish(locales, isInUtc(options) ? undefined : options)) refuse(name, DATES);
        return isNoNumber(this.getTime()) ? "Invalid Date" : write(this);
      },
    });
  }
  defineProperties(Number.prototype, {
    toLocaleString(this: number, locales?: unknown, options?: unknown): string {
      if (!isEnglish(locales, options)) refuse("toLocaleString", NUMBERS);
      return writeEnglishNumber(Number(this));
    },
  });
  defineProperties(BigInt.prototype, {
    toLocaleString(this: bigint, locales?: unknown, options?: unknown): string {
      if (!isEnglish(locales, options)) refuse("toLocaleString", NUMBERS);
      return groupThousands(`${this}`);
    },
  });
  const lists = {
    toLocaleString(this: ArrayLike<unknown>, ...given: unknown[]): string {
      return Array.from(this, (item) => (item === null || item === undefined ? "" : writeItem(item, given))).join(",");
    },
  };
  for (const kind of [Array.prototype, getPrototypeOf(Int8Array.prototype)]) defineProperties(kind, lists);
  refuseLocalesOfTexts();
}

/** A list passes its arguments on (ECMA-402, 20.5.1), which the interpreter does not. */
function writeItem(item: unknown, given: readonly unknown[]): string {
  const { toLocaleString: write } = Object(item) as { toLocaleString: (...given: unknown[]) => string };
  return run(write, item, ...given);
}

function refuseLocalesOfTexts(): void {
  defineProperties(String.prototype, {
    localeCompare(this: string, other: unknown, locales?: unknown, options?: unknown): number {
      const isOwnOrder = locales !== undefined && !ROOT_ORDER.test(`${locales}`);
      if (isOwnOrder || hasOptions(options)) {
        refuse("localeCompare", "Compare other texts, such as those of toLowerCase(), or the numbers in them");
      }
      return compareTexts(`${this}`, `${other}`);
    },
    toLocaleUpperCase(this: string, locales?: unknown): string {
      if (OWN_CASE.test(`${locales ?? ""}`)) refuse("toLocaleUpperCase", LETTERS);
      return run(toUpperCase, this);
    },
    toLocaleLowerCase(this: string, locales?: unknown): string {
      if (OWN_CASE.test(`${locales ?? ""}`)) refuse("toLocaleLowerCase", LETTERS);
      return run(toLowerCase, this);
    },
  });
}
