import { console, consoleJson } from "#lib/platform/sandbox/guest/console";
import { crypto } from "#lib/platform/sandbox/guest/crypto";
import { defineProperties } from "#lib/platform/sandbox/guest/define-properties";
import { describeError } from "#lib/platform/sandbox/guest/describe-error";
import { random, seedRandom } from "#lib/platform/sandbox/guest/random";
import { refuseLocales } from "#lib/platform/sandbox/guest/refuse-locales";
import { readOutcome, startMain } from "#lib/platform/sandbox/guest/run-main";
import { structuredClone } from "#lib/platform/sandbox/guest/structured-clone";
import { TextDecoder, TextEncoder } from "#lib/platform/sandbox/guest/text-encoding";
import { URL } from "#lib/platform/sandbox/guest/url";
import { URLSearchParams } from "#lib/platform/sandbox/guest/url-search-params";

/**
 * The functions that the host calls in the guest. Values cross as strings and guest functions only; whatever user code
 * does to its heap, it can at most make its own call fail.
 */
const host = { seedRandom, startMain, readOutcome, describeError, consoleJson };

defineProperties(globalThis, { URL, URLSearchParams, TextEncoder, TextDecoder, structuredClone, crypto, console });
defineProperties(Math, { random });
refuseLocales();

// Read once by the host before any user code runs, and deleted then.
Object.defineProperty(globalThis, "__host", {
  configurable: true,
  get() {
    Reflect.deleteProperty(globalThis, "__host");
    return host;
  },
});
