// Node's own HTTP. An ES module that imports it makes Node evaluate all that it exports, among that a client of WebSockets:
// a third of what a short command takes. A bundle of functions is CommonJS, where that never happens.
export const { Agent, request } = process.getBuiltinModule('node:http')
