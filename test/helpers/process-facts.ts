// Facts of the process that a test file can change and that another file can notice, with names for people. Also
// restores them.
import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'

/** Libraries listen for the end of the process for good, but nobody may prevent it. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection']
const VARIABLE = 'variable '

/** Values of facts by name. They are compared by identity. */
export type Facts = Readonly<Record<string, unknown>>

/** A property that can be restored. */
type Place = readonly [name: string, holder: object, key: string]

/** The console belongs to Vitest, and may differ for each file. */
function places(): readonly Place[] {
  return [
    ['the object process.env', process, 'env'],
    ['the object process.argv', process, 'argv'],
    ['the exit code', process, 'exitCode'],
    ['the clock', globalThis, 'Date'],
    ['the timers', globalThis, 'setTimeout'],
    ['fetch', globalThis, 'fetch'],
    ['Math.random', Math, 'random'],
    ['Error.stackTraceLimit', Error, 'stackTraceLimit'],
    ['http.globalAgent', http, 'globalAgent'],
    ['https.globalAgent', https, 'globalAgent'],
    ...Object.keys(console).map((method): Place => [`console.${method}`, console, method]),
  ]
}

export function readFacts(): Facts {
  const properties = places().map(([name, holder, key]) => [name, Reflect.get(holder, key)])
  const variables = Object.entries(process.env).map(([name, value]) => [VARIABLE + name, value])
  const listeners = SIGNALS.map((name) => [`listeners of ${name}`, process.listenerCount(name)])
  return {
    ...Object.fromEntries([...properties, ...variables, ...listeners]),
    'the folder': process.cwd(),
    'the umask': process.umask(),
    'the arguments': JSON.stringify(process.argv),
    'the order of DNS results': dns.getDefaultResultOrder(),
    'open servers': process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length,
  }
}

export function changedSince(before: Facts): readonly string[] {
  const after = readFacts()
  return Object.keys({ ...before, ...after }).filter((name) => after[name] !== before[name])
}

/** Restores everything except listeners and servers, which have owners. */
export function takeBack(before: Facts): void {
  for (const [name, holder, key] of places()) Reflect.set(holder, key, before[name])
  process.chdir(String(before['the folder']))
  process.umask(Number(before['the umask']))
  process.argv.splice(0, process.argv.length, ...JSON.parse(String(before['the arguments'])))
  dns.setDefaultResultOrder(before['the order of DNS results'] as ReturnType<typeof dns.getDefaultResultOrder>)
  for (const name of Object.keys(process.env)) if (!(VARIABLE + name in before)) delete process.env[name]
  for (const [name, value] of Object.entries(before))
    if (name.startsWith(VARIABLE)) process.env[name.slice(VARIABLE.length)] = String(value)
}
