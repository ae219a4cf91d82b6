// Tests against a second user of the machine, who could enter a state directory. Files that this user left there are
// not read, run or started, before and after the owner has closed the directory again.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AS_NEIGHBOUR, mayStartNeighbour, NOBODY, startNeighbour } from '../../helpers/neighbour.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startScript } from './command-line.ts'

const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

let dir: string
let state: string
beforeEach(async () => {
  dir = mkdtempSync('/tmp/sluice-neighbour-')
  // The directory is outside the folder of the other tests, which only the owner may enter. So the product must close
  // it.
  chmodSync(dir, 0o755)
  state = path.join(dir, 'state')
  writeFileSync(path.join(dir, 'buy.json'), JSON.stringify(purchase))
  expect(await buy('first')).toMatchObject({ exitCode: 0 })
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const buy = (id: string) =>
  runInProcess(['run', 'convert', '--state', state, '--input', path.join(dir, 'buy.json'), '--id', id])

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ name, parentPath }) =>
    path.join(parentPath, name),
  )

/** Does what `chmod -R a+rwX` does. */
function openToAll(): void {
  for (const file of [state, ...below(state)]) chmodSync(file, lstatSync(file).isDirectory() ? 0o777 : 0o666)
}
/** Does what `chmod -R go=` does. The refusals suggest that command. */
function close(): void {
  for (const file of [state, ...below(state)]) chmodSync(file, lstatSync(file).mode & 0o700)
}
/** Does what `chown -R` does. Afterwards nobody can see who made a file. */
function makeOwn(): void {
  for (const file of [state, ...below(state)]) lchownSync(file, process.getuid?.() ?? 0, process.getgid?.() ?? 0)
}
const journalBytes = () =>
  below(path.join(state, 'built-in/aws/dynamodb')).reduce((sum, file) => sum + statSync(file).size, 0)

async function expectRefused(words: RegExp): Promise<void> {
  const known = journalBytes()
  const refused = await buy('second')
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toMatch(words)
  expect(refused.stderr).toContain('\nnext: ')
  expect(journalBytes()).toBe(known)
}

test.runIf(mayStartNeighbour)(`a draft that another user holds open gets no key${AS_NEIGHBOUR}`, async () => {
  const neighbour = startNeighbour()
  const draft = path.join(state, 'built-in/aws/secrets.json.new')
  rmSync(path.join(state, 'built-in/aws/secrets.json'))
  openToAll()
  expect(await neighbour.act('write', draft, '')).toBe('')
  expect(await neighbour.act('hold', draft)).toBe('')
  await expectRefused(/is open to others \(mode 777\)/)
  close()
  await expectRefused(new RegExp(`${draft} belongs to another user \\(${NOBODY}\\)`))
  makeOwn()
  expect(await buy('second')).toMatchObject({ exitCode: 0 })
  expect(readFileSync(path.join(state, 'built-in/aws/secrets.json'), 'utf8')).toContain('PRIVATE KEY')
  expect(await neighbour.act('read', draft)).toBe('')
})

test.runIf(mayStartNeighbour)(
  `code that another user has put in the place of an assembly never runs${AS_NEIGHBOUR}`,
  async () => {
    const neighbour = startNeighbour()
    const marks = path.join(dir, 'marks')
    mkdirSync(marks)
    chmodSync(marks, 0o777)
    const assembly = path.join(state, 'assembly')
    openToAll()
    const files = below(assembly).filter((file) => statSync(file).isFile())
    const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const)
    expect(await neighbour.act('move', assembly, path.join(state, 'reports'))).toBe('')
    const mark = `require('node:fs').writeFileSync(${JSON.stringify(marks)} + '/' + process.pid, String(process.getuid()));`
    for (const [file, text] of texts)
      expect(await neighbour.act('write', file, file.endsWith('.cjs') ? mark + text : text)).toBe('')
    await expectRefused(/is open to others \(mode 777\)/)
    close()
    await expectRefused(new RegExp(`${assembly} belongs to another user \\(${NOBODY}\\)`))
    expect(readdirSync(marks)).toEqual([])
    makeOwn()
    expect(await buy('second')).toMatchObject({ exitCode: 0 })
    expect(readdirSync(marks)).toEqual([])
    for (const [file, text] of texts) expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

test.runIf(mayStartNeighbour)(`a desk that another user has announced is never asked${AS_NEIGHBOUR}`, async () => {
  const neighbour = startNeighbour()
  const port = await neighbour.act('listen')
  const { started } = { started: readFileSync(`/proc/${neighbour.pid}/stat`, 'utf8') }
  const tick = started.slice(started.lastIndexOf(')') + 2).split(' ')[19]
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const desk = {
    holder: { pid: neighbour.pid, started: `${boot} ${tick}` },
    ...{ command: 'serve', endpointUrl: `http://127.0.0.1:${port}`, region: 'us-east-1' },
    credentials: { accessKeyId: 'AKIANEIGHBOUR0000000', secretAccessKey: 'his' },
  }
  chmodSync(state, 0o777)
  expect(await neighbour.act('write', path.join(state, 'desk.json'), JSON.stringify(desk))).toBe('')
  const listCases = () => runInProcess(['cases', 'list', '--state', state])
  expect(await listCases()).toMatchObject({ exitCode: 2, stdout: '' })
  expect(await runInProcess(['setup', 'diff', '--state', state])).toMatchObject({ stdout: '' })
  expect(await runInProcess(['logs', '--state', state])).toMatchObject({ exitCode: 2, stdout: '' })
  await expectRefused(/is open to others/)
  close()
  await expectRefused(/desk\.json belongs to another user/)
  expect(await listCases()).toMatchObject({ exitCode: 2, stdout: '' })
  expect(await neighbour.act('heard')).toBe('')
})

test.runIf(mayStartNeighbour)(
  `an execution that another user has put there is never started${AS_NEIGHBOUR}`,
  async () => {
    const finished = path.join(state, 'built-in/aws/executions/sluice-convert/finished')
    const [name = ''] = readdirSync(finished)
    const [header = '', first = ''] = readFileSync(path.join(finished, name), 'utf8').split('\n')
    const planted = path.join(finished, '../unfinished', name)
    rmSync(path.join(finished, name))
    writeFileSync(planted, `${header}\n${first}\n`, { mode: 0o600 })
    chownSync(planted, NOBODY, NOBODY)
    await expectRefused(new RegExp(`${planted.replaceAll('.', '\\.')} belongs to another user`))
  },
)

test('no file of a run is readable by others, whatever the umask', async () => {
  rmSync(state, { recursive: true })
  const args = ['run', 'convert', '--state', state, '--input', path.join(dir, 'buy.json'), '--id', 'open']
  const { status } = spawnSync(
    'sh',
    ['-c', 'umask 0; exec "$0" "$@"', process.execPath, path.resolve('bin/sluice.cjs'), ...args],
    { encoding: 'utf8' },
  )
  expect(status).toBe(0)
  const open = [state, ...below(state)].filter((file) => (statSync(file).mode & 0o077) !== 0)
  expect(open).toEqual([])
  expect(existsSync(path.join(state, 'built-in/aws/dynamodb/CURRENT'))).toBe(true)
})

test('a process that serves opens no debugger when it is sent SIGUSR1', async () => {
  const serving = startScript('bin/sluice.cjs', ['serve', '--state', state])
  try {
    await serving.firstLine
    serving.child.kill('SIGUSR1')
    // The process answers after the signal, so the signal has arrived.
    expect(await runInProcess(['cases', 'list', '--state', state])).toMatchObject({ exitCode: 0 })
  } finally {
    serving.child.kill('SIGINT')
  }
  expect((await serving.ended).stderr).not.toContain('Debugger listening')
})
