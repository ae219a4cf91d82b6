// Every command can be found in the help, shows an example, and suggests the nearest name for a wrong word.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandIn, sameCommand, spelledFor } from '../../../cli/terminal/command-line.ts'
import { runInProcess } from './run-in-process.ts'

const run = (...argv: string[]) => runInProcess(argv)

test.each([[['--help']], [['help']], [['run', '--help']], [['run', 'convert', '--help']]])(
  'help of %j opens with an example, on standard output',
  async (argv) => {
    const { exitCode, stdout, stderr } = await run(...argv)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Example:\n {2}/)
    expect(stdout).toContain('run convert convert.json')
    expect(stderr).toBe('')
  },
)

test.each([
  ['cases list'],
  ['cases again'],
  ['cases resolve'],
  ['cases release'],
  ['halt'],
  ['resume'],
  ['run withdraw'],
  ['run sweep'],
  ['plan'],
  ['policies'],
  ['runs list'],
  ['movements list'],
  ['movements show'],
  ['runs show'],
  ['runs report'],
  ['proof make'],
  ['proof check'],
  ['approve'],
  ['reject'],
])('help of %s begins with its own example', async (words) => {
  const { exitCode, stdout, stderr } = await run(...words.split(' '), '--help')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(/^Example:\n {2}/)
  expect(stdout).toContain(`npx sluice ${words}`)
})

test('the help of the program fits on one screen of a terminal, with a line for each entry', async () => {
  const { stdout } = await run('--help')
  expect(stdout.split('\n').length).toBeLessThanOrEqual(42)
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
})

test('every operation is listed', async () => {
  const { stdout } = await run('run', '--help')
  expect(stdout).toContain('convert')
  for (const verb of ['withdraw', 'rebalance', 'sweep']) expect(stdout).toContain(verb)
})

test.each([
  [['help'], 'Usage: sluice'],
  [['help', 'keys'], 'Usage: sluice keys'],
  [['keys', 'help', 'stage'], 'Usage: sluice keys stage'],
  [['service', 'contacts', 'any-id', '--help'], 'Usage: sluice service contacts'],
  [['service', 'contacts', 'rename', '-h'], 'Usage: sluice service contacts rename'],
  [['serve', '--state', '--help'], 'Usage: sluice serve'],
  [['run', 'convert', '--state', '-h', 'a.json'], 'Usage: sluice run convert'],
])('%j is answered with help', async (argv, usage) => {
  const { exitCode, stdout } = await run(...argv)
  expect(exitCode).toBe(0)
  expect(stdout).toContain(usage)
})

test('the version is that of the package', async () => {
  expect(await run('--version')).toEqual({ exitCode: 0, stdout: '0.4.0\n', stderr: '' })
})

test.each([
  [['rnu'], "unknown command 'rnu'; did you mean run?"],
  [['run', 'convrt'], "unknown command 'convrt'; did you mean convert?"],
  [['run', 'convert', '--inptu', 'a.json'], "unknown option '--inptu'; did you mean --input?"],
  [['run', 'convert', '--input'], "option '--input <file>' argument missing"],
  [['cases', 'list', '--state', '--aws'], '--state: expected a value; got the option --aws'],
  [['cases', 'list', '--state', '--hlep'], '--state: expected a value; got the option --hlep'],
  [['halt', '--because', '--by', 'ada'], '--because: expected a value; got the option --by'],
  [['run', 'convert'], '--input: expected a file, or - for standard input; got nothing'],
  [['movments'], "unknown command 'movments'; did you mean movements?"],
  [['movments', '--help'], "unknown command 'movments'; did you mean movements?"],
  [['help', 'movments'], "unknown command 'movments'; did you mean movements?"],
  [['cases', 'relese'], "unknown command 'relese'; did you mean release?"],
  [['cases', 'relese', '--help'], "unknown command 'relese'; did you mean release?"],
  [['runs', 'core', '--policy', 'core'], "unknown command 'core'"],
  [['events', 'dead-letters', 'shw', 'x'], "unknown command 'shw'; did you mean show?"],
  [['attention'], "unknown command 'attention'"],
  [['prove', 'x'], "unknown command 'prove'; did you mean one of approve, proof?"],
  [['nothing', '--help'], "unknown command 'nothing'"],
  [['run', 'convrt', '--help'], "unknown command 'convrt'; did you mean convert?"],
  [['keys', 'help', 'stag'], "unknown command 'stag'; did you mean stage?"],
  [['cases', 'list', '--aws', '--state', 'x'], '--state: belongs to a state directory'],
  [['cases', 'resolve', 'wd-1'], '--movement and --none: expected one of them; got neither'],
  [['cases', 'resolve', 'wd-1', '--none', '--movement', 'x'], '--movement and --none: expected one of them; got both'],
  [
    ['cases', 'resolve', 'wd-1', '--none', '--by', 'ada'],
    '--because: expected 1 to 500 printable characters; got nothing',
  ],
  [['halt', '--because', 'an audit'], '--by: expected 1 to 100 printable characters; got nothing'],
  [['approve', 'run-1', '--because', 'agreed'], '--by: expected 1 to 100 printable characters; got nothing'],
  [['reject', 'run-1', '--by', 'ada'], '--because: expected 1 to 500 printable characters; got nothing'],
  [['serve', '--port', '0'], '--port: expected a whole number from 1 to 65535; got something else'],
  [['plan'], "missing required argument 'policy'"],
  [['plan', 'core'], 'policy: expected the name of a policy; treasury.json has no policies'],
  [['runs', 'list', '--limit', '0'], '--limit: expected a whole number from 1 to 10000; got something else'],
  [['runs', 'list', '--policy', 'A B'], '--policy: expected at most 48 lower-case letters'],
  [['runs', 'report', 'run-1', '--out', ''], '--out: expected a file; got an empty name'],
  [['proof', 'make', 'run-1', '--out', ''], '--out: expected a file; got an empty name'],
  [['proof', 'make', 'run-1', '--sign-with', 'alias/x'], '--sign-with: expected --aws beside it'],
  [['proof', 'check', 'a.proof', '--thumbprint', 'x'], '--thumbprint: expected 43 letters'],
  [['halt', '--by', 'ada', '--policy', 'A B'], '--policy: expected at most 48 lower-case letters'],
  [['run', 'convert', 'a.json', 'b.json'], "too many arguments for 'convert'"],
  [['run', 'convert', '/nowhere.json'], '--input: cannot read /nowhere.json (ENOENT)'],
  [['run', 'convert', 'a.json', '--input', 'b.json'], '--input: expected nothing beside it; got a.json too'],
  [
    ['run', 'rebalance', 'core'],
    'core: expected an existing file, or the name of a policy of treasury.json; got neither, which has none',
  ],
  [['setup', 'completion', 'tcsh'], 'shell: expected one of bash, zsh, fish; got something else'],
  [['policies', '--columns', 'polcy'], '--columns: expected some of policy, kind, mode,'],
  [['run', 'convert', '--input', 'a.json', '--id', ''], '--id: expected 1 to 200 printable characters; got 0'],
  [['run', 'convert', '--input', '/nowhere.json'], '--input: cannot read /nowhere.json (ENOENT)'],
  [
    ['run', 'convert', '--input', '-', '--service', 'http://localhost', '--keys', '-'],
    '--input and --keys: expected one',
  ],
])('the mistake in %j is named, with exit 2', async (argv, message) => {
  const { exitCode, stdout, stderr } = await run(...argv)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(`error: ${message}`)
  expect(stderr).toMatch(/\nnext: {2}.+\n$/)
})

test.each(['runs', 'movements', 'cases', 'events dead-letters'])('%s alone lists', async (words) => {
  const [alone, listed] = await Promise.all(
    [words, `${words} list`].map((one) => run(...one.split(' '), '--columns', 'x')),
  )
  expect(alone).toEqual(listed)
  expect(alone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--columns: expected some of ') })
})

test.each(['run', 'events', 'events trigger', 'service', 'journal', 'proof', 'keys', 'setup'])(
  '%s alone, which has no list, is shown its help as what is missing',
  async (words) => {
    const { exitCode, stdout, stderr } = await run(...words.split(' '))
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^Example:.*error: expected a command; got none\n/s)
  },
)

test.each([['--csv'], ['--columns', 'run']])('%s beside --json is refused', async (...flags) => {
  const { exitCode, stdout, stderr } = await run('runs', 'list', ...flags, '--json')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(JSON.parse(stderr).error.message).toBe(`${flags[0]} and --json: expected one of them; got both`)
})

test('a mistake under --json is one object on standard error', async () => {
  const { exitCode, stdout, stderr } = await run('run', 'convert', '--json')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', next: expect.any(String) } })
})

test('the command that continues a run names its id and can be pasted', () => {
  expect(sameCommand(['run', 'convert', '--input', "it's here.json"], 'run-1')).toBe(
    "npx sluice run convert --input 'it'\\''s here.json' --id run-1",
  )
  expect(sameCommand(['run', 'convert', '--id=a'], 'a')).toBe('npx sluice run convert --id=a')
  expect(sameCommand(['run', 'sweep', 'payout'], 'a')).toBe('npx sluice run sweep payout --id a')
  // Standard input cannot be read again.
  const piped = 'echo INPUT | npx sluice run convert --input - --id a'
  expect(sameCommand(['run', 'convert', '--input', '-'], 'a')).toBe(piped)
  expect(sameCommand(['run', 'convert', '-'], 'a')).toBe('echo INPUT | npx sluice run convert - --id a')
  expect(sameCommand(['run', 'convert', 'a', '--keys', '-'], 'a')).not.toContain('echo')
})

test('the command that lists halts reads the state directory of the run', () => {
  expect(commandIn('cases list', {})).toBe('npx sluice cases list')
  expect(commandIn('cases list', { state: 'my dir', service: 'http://127.0.0.1:4010' })).toBe(
    "npx sluice cases list --state 'my dir' --service http://127.0.0.1:4010",
  )
})

test('a command that needs keys says so where a service is named, and repeats only given flags', () => {
  const spelled = (flags: object) => spelledFor({ argv: [], flags, takesKeys: false })({ do: 'serve' })
  expect(spelled({})).toBe('npx sluice serve')
  const flags = { service: 'http://127.0.0.1:4010', keys: 'reading.json' }
  expect(spelled(flags)).toBe('npx sluice serve --service http://127.0.0.1:4010 --keys FILE')
  expect(spelled({ aws: true })).toBe('npx sluice serve --aws')
})

test('help loads no schemas, figures or prompts: it is fast', () => {
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })`
  const imported = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
  const { stderr } = spawnSync(process.execPath, [...imported, 'cli/main.ts', '--help'], { encoding: 'utf8' })
  expect(stderr).toContain('/cli/program.ts')
  expect(stderr.split('\n').filter((url) => /zod|aws-sdk|decimal|inquirer/.test(url))).toEqual([])
})

// Modules that a file imports at its top are compiled before the file turns the cache on.
test('the modules of the command are compiled once, and then cached', () => {
  const atTop = readFileSync('cli/main.ts', 'utf8').match(/^import .*$/gm)
  expect(atTop).toEqual(["import '../bin/compile-cache.cjs'"])
})
