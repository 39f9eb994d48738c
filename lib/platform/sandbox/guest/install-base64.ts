import { atob, btoa } from "#lib/platform/sandbox/guest/base64";
import { defineProperties } from "#lib/platform/sandbox/guest/define-properties";

/** Evaluated before the rest: the URL package decodes its tables with `atob` while it loads. */
defineProperties(globalThis, { atob, btoa });
