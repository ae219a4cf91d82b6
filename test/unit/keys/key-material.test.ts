// A key file is read in the usual forms, and a mistake in it is named without its secret.
import { generateKeyPairSync } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Refused } from '../../../core/errors.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import type { KeyAlgorithm, Signer } from '../../../core/keys/signer.ts'
import { makeKey } from '../../helpers/service-keys.ts'

const ed = makeKey('Ed')
const rsa = makeKey('Rsa', 'RS256')
const live = makeKey('Live', 'EdDSA', 'live')
const flat = { secret: ed.secret, privateKeyPem: ed.privateKeyPem, alg: 'EdDSA' }
const wanted = { stage: 'test', role: 'trade' } as const

const parse = (material: unknown, as: Parameters<typeof parseKeyMaterial>[1] = wanted) =>
  parseKeyMaterial(JSON.stringify(material), as)

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(Refused)
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

describe('parseKeyMaterial', () => {
  it('reads a flat EdDSA key, whose prefix is the first 21 characters of the secret', () => {
    expect(parse(flat)).toMatchObject({ secret: ed.secret, prefix: ed.secret.slice(0, 21), signer: { alg: 'EdDSA' } })
    expect(parse({ ...flat, prefix: ed.secret.slice(0, 21), note: 'kept aside' }).secret).toBe(ed.secret)
  })

  it('assumes EdDSA when no algorithm is named', () => {
    expect(parse({ secret: ed.secret, privateKeyPem: ed.privateKeyPem }).signer?.alg).toBe('EdDSA')
  })

  it('reads a PEM whose lines end as on Windows, and a text with a mark', () => {
    const pem = ed.privateKeyPem.replaceAll('\n', '\r\n')
    expect(parse({ ...flat, privateKeyPem: pem }).signer?.alg).toBe('EdDSA')
    expect(parseKeyMaterial(`\uFEFF${JSON.stringify(flat)}`, wanted).secret).toBe(ed.secret)
  })

  it('names the line breaks of a PEM that was pasted into the JSON, or given alone', () => {
    const pasted = JSON.stringify(flat).replaceAll('\\n', '\n')
    for (const text of [pasted, ed.privateKeyPem])
      expect(messageOf(() => parseKeyMaterial(text, wanted))).toMatch(/, with \\n in place of each line break/)
  })

  it.each(['pkcs8', 'pkcs1'] as const)('reads an RSA key in %s', (type) => {
    const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type, format: 'pem' })
    expect(parse({ secret: rsa.secret, privateKeyPem: pem, alg: 'RS256' }).signer?.alg).toBe('RS256')
  })

  it('takes the entry of the requested role', () => {
    const material = { read: { secret: rsa.secret }, trade: flat, transfer: JSON.parse(live.material) }
    expect(parse(material, { stage: 'test', role: 'trade' }).secret).toBe(ed.secret)
    expect(parse(material, { stage: 'test', role: 'read' }).secret).toBe(rsa.secret)
    expect(parse(material, { stage: 'live', role: 'transfer' }).secret).toBe(live.secret)
  })

  it.each([{ secret: ed.secret }, flat])('gives the role that reads nothing to sign with', (material) => {
    expect(parse(material, { stage: 'test', role: 'read' }).signer).toBeUndefined()
  })

  it('passes the algorithm to the maker of a signer whose private half is elsewhere', () => {
    const made: string[] = []
    const signWith = (alg: KeyAlgorithm): Signer => {
      made.push(alg)
      return { alg, sign: async () => 'signed' }
    }
    expect(parse({ secret: ed.secret }, { ...wanted, signWith }).signer?.alg).toBe('EdDSA')
    expect(parse({ secret: ed.secret, alg: 'RS256' }, { ...wanted, signWith }).signer?.alg).toBe('RS256')
    expect(made).toEqual(['EdDSA', 'RS256'])
    expect(messageOf(() => parse(flat, { ...wanted, signWith }))).toMatch(/^key\.privateKeyPem: expected none/)
  })

  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const locked = generateKeyPairSync('ed25519').privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'p',
  })
  it.each([
    ['a list', [], /^key: expected a JSON object/],
    [
      'line breaks that are two characters each',
      { ...flat, privateKeyPem: ed.privateKeyPem.replaceAll('\n', '\\n') },
      /^key\.privateKeyPem: .* line breaks are a backslash and an n: in JSON write \\n,/,
    ],
    [
      'a PEM in one line',
      { ...flat, privateKeyPem: ed.privateKeyPem.replaceAll('\n', ' ') },
      /^key\.privateKeyPem: .* without line breaks: put back/,
    ],
    ['a missing role', { read: flat }, /^key\.trade: expected an object/],
    ['a role that is no object', { trade: 'x' }, /^key\.trade: expected an object/],
    ['a field within a role', { trade: { ...flat, alg: 'none' } }, /^key\.trade\.alg: expected EdDSA or RS256/],
    ['no secret', { ...flat, secret: undefined }, /^key\.secret: expected svc_live_ or svc_test_/],
    ['a short secret', { ...flat, secret: ed.secret.slice(0, -1) }, /^key\.secret: expected/],
    ['a secret with a line break', { ...flat, secret: `${ed.secret}\n` }, /^key\.secret: expected/],
    ['a secret of another alphabet', { ...flat, secret: `${ed.secret.slice(0, -1)}-` }, /^key\.secret: expected/],
    ['a live key', JSON.parse(live.material), /^key\.secret: expected a key of the stage "test"/],
    ['another prefix', { ...flat, prefix: 'svc_test_000000000000' }, /^key\.prefix: expected the first 21/],
    ['an unknown algorithm', { ...flat, alg: 'HS256' }, /^key\.alg: expected/],
    ['no signing key', { ...flat, privateKeyPem: undefined }, /^key\.privateKeyPem: expected/],
    ['invalid PEM', { ...flat, privateKeyPem: 'MC4CAQAw' }, /^key\.privateKeyPem: expected an unencrypted/],
    ['a public key', { ...flat, privateKeyPem: publicPem() }, /^key\.privateKeyPem: expected an unencrypted/],
    ['a locked key', { ...flat, privateKeyPem: locked }, /^key\.privateKeyPem: expected an unencrypted/],
    ['a broken PEM', { ...flat, privateKeyPem: ed.privateKeyPem.replace('MC4', 'XX4') }, /cannot be decoded$/],
    ['an RSA key for EdDSA', { ...flat, privateKeyPem: rsa.privateKeyPem }, /expected an Ed25519 key/],
    ['an Ed25519 key for RS256', { ...flat, alg: 'RS256' }, /expected an RSA key/],
    ['1024 bits', { ...flat, privateKeyPem: short, alg: 'RS256' }, /at least 2048 bits/],
  ])('refuses %s, naming the field and not its value', (_what, material, message) => {
    const refusal = messageOf(() => parse(material))
    expect(refusal).toMatch(message)
    expect(refusal).not.toContain(ed.secret.slice(9))
    expect(refusal).not.toContain('MC4CAQAw')
  })

  it('refuses a test key if a live one is needed', () => {
    expect(messageOf(() => parse(flat, { stage: 'live', role: 'trade' }))).toMatch(/stage "live"/)
  })

  it('refuses text that is no JSON without quoting it', () => {
    expect(messageOf(() => parseKeyMaterial(`{${ed.secret}`, wanted))).not.toContain(ed.secret)
  })

  it('refuses endless text', () => {
    expect(messageOf(() => parseKeyMaterial(' '.repeat(70_000), wanted))).toMatch(/at most 65536/)
  })
})

describe('a key', () => {
  it('does not show its secret or signing key when printed or serialised', () => {
    for (const shown of [inspect(ed.key, { depth: 9, showHidden: true }), JSON.stringify(ed.key), `${ed.key}`])
      expect(shown).not.toContain(ed.secret)
    expect(Object.keys(ed.key)).toEqual(['prefix'])
    const privateText = ed.privateKeyPem.split('\n')[1]
    for (const shown of [inspect(ed.key.signer, { depth: 9, showHidden: true }), JSON.stringify(ed.key.signer)])
      expect(shown).not.toContain(privateText)
  })
})

function publicPem(): string {
  return ed.publicKey.export({ type: 'spki', format: 'pem' }).toString()
}
