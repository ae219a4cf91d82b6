// The program `npm run sandbox`: runs the sandbox alone on this machine. It prints one JSON line when ready, without private
// keys if standard output is a terminal. Help goes there too, and everything else to standard error.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Manners } from './service/manners/manners.ts'
import type { Sandbox, SandboxOptions } from './service/sandbox.ts'

// Compiling a hundred small files takes longer than the rest of a start, so the compiled code is kept. It is kept here,
// because another user could write to Node's default place, the machine's temporary folder.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
const { keysText, readyLine, writeKeys } = await import('./ready.ts')
const { isProfile, PROFILES } = await import('./service/profiles.ts')
const { startSandbox } = await import('./service/sandbox.ts')
const { changedManners, readSeconds, TIDY } = await import('./service/manners/manners.ts')

/** How often a sandbox under npm checks whether npm still runs. */
const PARENT_CHECK_MS = 250
/** The range of `--slow` without a value, in seconds. */
const USUAL_WORK = '16..40'

const HELP = `npm run sandbox -- --port 4010 --keys-out keys.json

Runs an independent implementation of the service API v2 on 127.0.0.1. Prints
one JSON line when it is ready: {"baseUrl","controlUrl","keys","contacts"}. On a
terminal the line shows only the keys' prefixes. For a file:
npm run -s sandbox > sandbox.json (without -s, npm writes its own lines there).

  --port N       port to listen on; 0 or no --port takes any free one
  --seed TEXT    the same seed gives the same assets, keys, contacts and prices
                 (default: sluice)
  --state FILE   keep the world in FILE, so that it survives a restart, a kill
                 and a power cut
  --profile NAME prompt (default), slow (orders settle later), rough (things go
                 wrong), hostile (untidy in every way below, and things go
                 wrong), or one kind of untidiness alone: counter-ids, uuid-ids,
                 odd-ids, coarse-rows, daily-rows, unstable-rows, lacking-rows,
                 late-books, both-legs, slow-work, untidy-bodies,
                 other-readings, untidy-jwks
  --keys-out FILE    write the key with all rights to FILE, for its owner only
  --webhook-url URL  deliver signed events there

How untidy the service is, always within its description:
  --ids KIND     counter (from 1000001 on, for orders as for withdrawals), uuid,
                 odd
  --rows KINDS   coarse (dated to the second or minute), daily (to the day),
                 behind (by a clock five hours behind), unstable (the order of
                 lists changes between requests), small (pages of few rows),
                 lacking (lists lack known rows for seconds); several with
                 commas
  --books completion  a withdrawal is booked when it completes, and never if it
                 fails
  --entries KIND the ledger shows a withdrawal in parts (amount and fee), in
                 legs (both sides of each) or untyped; or a refund as a
                 payment that bounced, or deposited
  --slow [A..B]  the service works on a send for A to B seconds (16..40), then
                 answers and shows it
  --bodies untidy     answers hold undescribed fields, times and statuses
  --readings other    choose the other reading where the description is open
  --jwks untidy       the key set of webhooks has its own media type, and
                      unusable members

  --help         this text

Next: packages/service-sandbox/README.md has a curl line for every part of it.
`

interface Command {
  readonly options: SandboxOptions
  readonly keysFile: string | undefined
}

type MannerFlags = Partial<Record<keyof Manners, string>>

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
  let command: Command | 'help'
  try {
    command = parseOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nTry: npm run sandbox -- --help\n`)
    process.exitCode = 2
    return
  }
  if (command === 'help') {
    process.stdout.write(HELP)
    return
  }
  const { keysFile, options } = command
  const sandbox = await start(options).catch((error: Error) => {
    process.stderr.write(`The sandbox cannot start: ${error.message}\n`)
    process.exitCode = 2
  })
  if (sandbox === undefined) return
  // Signal handlers come before the ready line, because a reader of that line may stop the sandbox at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void sandbox.stop())
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent(sandbox)
  const isTerminal = process.stdout.isTTY === true
  try {
    if (keysFile !== undefined) writeKeys(keysFile, sandbox)
  } catch (error) {
    process.stderr.write(`--keys-out: cannot write ${keysFile}: ${(error as Error).message}\n`)
    process.exitCode = 2
    await sandbox.stop()
    return
  }
  process.stdout.write(`${readyLine(sandbox, isTerminal)}\n`)
  if (isTerminal) process.stderr.write(`${keysText(keysFile)}\n`)
}

function parseOptions(args: string[]): Command | 'help' {
  const { values } = parseArgs({
    args: args.flatMap((arg, at) => (arg === '--slow' && !/^\d/.test(args[at + 1] ?? '') ? [arg, USUAL_WORK] : [arg])),
    options: {
      port: { type: 'string' },
      seed: { type: 'string' },
      state: { type: 'string' },
      profile: { type: 'string' },
      'webhook-url': { type: 'string' },
      'keys-out': { type: 'string' },
      ids: { type: 'string' },
      rows: { type: 'string' },
      books: { type: 'string' },
      entries: { type: 'string' },
      slow: { type: 'string' },
      bodies: { type: 'string' },
      readings: { type: 'string' },
      jwks: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const {
    port = '0',
    seed,
    state,
    profile,
    'webhook-url': webhookUrl,
    'keys-out': keysFile,
    help: _help,
    ...manners
  } = values
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) throw new Error('--port: expected a number from 0 to 65535')
  if (!isProfile(profile)) {
    throw new Error(`--profile: expected one of ${Object.keys(PROFILES).join(', ')}`)
  }
  if (webhookUrl !== undefined && !/^https?:$/.test(URL.parse(webhookUrl)?.protocol ?? '')) {
    throw new Error('--webhook-url: expected an http(s) address')
  }
  if (keysFile === '') throw new Error('--keys-out: expected a file')
  const options = {
    port: Number(port),
    ...(profile === undefined ? {} : { profile }),
    ...(Object.keys(manners).length === 0 ? {} : { manners: parseManners(manners) }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(seed === undefined ? {} : { seed }),
    ...(state === undefined ? {} : { stateFile: state }),
    ...(process.stderr.isTTY ? { log: (line: string) => process.stderr.write(`${line}\n`) } : {}),
  }
  return { options, keysFile }
}

/** Reads the manners given as flags; the others stay unset. Throws an error that names the flags. */
function parseManners(flags: MannerFlags): Partial<Manners> {
  const given = Object.keys(flags)
  try {
    const { rows, slow, ...kinds } = flags
    const read = changedManners(TIDY, {
      ...kinds,
      ...(rows !== undefined && { rows: rows.split(',') }),
      ...(slow !== undefined && { slow: readSeconds(slow) }),
    })
    return Object.fromEntries(Object.entries(read).filter(([name]) => given.includes(name)))
  } catch (error) {
    throw new Error(`${given.map((name) => `--${name}`).join(' ')}: ${(error as Error).message}`)
  }
}

/** npm passes a signal to its shell, which does not pass it on. When the shell is gone, npm was stopped. */
function stopWithParent(sandbox: Sandbox): void {
  const parent = process.ppid
  const watching = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watching)
    void sandbox.stop()
  }, PARENT_CHECK_MS).unref()
}

await main()
