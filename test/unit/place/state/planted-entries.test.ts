// Entries that others may have left in a state directory. The check of its entries refuses each.
import {
  chmodSync,
  existsSync,
  lchownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { keepPrivate, MOST_ENTRIES } from '../../../../place/state/private-directory.ts'
import { AS_ROOT, isRoot, NOBODY } from '../../../helpers/neighbour.ts'

let stateDir: string
let repaired: string[]
beforeEach(() => {
  stateDir = mkdtempSync('/tmp/sluice-planted-')
  repaired = []
  // A link leads there, because a wrong check may close the link's target.
  mkdirSync(`${stateDir}-elsewhere`)
  for (const folder of ['lock', 'assembly/0123', 'service/aws/dynamodb', 'service/aws/executions/m/finished'])
    mkdirSync(path.join(stateDir, folder), { recursive: true, mode: 0o700 })
  for (const file of ['lock/1', 'account.json', 'assembly/0123/manifest.json', 'service/aws/secrets.json'])
    writeFileSync(path.join(stateDir, file), '{}', { mode: 0o600 })
})
afterEach(() => {
  for (const folder of [stateDir, `${stateDir}-elsewhere`]) rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => path.join(stateDir, name)
const modeOf = (name: string) => statSync(at(name)).mode & 0o777
const look = () => keepPrivate(stateDir, (words) => repaired.push(words))

const PLANTED: Readonly<Record<string, readonly [file: string, words: RegExp, plant: () => void]>> = {
  'a link in the place of a file': [
    'service/aws/outbox.jsonl',
    /is a symbolic link/,
    () => symlinkSync(`${stateDir}-elsewhere`, at('service/aws/outbox.jsonl')),
  ],
  'a link in the place of a folder': [
    'reports',
    /is a symbolic link/,
    () => symlinkSync(`${stateDir}-elsewhere`, at('reports')),
  ],
  'another name of a file that is elsewhere': [
    'service/aws/outbox.jsonl',
    /has another name too \(a hard link\)/,
    () => {
      writeFileSync(`${stateDir}-elsewhere/profile`, 'export PATH', { mode: 0o600 })
      linkSync(`${stateDir}-elsewhere/profile`, at('service/aws/outbox.jsonl'))
    },
  ],
  'a folder that others may write to, where they can get at it': [
    'assembly',
    /is open to others, and so is/,
    () => {
      chmodSync(at('assembly'), 0o775)
      chmodSync(stateDir, 0o711)
    },
  ],
  'a file that others may have open': [
    'service/aws/dynamodb/000005.log',
    /is open to others, and so is .*they may still have it open/,
    () => {
      writeFileSync(at('service/aws/dynamodb/000005.log'), '')
      chmodSync(at('service/aws/dynamodb/000005.log'), 0o644)
      chmodSync(stateDir, 0o755)
    },
  ],
  'a directory that others may write to': ['', /is open to others \(mode 770\)/, () => chmodSync(stateDir, 0o770)],
}
const BY_ANOTHER_USER: typeof PLANTED = {
  'a file of another user': [
    'service/aws/secrets.json.new',
    /belongs to another user/,
    () => {
      writeFileSync(at('service/aws/secrets.json.new'), '', { mode: 0o600 })
      lchownSync(at('service/aws/secrets.json.new'), NOBODY, NOBODY)
    },
  ],
  'a folder of another user': [
    'assembly/0123',
    /belongs to another user/,
    () => lchownSync(at('assembly/0123'), NOBODY, NOBODY),
  ],
}
const ALL = { ...PLANTED, ...BY_ANOTHER_USER }

const refusal = (words: RegExp, file: string) =>
  expect.objectContaining({
    exitCode: 2,
    code: 'state_unusable',
    message: expect.stringMatching(words),
    next: expect.stringContaining(file === '' ? stateDir : path.join(stateDir, '')),
  })

test.each(Object.keys(PLANTED))('%s is refused by name, and left as it is', expectRefused)
describe.runIf(isRoot)(`an entry of another user${AS_ROOT}`, () => {
  test.each(Object.keys(BY_ANOTHER_USER))('%s is refused by name, and left as it is', expectRefused)
})

function expectRefused(name: string): void {
  const [file, words, plant] = ALL[name] ?? expect.fail(name)
  plant()
  const [mode, entries] = [modeOf(''), readdirSync(stateDir)]
  expect(() => look()).toThrow(refusal(words, file))
  expect(() => look()).toThrow(at(file))
  expect([modeOf(''), readdirSync(stateDir)]).toEqual([mode, entries])
  expect(repaired).toEqual([])
}

test('a socket is refused by name', async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(at('service/aws/socket'), resolve))
  expect(() => look()).toThrow(/socket is no file and no folder/)
})

test('a file of the lock has two names while it is made, and is accepted', () => {
  linkSync(at('lock/1'), at('lock/77.0123456789abcdef.new'))
  look()
  expect(statSync(at('lock/1')).nlink).toBe(2)
})

test('an entry that nobody else could reach is closed silently', () => {
  chmodSync(at('service'), 0o755)
  chmodSync(at('account.json'), 0o664)
  look()
  expect([modeOf('service'), modeOf('account.json')]).toEqual([0o700, 0o600])
  expect(repaired).toEqual([])
})

test('a directory of folders that others may read is closed with all of them, and named', () => {
  for (const folder of ['', 'service', 'assembly/0123']) chmodSync(at(folder), 0o755)
  look()
  expect(['', 'service', 'assembly/0123'].map(modeOf)).toEqual([0o700, 0o700, 0o700])
  expect(repaired).toEqual([`${stateDir} was open to others (mode 755); it is for its owner only now (700)`])
})

test('the draft of a killed process is removed, and one that is being written stays', () => {
  const [left, fresh] = ['left', 'fresh'].map((name) => at(`service/aws/${name}.0123456789abcdef.new`))
  for (const file of [left, fresh]) writeFileSync(String(file), 'secret', { mode: 0o600 })
  utimesSync(String(left), 0, 0)
  look()
  expect([left, fresh].map((file) => existsSync(String(file)))).toEqual([false, true])
})

test('at most the bound of entries is checked, and those of executions come last', () => {
  const many = at('service/aws/executions/m/finished')
  for (let nth = 0; nth < MOST_ENTRIES; nth += 1) writeFileSync(path.join(many, `${nth}.jsonl`), '', { mode: 0o600 })
  chmodSync(at('service/aws/secrets.json'), 0o640)
  look()
  expect(modeOf('service/aws/secrets.json')).toBe(0o600)
  for (const name of readdirSync(many)) chmodSync(path.join(many, name), 0o640)
  look()
  const open = readdirSync(many).filter((name) => (statSync(path.join(many, name)).mode & 0o077) !== 0)
  // The folders above them are checked too, so this many are left.
  expect(open.length).toBe(readdirSync(stateDir, { recursive: true }).length - MOST_ENTRIES)
})
