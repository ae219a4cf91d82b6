// Proofs of the tour's runs: what they say, that no byte of them can be changed, and that a proof which somebody else made
// up is refused or convicted. Each is checked by the command and by the script for third parties, which share no code.
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkProof } from '../../../cli/proof/check-proof.ts'
import {
  openPack,
  PackFault,
  type Part,
  type ProofSigner,
  publicJwkOf,
  sealPack,
} from '../../../cli/proof/pack-file.ts'
import { evidenceIn } from '../../../cli/proof/proof-parts.ts'
import { statementOf } from '../../../cli/proof/statement.ts'
import { openBuiltInSandbox } from '../../../cli/target/service/service-target.ts'
import { proofKeyFile, tourFolder } from '../../../cli/target/state/state-layout.ts'
import { chained } from '../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startScript } from './command-line.ts'

// The tour takes some ten seconds on a machine that has nothing else to do.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const SCRIPT = path.resolve(import.meta.dirname, '../../../docs/verify-proof.mjs')

let dir: string
let files: readonly string[]
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-proofs-'))
  const { exitCode, stdout, stderr } = await startScript('cli/start.ts', ['--state', dir, '--json']).ended
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  files = JSON.parse(stdout).proofs
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const byScript = (file: string, ...more: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, file, ...more], { encoding: 'utf8' })
  return { exitCode: status, stdout, stderr }
}
const written = (bytes: Uint8Array | string): string => {
  const file = path.join(dir, 'altered.proof')
  writeFileSync(file, bytes)
  return file
}
const proofOf = (name: string) => {
  const file = files.find((each) => path.basename(each).startsWith(name))
  if (file === undefined) throw new TypeError(`the tour has no proof of ${name}`)
  return file
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const stranger: ProofSigner = {
  alg: 'EdDSA',
  jwk: publicJwkOf(publicKey.export({ format: 'jwk' }), 'EdDSA'),
  signBytes: async (bytes) => sign(null, bytes, privateKey),
}

test('each run of the tour has a proof that the command and the script take, with every movement in it', async () => {
  expect(files).toHaveLength(3)
  const movements: string[] = []
  for (const file of files) {
    const { exitCode, stdout } = await runInProcess(['verify', file, '--json'])
    expect(exitCode).toBe(0)
    const { statement, isPinned } = JSON.parse(stdout)
    expect(statement).toMatchObject({ run: { outcome: 'SETTLED' }, contradictions: [], notShown: expect.any(Array) })
    expect(isPinned).toBe(false)
    for (const { verdict, movementId, moved } of statement.movements) {
      expect({ verdict, status: moved.status }).toMatchObject({ verdict: 'one movement' })
      movements.push(movementId)
    }
    const script = byScript(file)
    expect(script).toMatchObject({ exitCode: 0, stderr: '' })
    for (const { movementId } of statement.movements) expect(script.stdout).toContain(`"one movement","${movementId}"`)
  }
  expect(new Set(movements).size).toBe(5)
})

test('the script for third parties is one file of under 200 lines, and imports nothing but Node', () => {
  const source = readFileSync(SCRIPT, 'utf8')
  expect(source.split('\n').length).toBeLessThanOrEqual(200)
  const imported = [...source.matchAll(/^import .* from '(.*)'$/gm)].map(([, from]) => from)
  expect(imported).toEqual(['node:crypto', 'node:fs'])
})

test('a key that was published is pinned, and another one is refused', async () => {
  const file = proofOf('tour-payout')
  const shown = await runInProcess(['prove', '--public-key', '--state', dir, '--json'])
  const { thumbprint, publicKeyPem } = JSON.parse(shown.stdout)
  const pem = path.join(dir, 'published.pem')
  writeFileSync(pem, publicKeyPem)
  expect(JSON.parse((await runInProcess(['verify', file, '--key', pem, '--json'])).stdout)).toMatchObject({
    isPinned: true,
    thumbprint,
  })
  expect(byScript(file, thumbprint)).toMatchObject({ exitCode: 0, stderr: '' })
  // Nothing is changed, but for who signed it.
  const resigned = written(await sealPack([...(await openPack(readFileSync(file))).parts.values()], stranger))
  expect(await runInProcess(['verify', resigned])).toMatchObject({ exitCode: 0 })
  for (const pin of [
    ['--key', pem],
    ['--thumbprint', thumbprint],
  ]) {
    const refused = await runInProcess(['verify', resigned, ...pin])
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain(`and not of the one that was named, ${thumbprint}`)
  }
  expect(byScript(resigned, thumbprint)).toMatchObject({ exitCode: 1, stdout: '' })
})

test('no proof holds a secret, a token, or a path of this machine', async () => {
  const sandbox = await openBuiltInSandbox(tourFolder(dir).sandboxFile)
  const secrets = Object.values(sandbox.keys).flatMap(({ secret, privateKeyPem }) => [
    secret,
    ...privateKeyPem.split('\n'),
  ])
  await sandbox.stop()
  const own = readFileSync(proofKeyFile(dir), 'utf8').split('\n')
  const hidden = [...secrets, ...own, dir, 'PRIVATE KEY', 'Bearer', 'authorization'].filter((text) => text.length > 5)
  expect(hidden.length).toBeGreaterThan(6)
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    for (const text of hidden) expect(lines.join('\n').includes(text)).toBe(false)
    // A token begins so. The one signature is the last line.
    expect(lines.slice(0, -1).some((line) => line.includes('eyJ'))).toBe(false)
  }
})

/** A sequence that is the same in every run (Numerical Recipes, "Quick and dirty generators"). */
function* drawn(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

test('each of 100 changes of one byte is found in each proof, and the part is named', async () => {
  const draws = drawn(7)
  const next = (below: number) => Math.floor(draws.next().value * below)
  for (const file of files) {
    const whole = readFileSync(file)
    const names = [...(await openPack(whole)).parts.keys()]
    const lineOf = (at: number) => whole.subarray(0, at).filter((byte) => byte === 10).length
    for (let change = 0; change < 100; change += 1) {
      const changed = Buffer.from(whole)
      const at = next(changed.length)
      changed[at] = (changed[at] ?? 0) ^ (1 + next(255))
      const fault: unknown = await checkProof(changed).catch((error: unknown) => error)
      expect(fault).toBeInstanceOf(PackFault)
      const isLineEnd = whole[at] === 10
      const name = names[lineOf(at)]
      if (!isLineEnd && name !== undefined && changed[at] !== 10) expect((fault as PackFault).where).toContain(name)
      if (change % 10 === 0) expect(byScript(written(changed))).toMatchObject({ exitCode: 1, stdout: '' })
    }
    // What is cut off or put on is a change, too.
    for (const other of [whole.subarray(0, -1), Buffer.concat([whole, Buffer.from('\n')]), whole.subarray(1)]) {
      await expect(checkProof(other)).rejects.toBeInstanceOf(PackFault)
      expect(byScript(written(other)).exitCode).toBe(1)
    }
  }
})

// biome-ignore lint/suspicious/noExplicitAny: parts of JSON, changed at will.
type Loose = any

/** As whoever holds a key could make it: parts changed, perhaps with the statement that follows from them. */
async function forged(name: string, change: (parts: Map<string, Loose>) => void, isConsistent = true) {
  const parts: Map<string, Loose> = new Map(structuredClone([...(await openPack(readFileSync(proofOf(name)))).parts]))
  change(parts)
  if (isConsistent) parts.set('statement', { part: 'statement', statement: statementOf(evidenceIn(parts)) })
  return sealPack([...parts.values()] as Part[], stranger)
}
const find = (parts: Map<string, Loose>, prefix: string): Loose => {
  const [, part] = [...parts].find(([name]) => name.startsWith(prefix)) ?? []
  if (part === undefined) throw new TypeError(`the proof has no ${prefix}`)
  return part
}
/** With a chain of its own, as somebody who writes the journal could. */
const rewrite = (parts: Map<string, Loose>, prefix: string, change: (record: Loose) => void): void => {
  const part = find(parts, prefix)
  change(part.record)
  const { before } = part.record
  part.record = chained(part.record as StoredRecord, before)
}

test.each<[string, string, string, (parts: Map<string, Loose>) => void]>([
  [
    'record_broken',
    'tour-payout',
    'a field of a record was changed by hand',
    (parts) => {
      find(parts, 'record I#').record.createdAt = '2020-01-01T00:00:00.000Z'
    },
  ],
  [
    'another_account',
    'tour-payout',
    'the service was read as another account',
    (parts) => {
      find(parts, 'about').account = 'another'
    },
  ],
  [
    'request_differs',
    'tour-payout',
    'what was asked for was changed',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        record.params.amount = '1'
      })
    },
  ],
  [
    'leg_differs',
    'tour-payout',
    'the plan was changed afterwards',
    (parts) => {
      rewrite(parts, 'record R#', (record) => {
        record.plan.legs[0].request.amount = '1'
      })
    },
  ],
  [
    'body_differs',
    'tour-payout',
    'something else was signed',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        record.attempt.bodySha256 = '0'.repeat(64)
      })
    },
  ],
  [
    'claim_missing',
    'tour-arrivals',
    'the claim is of another intent',
    (parts) => {
      rewrite(parts, 'record C#', (record) => {
        record.intentId = 'another'
      })
    },
  ],
  [
    'movement_missing',
    'tour-arrivals',
    'the service shows no such order',
    (parts) => {
      const { orders } = find(parts, 'service ')
      for (const order of orders) order.row = null
    },
  ],
  [
    'movement_differs',
    'tour-arrivals',
    'the order is of the other side',
    (parts) => {
      for (const { row } of find(parts, 'service ').orders) if (row !== null) row.side = 'BUY'
    },
  ],
  [
    'another_movement',
    'tour-arrivals',
    'another quote of the intent was ordered as well',
    (parts) => {
      const { orders } = find(parts, 'service ')
      orders.push({ id: 'second', row: { ...orders[0].row, id: 'second' } })
    },
  ],
  [
    'another_movement',
    'tour-payout',
    'a row like it belongs to nobody',
    (parts) => {
      const { rows, withdrawal } = find(parts, 'service ')
      rows.push({ ...withdrawal, id: 'second' })
    },
  ],
  [
    'figures_differ',
    'tour-arrivals',
    'a fill is of another amount',
    (parts) => {
      find(parts, 'service ').fills[0].baseAmount = '1.4'
    },
  ],
  [
    'figures_differ',
    'tour-arrivals',
    'the ledger has no entry of a fill',
    (parts) => {
      find(parts, 'service ').ledger = []
    },
  ],
  [
    'figures_differ',
    'tour-payout',
    'the ledger booked another amount',
    (parts) => {
      find(parts, 'service ').ledger[0].amount = '1'
    },
  ],
  [
    'another_movement',
    'tour-arrivals',
    'a zero, and its order is there',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        Object.assign(record, { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' })
        delete record.ref
      })
    },
  ],
  [
    'not_looked_for',
    'tour-arrivals',
    'a zero of which nobody asked the service',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        Object.assign(record, { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' })
        delete record.ref
      })
      Object.assign(find(parts, 'service '), { orders: [], fills: [], ledger: [] })
    },
  ],
  [
    'looked_too_early',
    'tour-arrivals',
    'a zero that was looked at before the send was dead',
    (parts) => {
      rewrite(parts, 'record I#', (record) => {
        Object.assign(record, { state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why: 'nothing moved' })
        delete record.ref
      })
      Object.assign(find(parts, 'service '), { readAt: '2020-01-01T00:00:00.000Z', orders: [], fills: [], ledger: [] })
    },
  ],
  [
    'movement_shared',
    'rebalance-',
    'two intents have one movement',
    (parts) => {
      const [first, second] = [...parts.values()].filter(({ part }) => part.startsWith('record I#'))
      rewrite(parts, second.part, (record) => {
        record.ref = first.record.ref
      })
    },
  ],
])(
  'evidence that speaks against itself is convicted, however it is signed: %s (%s: %s)',
  async (code, name, _what, change) => {
    const file = written(await forged(name, change))
    const { exitCode, stdout } = await runInProcess(['verify', file, '--json'])
    expect(exitCode).toBe(5)
    expect(JSON.parse(stdout).statement.contradictions.map((each: { code: string }) => each.code)).toContain(code)
    const script = byScript(file)
    expect(script).toMatchObject({ exitCode: 5, stderr: '' })
    expect(script.stdout).toContain(code)
    // The statement of before, over this evidence, is a lie.
    const lie = written(await forged(name, change, false))
    const told = await runInProcess(['verify', lie])
    expect(told).toMatchObject({ exitCode: 1, stdout: '' })
    expect(told.stderr).toContain('statement: it says other than what follows from the evidence beside it')
    expect(byScript(lie)).toMatchObject({ exitCode: 1, stdout: '' })
  },
)

test('an intent that a person must settle, one in doubt and a certified zero are told as what they are', async () => {
  const states: [state: string, verdict: string, more: object][] = [
    ['ESCALATED', 'halt with evidence', { outcome: 'NEEDS_ATTENTION', why: 'two rows match' }],
    ['ARMED', 'in doubt', {}],
    ['EXHAUSTED', 'certified zero', { outcome: 'EXPIRED_OUT', why: 'no order was there past the fence' }],
  ]
  for (const [state, verdict, more] of states) {
    const file = written(
      await forged('tour-arrivals', (parts) => {
        rewrite(parts, 'record I#', (record) => {
          delete record.ref
          Object.assign(record, { state, ...more })
        })
        const service = find(parts, 'service ')
        const orders = service.orders.map(({ id }: { id: string }) => ({ id, row: null }))
        Object.assign(service, { readAt: '2999-01-01T00:00:00.000Z', orders, fills: [], ledger: [] })
      }),
    )
    const { exitCode, stdout } = await runInProcess(['verify', file, '--json'])
    expect({ exitCode, verdict: JSON.parse(stdout).statement.movements[0].verdict }).toEqual({ exitCode: 0, verdict })
    expect(byScript(file)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(verdict) })
  }
})

test.each<[string, (parts: Map<string, Loose>) => void, RegExp]>([
  [
    'a record under the name of another',
    (parts) => {
      const [first, second] = [...parts.values()].filter(({ part }) => part.startsWith('record I#'))
      const { record } = first
      first.record = second.record
      second.record = record
    },
    /record I#\S+: it holds another record than it says/,
  ],
  [
    'a record without its intent',
    (parts) => {
      find(parts, 'record R#').record.phases[0].legs = 'none'
    },
    /phases/,
  ],
  ['no statement', (parts) => parts.delete('statement'), /statement: the part is missing/],
  ['no run', (parts) => parts.delete(find(parts, 'record R#').part), /record is missing/],
  [
    'an amount that is a number',
    (parts) => {
      find(parts, 'service ').fills[0].baseAmount = 1.5
    },
    /service \S+: .*baseAmount/,
  ],
  [
    'a prototype',
    (parts) => {
      parts.set('__proto__', { part: '__proto__' })
      find(parts, 'about').kind = '__proto__'
    },
    /about/,
  ],
])('a proof with %s is refused in words', async (_what, change, words) => {
  const file = written(await forged('rebalance-', change, false))
  const { exitCode, stdout, stderr } = await runInProcess(['verify', file])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(words)
  expect(byScript(file)).toMatchObject({ exitCode: 1, stdout: '' })
})

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

test('what is no proof is refused in words: other algorithms, private keys, depth, size, and other files', async () => {
  const whole = readFileSync(proofOf('tour-payout'), 'utf8').trimEnd().split('\n')
  const jws = whole.at(-1) ?? ''
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const { jwk, typ } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const signedAs = (line: string) => [...whole.slice(0, -1), line, ''].join('\n')
  const last = signature.at(-1) ?? ''
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const sameBits = letters[letters.indexOf(last) ^ 1] ?? ''
  const hostile: [string, RegExp][] = [
    [signedAs(`${encoded({ alg: 'none', typ, jwk })}.${payload}.`), /the last line is no signature/],
    [signedAs(`${encoded({ alg: 'none', typ, jwk })}.${payload}.AA`), /no algorithm that is taken/],
    [signedAs(`${encoded({ alg: 'HS256', typ, jwk })}.${payload}.${signature}`), /no algorithm that is taken/],
    [signedAs(`${encoded({ alg: 'EdDSA', typ: 'JWT', jwk })}.${payload}.${signature}`), /not the signature of a proof/],
    [
      signedAs(`${encoded({ alg: 'EdDSA', typ, jwk: { ...jwk, d: 'A' } })}.${payload}.${signature}`),
      /names no public key/,
    ],
    [signedAs(`${encoded({ alg: 'RS256', typ, jwk })}.${payload}.${signature}`), /names no public key/],
    [signedAs(`${encoded({ alg: 'EdDSA', typ, jwk: stranger.jwk })}.${payload}.${signature}`), /does not fit its key/],
    // The same signature, written with other bits that base64url leaves unused.
    [
      signedAs(`${header}.${payload}.${signature.slice(0, -1)}${sameBits}`),
      /the last line is no signature, or it was changed/,
    ],
    ['', /does not end with it/],
    ['{}\n', /no list of contents/],
    ['\n'.repeat(20_000), /more than 10000 parts/],
    [`${'x'.repeat(5 * 1024 * 1024)}\n{}\n${jws}\n`, /longer than/],
  ]
  for (const [text, words] of hostile) {
    const file = written(text)
    const { exitCode, stdout, stderr } = await runInProcess(['verify', file])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(words)
    expect(byScript(file)).toMatchObject({ exitCode: 1, stdout: '' })
  }
  const deep = { part: 'about', deep: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) }
  await expect(sealPack([deep], stranger)).rejects.toThrow(/nested deeper/)
  const missing = await runInProcess(['verify', path.join(dir, 'nowhere')])
  expect(missing).toMatchObject({ exitCode: 2, stdout: '' })
  expect(missing.stderr).toContain('cannot read')
  expect((await runInProcess(['verify', dir])).exitCode).toBe(2)
})
