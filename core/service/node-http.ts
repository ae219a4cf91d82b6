// Node's own HTTP. An ES module that imports it makes Node evaluate all that it exports, among that a client of WebSockets:
// 25 ms of each start. A bundle of functions is CommonJS, where that never happens.
export const { Agent, request } = process.getBuiltinModule('node:http')
