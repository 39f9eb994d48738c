/**
 * The globals that code finds in the sandbox, with their own members. The editor offers exactly these, and a test asks the
 * sandbox itself: lib/platform/sandbox/sandbox-globals.test.ts.
 */
export const SANDBOX_GLOBALS: Readonly<Record<string, readonly string[]>> = {
  Array: list("isArray from of"),
  ArrayBuffer: list("isView"),
  BigInt: list("asUintN asIntN"),
  Boolean: [],
  DataView: [],
  Date: list("now parse UTC"),
  Error: list("isError"),
  AggregateError: [],
  EvalError: [],
  RangeError: [],
  ReferenceError: [],
  SyntaxError: [],
  TypeError: [],
  URIError: [],
  Infinity: [],
  Iterator: list("concat from"),
  JSON: list("parse stringify"),
  Map: list("groupBy"),
  Math: list(
    "min max abs floor ceil round sqrt acos asin atan atan2 cos exp log pow sin tan trunc sign cosh sinh tanh acosh asinh " +
      "atanh expm1 log1p log2 log10 cbrt hypot random f16round fround imul clz32 sumPrecise E LN10 LN2 LOG2E LOG10E PI " +
      "SQRT1_2 SQRT2",
  ),
  NaN: [],
  Number: list(
    "parseInt parseFloat isNaN isFinite isInteger isSafeInteger MAX_VALUE MIN_VALUE NaN NEGATIVE_INFINITY " +
      "POSITIVE_INFINITY EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER",
  ),
  Object: list(
    "create getPrototypeOf setPrototypeOf defineProperty defineProperties getOwnPropertyNames getOwnPropertySymbols " +
      "groupBy keys values entries isExtensible preventExtensions getOwnPropertyDescriptor getOwnPropertyDescriptors is " +
      "assign seal freeze isSealed isFrozen fromEntries hasOwn",
  ),
  Promise: list("resolve reject all allSettled any try race withResolvers"),
  Proxy: list("revocable"),
  Reflect: list(
    "defineProperty deleteProperty apply construct get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys " +
      "preventExtensions set setPrototypeOf",
  ),
  RegExp: list("escape"),
  Set: list("groupBy"),
  String: list("fromCharCode fromCodePoint raw"),
  Symbol: list(
    "for keyFor toPrimitive iterator match matchAll replace search split toStringTag isConcatSpreadable hasInstance species " +
      "unscopables asyncIterator",
  ),
  TextDecoder: [],
  TextEncoder: [],
  URL: list("parse"),
  URLSearchParams: [],
  WeakMap: [],
  WeakRef: [],
  WeakSet: [],
  BigInt64Array: list("BYTES_PER_ELEMENT"),
  BigUint64Array: list("BYTES_PER_ELEMENT"),
  Float16Array: list("BYTES_PER_ELEMENT"),
  Float32Array: list("BYTES_PER_ELEMENT"),
  Float64Array: list("BYTES_PER_ELEMENT"),
  Int16Array: list("BYTES_PER_ELEMENT"),
  Int32Array: list("BYTES_PER_ELEMENT"),
  Int8Array: list("BYTES_PER_ELEMENT"),
  Uint16Array: list("BYTES_PER_ELEMENT"),
  Uint32Array: list("BYTES_PER_ELEMENT"),
  Uint8Array: list("BYTES_PER_ELEMENT"),
  Uint8ClampedArray: list("BYTES_PER_ELEMENT"),
  atob: [],
  btoa: [],
  console: list("log info debug warn error"),
  crypto: list("randomUUID getRandomValues createHash createHmac"),
  decodeURI: [],
  decodeURIComponent: [],
  encodeURI: [],
  encodeURIComponent: [],
  globalThis: [],
  isFinite: [],
  isNaN: [],
  parseFloat: [],
  parseInt: [],
  structuredClone: [],
  undefined: [],
};

/** Globals that exist and are not offered: they are obsolete, do nothing in a single call, or run text as code. */
export const UNOFFERED_GLOBALS: readonly string[] = list(
  "Function FinalizationRegistry InternalError SharedArrayBuffer escape eval unescape",
);

/** What the values of JSON can do, without what they have only for old programs. */
export const VALUE_MEMBERS = {
  string: list(
    "length at charAt charCodeAt codePointAt concat endsWith includes indexOf isWellFormed lastIndexOf localeCompare match " +
      "matchAll normalize padEnd padStart repeat replace replaceAll search slice split startsWith substring toLowerCase " +
      "toUpperCase toWellFormed trim trimEnd trimStart",
  ),
  number: list("toExponential toFixed toPrecision toString"),
  array: list(
    "length at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach " +
      "includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice " +
      "toReversed toSorted toSpliced unshift values",
  ),
} as const;

/** The functions of the sandbox that differ from those of a browser, and the ones that its users look up. */
export const SANDBOX_SIGNATURES: Readonly<Record<string, string>> = {
  "console.log": "(...values: unknown[]) => void",
  "console.info": "(...values: unknown[]) => void",
  "console.debug": "(...values: unknown[]) => void",
  "console.warn": "(...values: unknown[]) => void",
  "console.error": "(...values: unknown[]) => void",
  "crypto.randomUUID": "() => string",
  "crypto.getRandomValues": "<T extends ArrayBufferView>(view: T) => T",
  "crypto.createHash": '(algorithm: "sha256") => Hash',
  "crypto.createHmac": '(algorithm: "sha256", key: string | Uint8Array) => Hash',
  structuredClone: "<T>(value: T) => T",
  atob: "(base64: string) => string",
  btoa: "(text: string) => string",
  "JSON.parse": "(text: string) => unknown",
  "JSON.stringify": "(value: unknown, replacer?, space?) => string",
  "Object.keys": "(value: object) => string[]",
  "Object.values": "(value: object) => unknown[]",
  "Object.entries": "(value: object) => [string, unknown][]",
};

function list(names: string): readonly string[] {
  return names.split(" ");
}
