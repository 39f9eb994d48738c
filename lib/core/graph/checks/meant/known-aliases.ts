import { findAlias } from "#lib/support/find-alias";

/**
 * What other workflow engines and programming languages call a setting, by our name for it. Names are compared without upper
 * case and separators, so that `maxTokens` needs no row.
 */
const KEY_ALIASES: Readonly<Record<string, string>> = {
  operator: "op comparator comparison",
  left: "field variable lhs value1 leftvalue",
  right: "value rhs value2 rightvalue expected",
  name: "key field property",
  value: "expression val expr template",
  items: "list array collection over foreach",
  seconds: "duration delay secs wait",
  maxRetries: "retries retry retrycount attempts",
  continueOnFailure: "continueonerror continueonfail ignoreerrors",
  source: "code script javascript typescript js",
  input: "args arguments parameters params",
  prompt: "message usermessage content question",
  system: "systemprompt systemmessage instructions",
  output_schema: "schema responseschema jsonschema",
  action_slug: "action slug",
  connection_id: "connection credential credentials",
  properties: "fields outputs",
  fields: "properties mapping assignments values",
  rules: "conditions filters",
  match: "logic combinator combine",
  url: "uri endpoint address href",
  query: "params queryparams queryparameters querystring qs",
  body: "data json payload",
  headers: "httpheaders requestheaders",
  method: "verb httpmethod",
};

/** What else people write for a value of a choice. Signs are compared as they are. */
const VALUE_ALIASES: Readonly<Record<string, string>> = {
  equals: "= == === eq is equal equalto",
  not_equals: "!= !== <> ne neq isnot notequal notequalto doesnotequal",
  greater_than: "> gt greater morethan",
  greater_or_equal: ">= => gte ge greaterthanorequal greaterthanorequalto greaterthanequal atleast",
  less_than: "< lt less lower",
  less_or_equal: "<= =< lte le lessthanorequal lessthanorequalto lessthanequal atmost",
  contains: "includes has include",
  not_contains: "doesnotcontain notincludes excludes",
  starts_with: "beginswith",
  matches: "regex regexp =~ ~ matchesregex",
  is_empty: "empty isnull null isblank blank notexists isundefined",
  is_not_empty: "notempty isnotnull notnull present isnotblank",
  is_true: "true",
  is_false: "false",
  exists: "isset isdefined defined",
  all: "and && every",
  any: "or || some",
  string: "text str date datetime",
  integer: "int long",
  number: "float double decimal num",
  boolean: "bool",
  array: "list",
  object: "dict map json record",
};

/** Returns the setting that another engine calls by this name; null if there is none, or several. */
export const findKeyAlias = (wrong: string, known: Iterable<string>) => findAlias(KEY_ALIASES, wrong, known);
export const findValueAlias = (wrong: string, known: Iterable<string>) => findAlias(VALUE_ALIASES, wrong, known);
