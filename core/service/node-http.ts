// Gives Node's own HTTP modules. An ES module that imports `node:http` makes Node evaluate all its exports, among them a
// WebSocket client: 25 ms at each start. A function bundle is CommonJS, where that never happens.
export const { Agent, request } = process.getBuiltinModule('node:http')

/** Gives Node's HTTPS module. It is loaded for an address with TLS alone, because that takes longer than a request. */
export function nodeHttps() {
  return process.getBuiltinModule('node:https')
}
