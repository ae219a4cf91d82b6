// `npm run sandbox`: the service alone, on this machine. Prints one JSON line when it is ready;
// everything else goes to standard error.
import { enableCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import type { ProfileName } from './service/profiles.ts'
import type { Sandbox, SandboxOptions } from './service/sandbox.ts'

// Compiling a hundred small files takes longer than all the rest of a start: keep what was compiled.
enableCompileCache()
const { PROFILES } = await import('./service/profiles.ts')
const { startSandbox } = await import('./service/sandbox.ts')

const PARENT_CHECK_MS = 250

const HELP = `npm run sandbox -- --port 4010

Runs an independent implementation of the service API v2 on 127.0.0.1 and prints one
JSON line when it is ready: {"baseUrl","controlUrl","keys","contacts"}.

  --port N       port to listen on; 0 or none takes any free one
  --seed TEXT    the same seed gives the same assets, keys, contacts and prices (default: sluice)
  --state FILE   keep the world in FILE, so that it survives a restart, a kill and a power cut
  --profile NAME prompt (default), slow (orders settle later) or rough (things go wrong)
  --webhook-url URL  deliver signed events there
  --help         this text

Next: sandbox/README.md has a curl line for every part of it.
`

function parseOptions(args: string[]): SandboxOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      seed: { type: 'string' },
      state: { type: 'string' },
      profile: { type: 'string' },
      'webhook-url': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const { port = '0', seed, state, profile, 'webhook-url': webhookUrl } = values
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) throw new Error('--port: expected a number from 0 to 65535')
  if (profile !== undefined && !isProfile(profile)) {
    throw new Error(`--profile: expected one of ${Object.keys(PROFILES).join(', ')}`)
  }
  if (webhookUrl !== undefined && !/^https?:$/.test(URL.parse(webhookUrl)?.protocol ?? '')) {
    throw new Error('--webhook-url: expected an http(s) address')
  }
  return {
    port: Number(port),
    ...(profile === undefined ? {} : { profile }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(seed === undefined ? {} : { seed }),
    ...(state === undefined ? {} : { stateFile: state }),
    ...(process.stderr.isTTY ? { log: (line) => process.stderr.write(`${line}\n`) } : {}),
  }
}

function isProfile(name: string): name is ProfileName {
  return Object.hasOwn(PROFILES, name)
}

async function start(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    process.stderr.write(`Port ${options.port} is taken: taking a free one instead.\n`)
    return await startSandbox({ ...options, port: 0 })
  }
}

async function main(): Promise<void> {
  let options: SandboxOptions | 'help'
  try {
    options = parseOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nTry: npm run sandbox -- --help\n`)
    process.exitCode = 2
    return
  }
  if (options === 'help') {
    process.stdout.write(HELP)
    return
  }
  const sandbox = await start(options).catch((error: Error) => {
    process.stderr.write(`The sandbox cannot start: ${error.message}\n`)
    process.exitCode = 2
  })
  if (sandbox === undefined) return
  // Before the ready line: whoever reads it may stop the sandbox at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void sandbox.stop())
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent(sandbox)
  const { baseUrl, controlUrl, keys, contacts } = sandbox
  process.stdout.write(`${JSON.stringify({ baseUrl, controlUrl, keys, contacts })}\n`)
}

/** npm passes a signal on to its shell and no further: when the shell is gone, someone has stopped npm. */
function stopWithParent(sandbox: Sandbox): void {
  const parent = process.ppid
  const watching = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watching)
    void sandbox.stop()
  }, PARENT_CHECK_MS).unref()
}

await main()
