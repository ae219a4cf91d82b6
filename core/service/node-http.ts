// Gives Node's own HTTP module. An ES module that imports it makes Node evaluate all its exports, among them a
// WebSocket client: 25 ms at each start. A function bundle is CommonJS, where that never happens.
export const { Agent, request } = process.getBuiltinModule('node:http')
