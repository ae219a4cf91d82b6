// Proofs of the tour's runs: their statements, that no byte of them can be changed, and that other files and forged proofs are
// refused.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkProof } from '../../../operations/proof/check-proof.ts'
import { openPack, PackFault, sealPack } from '../../../operations/proof/pack-file.ts'
import { openBuiltInSandbox } from '../../../place/service/built-in-sandbox.ts'
import { proofKeyFile, tourFolder } from '../../../place/state/state-layout.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { forgedProofTests } from './forged-proofs.ts'
import { byScript, SCRIPT, stranger, type TouredProofs, touredProofs } from './toured-proofs.ts'

let tour: TouredProofs
beforeAll(async () => {
  tour = await touredProofs()
})
afterAll(() => tour.remove())

test('each run of the tour has a proof that the command and the script accept, with every movement', async () => {
  expect(tour.files).toHaveLength(3)
  const movements: string[] = []
  for (const file of tour.files) {
    const { exitCode, stdout } = await runInProcess(['proof', 'check', file, '--json'])
    expect(exitCode).toBe(6)
    const { statement, isPinned } = JSON.parse(stdout)
    expect(Object.keys(statement)[0]).toBe('from')
    expect(statement.from).toMatchObject({ money: 'play money', stage: 'test', environment: null })
    expect(statement).toMatchObject({ run: { outcome: 'SETTLED' }, contradictions: [], notShown: expect.any(Array) })
    expect(isPinned).toBe(false)
    for (const { verdict, movementId, moved } of statement.movements) {
      expect({ verdict, status: moved.status }).toMatchObject({ verdict: 'one movement' })
      movements.push(movementId)
    }
    const script = byScript(file)
    expect(script).toMatchObject({ exitCode: 6, stderr: '' })
    const { service, account } = statement.from
    const [first] = (await runInProcess(['proof', 'check', file])).stdout.split('\n')
    expect(first).toBe(`play money, of the sandbox at ${service}, account ${account}, stage test, environment none`)
    expect(script.stdout.split('\n').slice(0, 5)).toEqual([
      'money "play money"',
      `service "${service}"`,
      `account "${account}"`,
      'stage "test"',
      'environment null',
    ])
    for (const { movementId } of statement.movements) expect(script.stdout).toContain(`"one movement","${movementId}"`)
  }
  expect(new Set(movements).size).toBe(5)
})

test('the script for third parties is one file, and imports nothing but Node', () => {
  const source = readFileSync(SCRIPT, 'utf8')
  const imported = [...source.matchAll(/^import .* from '(.*)'$/gm)].map(([, from]) => from)
  expect(imported).toEqual(['node:crypto', 'node:fs'])
})

test('a published key is pinned, and another key is refused', async () => {
  const file = tour.proofOf('tour-payout')
  const shown = await runInProcess(['proof', 'make', '--public-key', '--state', tour.dir, '--json'])
  const { thumbprint, publicKeyPem } = JSON.parse(shown.stdout)
  const pem = path.join(tour.dir, 'published.pem')
  writeFileSync(pem, publicKeyPem)
  const pinned = await runInProcess(['proof', 'check', file, '--key', pem, '--json'])
  expect(pinned.exitCode).toBe(0)
  expect(JSON.parse(pinned.stdout)).toMatchObject({ isPinned: true, thumbprint })
  expect(byScript(file, thumbprint)).toMatchObject({ exitCode: 0, stderr: '' })
  // Only the signer is different.
  const resigned = tour.written(await sealPack([...(await openPack(readFileSync(file))).parts.values()], stranger))
  expect(await runInProcess(['proof', 'check', resigned])).toMatchObject({ exitCode: 6 })
  expect(byScript(resigned)).toMatchObject({ exitCode: 6, stderr: '' })
  for (const pin of [
    ['--key', pem],
    ['--thumbprint', thumbprint],
  ]) {
    const refused = await runInProcess(['proof', 'check', resigned, ...pin])
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain(`and not of the key that was named, ${thumbprint}`)
  }
  expect(byScript(resigned, thumbprint)).toMatchObject({ exitCode: 1, stdout: '' })
})

test('the published key of a service does not sign play money', async () => {
  const published = async (...more: string[]) => {
    const { stdout } = await runInProcess(['proof', 'make', '--public-key', '--state', tour.dir, '--json', ...more])
    return JSON.parse(stdout)
  }
  const play = await published()
  const own = await published('--service', 'https://api.example.com')
  expect([play.money, own.money]).toEqual(['play money', 'that of the account'])
  const file = tour.proofOf('tour-payout')
  expect(await runInProcess(['proof', 'check', file, '--thumbprint', play.thumbprint])).toMatchObject({ exitCode: 0 })
  expect(await runInProcess(['proof', 'check', file, '--thumbprint', own.thumbprint])).toMatchObject({ exitCode: 1 })
  expect(byScript(file, own.thumbprint)).toMatchObject({ exitCode: 1, stdout: '' })
})

test('no proof holds a secret, a token, or a path of this machine', async () => {
  const sandbox = await openBuiltInSandbox(tourFolder(tour.dir).sandboxFile)
  const secrets = Object.values(sandbox.keys).flatMap(({ secret, privateKeyPem }) => [
    secret,
    ...privateKeyPem.split('\n'),
  ])
  await sandbox.stop()
  const own = readFileSync(proofKeyFile(tour.dir, true), 'utf8').split('\n')
  const hidden = [...secrets, ...own, tour.dir, 'PRIVATE KEY', 'Bearer', 'authorization'].filter(
    (text) => text.length > 5,
  )
  expect(hidden.length).toBeGreaterThan(6)
  for (const file of tour.files) {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    for (const text of hidden) expect(lines.join('\n').includes(text)).toBe(false)
    // A token begins so. The only signature is the last line.
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
  for (const file of tour.files) {
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
      if (change % 10 === 0) expect(byScript(tour.written(changed))).toMatchObject({ exitCode: 1, stdout: '' })
    }
    // Missing and added bytes are changes, too.
    for (const other of [whole.subarray(0, -1), Buffer.concat([whole, Buffer.from('\n')]), whole.subarray(1)]) {
      await expect(checkProof(other)).rejects.toBeInstanceOf(PackFault)
      expect(byScript(tour.written(other)).exitCode).toBe(1)
    }
  }
})

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

test('a file that is not a proof is refused with a reason: other algorithms, private keys, depth, size, and other files', async () => {
  const whole = readFileSync(tour.proofOf('tour-payout'), 'utf8').trimEnd().split('\n')
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
    const file = tour.written(text)
    const { exitCode, stdout, stderr } = await runInProcess(['proof', 'check', file])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(words)
    expect(byScript(file)).toMatchObject({ exitCode: 1, stdout: '' })
  }
  const deep = { part: 'about', deep: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) }
  await expect(sealPack([deep], stranger)).rejects.toThrow(/nested deeper/)
  const missing = await runInProcess(['proof', 'check', path.join(tour.dir, 'nowhere')])
  expect(missing).toMatchObject({ exitCode: 2, stdout: '' })
  expect(missing.stderr).toContain('cannot read')
  expect((await runInProcess(['proof', 'check', tour.dir])).exitCode).toBe(2)
})

describe('forged proofs', () => forgedProofTests(() => tour))
