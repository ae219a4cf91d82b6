// Does only the work of Lambda's runtime: loads a function's file and calls its handler with one event after another.
// Writes each answer with its time to file descriptor 3 immediately. The first call is a cold start.
// Arguments: the file, the name of the handler in it, and the events as a JSON array.

// An import of node:fs or node:url makes Node evaluate all their exports. That would add milliseconds to each start
// that belong to no step.
const { writeSync } = process.getBuiltinModule('node:fs')
const { createRequire } = process.getBuiltinModule('node:module')
const { pathToFileURL } = process.getBuiltinModule('node:url')

const ANSWERS = 3
const [file, exportName, events] = process.argv.slice(2)
const loaded = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : createRequire(file)(file)
for (const event of JSON.parse(events)) {
  const startedMs = performance.now()
  const context = { awsRequestId: crypto.randomUUID(), getRemainingTimeInMillis: () => 30_000 }
  const answer = await loaded[exportName](event, context)
  writeSync(ANSWERS, `${JSON.stringify({ answer, tookMs: performance.now() - startedMs })}\n`)
}
process.exit()
