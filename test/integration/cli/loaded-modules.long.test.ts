// Commands that only look load few modules, beside a serve and alone: their loading is most of the time that a person waits.
// A bound is some ten modules above what a command loads. Where one is exceeded, find what imports them, and import it later.
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderOfFile } from '../../helpers/folders.ts'
import { type Running, startScript, startSluice } from './command-line.ts'

const dir = folderOfFile()
let serving: Running
const place = () => ['--state', path.join(dir, 'state')]
beforeAll(async () => {
  serving = startSluice(['serve', '--jsonl', ...place()])
  await serving.firstLine
})
afterAll(async () => {
  serving.child.kill('SIGINT')
  await serving.ended
})

const HOOKS = `import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => (process.stderr.write('loads ' + url + '\\n'), next(url, context)) })`
const HOOKED = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOKS)}` }

/** Modules of Node that are read with `process.getBuiltinModule` where they are needed, because importing them is slow. */
const SLOW_BUILTINS = ['node:http', 'node:https', 'node:tls', 'node:zlib']

async function modulesOf(words: string): Promise<string[]> {
  const args = [...words.split(' '), '--json', ...place()]
  // From the sources, also where a bundle exists.
  const { exitCode, stderr } = await startScript('cli/main.ts', args, { variables: HOOKED }).ended
  expect(exitCode, stderr.replaceAll(/^loads .*\n/gm, '')).toBe(0)
  const imported = [...stderr.matchAll(/^loads (.*)$/gm)].map(([, url = '']) => url)
  // Each takes 1 to 25 ms, which only a command that speaks TLS or reads the file of an execution needs.
  for (const slow of SLOW_BUILTINS) expect(imported).not.toContain(slow)
  const loaded = imported.filter((url) => url.startsWith('file:'))
  expect(loaded.filter((url) => url.includes('/cli/program.ts'))).toHaveLength(1)
  return loaded
}

/** Maximum modules, the libraries' included: beside a serve, and alone, where the command opens the tables or the sandbox. */
const BOUNDS = [
  ['movements list', 332, 416],
  // It also asks for executions without a record, as the list of movements does.
  ['runs list', 323, 408],
  ['cases list', 341, 426],
  ['policies', 307, 388],
  // It also reads the journal, for what is sent and not confirmed.
  ['service balances', 389, 535],
] as const

async function assertFew(words: string, bound: number): Promise<void> {
  const loaded = await modulesOf(words)
  // The SDK alone takes longer to load than such a command may take.
  expect(loaded.filter((url) => /@aws-sdk\/client-|@smithy\//.test(url))).toEqual([])
  expect(loaded.filter((url) => url.endsWith('/command.ts'))).toHaveLength(1)
  expect(loaded.length).toBeLessThanOrEqual(bound)
}

test.each(BOUNDS)('%s beside a serve loads at most %i modules', async (words, beside) => {
  await assertFew(words, beside)
})

test('once the serve has ended, each loads few modules more', async () => {
  serving.child.kill('SIGINT')
  await serving.ended
  for (const [words, , alone] of BOUNDS) await assertFew(words, alone)
})
