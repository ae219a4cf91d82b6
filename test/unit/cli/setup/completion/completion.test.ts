// A completion is fast, never fails, and shows nothing that could control the terminal.
import { spawnSync } from 'node:child_process'
import { chmodSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { folderOfFile } from '../../../../helpers/folders.ts'
import { runInProcess } from '../../run-in-process.ts'

const dir = folderOfFile()
beforeAll(() => {
  const policies = { 'month-end': { kind: 'rebalance' }, 'mid-month': { kind: 'fund' }, payout: { kind: 'sweep' } }
  writeFileSync(path.join(dir, 'policies.json'), JSON.stringify({ policies }))
  writeFileSync(path.join(dir, 'buy.json'), '{}')
  symlinkSync(path.resolve('bin/sluice.cjs'), path.join(dir, 'sluice'))
  chmodSync(path.join(dir, 'sluice'), 0o755)
})

async function suggested(...words: string[]): Promise<string[]> {
  const variables = { SLUICE_CONFIG: path.join(dir, 'policies.json') }
  const { exitCode, stdout, stderr } = await runInProcess(['setup', 'completion', 'words', '--', ...words], variables)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t', 1)[0] ?? '')
}

test.each<[string[], string[]]>([
  [
    ['run', ''],
    ['convert', 'withdraw', 'rebalance', 'sweep'],
  ],
  [['mov'], ['movements']],
  [
    ['runs', ''],
    ['list', 'show', 'report'],
  ],
  [
    ['payouts', ''],
    ['template', 'check', 'run', 'results'],
  ],
  [['payouts', 'template', '--o'], ['--out']],
  [['runs', '--policy', 'p'], ['payout']],
  [['runs', '--wat'], ['--watch']],
  [['events', 'dead-letters', 'res'], ['resend']],
  [['service', 'balances', '--his'], ['--history']],
  [
    ['run', 'rebalance', ''],
    ['month-end', 'mid-month', ':files'],
  ],
  [
    ['run', 'rebalance', 'mi'],
    ['mid-month', ':files'],
  ],
  [
    ['run', 'sweep', ''],
    ['payout', ':files'],
  ],
  [['run', 'convert', ''], [':files']],
  [
    ['plan', ''],
    ['month-end', 'mid-month', 'payout'],
  ],
  [['runs', 'list', '--policy', 'p'], ['payout']],
  [['runs', 'list', '--limit', ''], []],
  [['runs', 'list', '--col'], ['--columns']],
  [['runs', 'list', '--js'], ['--json']],
  [['service', 'orders', '--keys', ''], [':files']],
  [
    ['keys', 'status', '--role', ''],
    ['read', 'trade', 'transfer'],
  ],
  [['setup', 'completion', 'b'], ['bash']],
  [['nothing', 'like', 'this'], []],
])('%j may end with %j', async (words, expected) => {
  expect(await suggested(...words)).toEqual(expected)
})

test('policies are those of --config, and an unreadable file has none', async () => {
  const other = path.join(dir, 'other.json')
  writeFileSync(other, JSON.stringify({ policies: { other: { kind: 'fund' } } }))
  expect(await suggested('plan', '--config', other, '')).toEqual(['other'])
  expect(await suggested('plan', `--config=${other}`, '')).toEqual(['other'])
  writeFileSync(other, '{"policies":')
  expect(await suggested('plan', '--config', other, '')).toEqual([])
})

test('a name with control characters cannot steer the terminal', async () => {
  const other = path.join(dir, 'hostile.json')
  writeFileSync(other, JSON.stringify({ policies: { 'a\u001b[2J\nb\u202e': { kind: '\u0007' } } }))
  expect(await suggested('plan', '--config', other, '')).toEqual(['a\\u001b[2J\\u000ab\\u202e'])
})

/** Returns the suggestions, and the modules that were loaded for them. */
function loadedFor(...words: string[]): { readonly stdout: string; readonly urls: readonly string[] } {
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })`
  const imported = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
  const asked = ['setup', 'completion', 'words', '--', ...words]
  const { stdout, stderr } = spawnSync(process.execPath, [...imported, 'cli/main.ts', ...asked], { encoding: 'utf8' })
  return { stdout, urls: stderr.split('\n') }
}

test('only the first completion loads the definitions of the commands', () => {
  const first = loadedFor('ru')
  expect(first.stdout).toBe('run\trun one operation to its end\nruns\truns of policies: list, show, write the report\n')
  const second = loadedFor('ru')
  expect(second.stdout).toBe(first.stdout)
  expect(second.urls.some((url) => url.endsWith('/completion/words.ts'))).toBe(true)
  expect(second.urls.filter((url) => /commander|program|policies/.test(url))).toEqual([])
})

test('a completion after a change of a source loads them again', ({ onTestFinished }) => {
  loadedFor('ru')
  const source = 'cli/whoami/command.ts'
  const { atime, mtime } = statSync(source)
  onTestFinished(() => utimesSync(source, atime, mtime))
  utimesSync(source, atime, new Date(Date.now() + 60_000))
  expect(loadedFor('ru').urls.some((url) => url.endsWith('/cli/program.ts'))).toBe(true)
})

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

/** The script by which a shell prints the suggestions, one a line. */
const DRIVERS = {
  bash: (words: readonly string[]) => `eval "$(sluice setup completion bash)"
COMP_WORDS=(sluice ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_sluice; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The functions of zsh's completion system work only inside its line editor, so they are replaced here.
  zsh: (
    words: readonly string[],
  ) => `compdef() { :; }; _describe() { print -l -- "\${found[@]%%:*}" }; _files() { print -l -- *.json }
eval "$(sluice setup completion zsh)"
words=(sluice ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}
_sluice`,
  fish: (words: readonly string[]) => `sluice setup completion fish | source
complete -C 'sluice ${words.join(' ')}'`,
} as const

const SHELLS = ['bash', 'zsh', 'fish'] as const

test.each(
  SHELLS.filter(isInstalled).flatMap((shell) => [
    [shell, ['run', 'rebalance', 'm'], ['month-end', 'mid-month']] as const,
    [shell, ['plan', ''], ['month-end', 'mid-month', 'payout']] as const,
    [shell, ['run', 'convert', 'b'], ['buy.json']] as const,
    [shell, ['journal', 'au'], ['audit']] as const,
  ]),
)('%s completes %j', (shell, words, expected) => {
  const { stdout, stderr } = spawnSync(shell, ['-c', DRIVERS[shell](words)], {
    cwd: dir,
    encoding: 'utf8',
    env: { PATH: `${dir}:${process.env.PATH}`, HOME: dir, SLUICE_CONFIG: path.join(dir, 'policies.json') },
  })
  const found = stdout.split('\n').map((line) => line.split('\t', 1)[0] ?? '')
  expect({ stderr, found }).toEqual({ stderr: '', found: expect.arrayContaining([...expected]) })
})
