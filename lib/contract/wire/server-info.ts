/** What MCP and the OpenAPI document say about the server. A test compares it with package.json. */
export const SERVER_INFO = { name: "signalbox", title: "Signalbox", version: "0.1.0" };
