// Somebody who may write the records of decisions and of requests, and has not the key, writes the words of two treasurers. None of
// them counts for the steps that send, for the audit, or for anybody who lists what people decided.
import { beforeEach, describe, expect, test } from 'vitest'
import { recordKey } from '../../../core/contract/records.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { createDecisions } from '../../../core/runs/approval/decisions.ts'
import { createMovementApprovals } from '../../../core/runs/approval/decisions-on-movement.ts'
import type { Subject } from '../../../core/runs/approval/signed-decision.ts'
import type { Decision } from '../../../core/runs/approval/standing.ts'
import { decisionKey, forged, signed } from '../../helpers/decision-key.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'
import { spokenRequest } from '../../helpers/spoken-request.ts'

const AT = '2026-01-01T00:00:00.000Z'
const RUN = { run: 'run-1', planHash: 'hash' } as const
const MOVEMENT = { kind: 'withdraw', intent: 'intent-1', termsHash: 'terms' } as const
const NAMES = ['ana', 'bob'].map((name) => `arn:aws:iam::123456789012:user/${name}`)
const says = (by: string): Decision => ({ decision: 'approved', by, because: 'it is due', at: AT })

let store: MemoryStore
let ids = 0
beforeEach(() => {
  store = createMemoryStore()
})

type Forge = (word: Decision, subject: Subject, id: string) => { word: Decision; request?: StoredRecord | undefined }
const FORGED: Readonly<Record<string, Forge>> = {
  'names no request': (word) => ({ word }),
  'names a request that nobody has recorded': (word, subject, id) => ({ word: spokenRequest(word, subject, id).word }),
  'names a request of another person': (word, subject, id) => ({
    ...spokenRequest(word, subject, id),
    request: spokenRequest({ ...word, by: 'eve' }, subject, id).request,
  }),
  'names a request of another time': (word, subject, id) => ({
    ...spokenRequest(word, subject, id),
    request: spokenRequest({ ...word, at: '2026-01-02T00:00:00.000Z' }, subject, id).request,
  }),
  'names a request that rejects it': (word, subject, id) => ({
    ...spokenRequest(word, subject, id),
    request: spokenRequest({ ...word, decision: 'rejected' }, subject, id).request,
  }),
  'names a request with another reason': (word, subject, id) => ({
    ...spokenRequest(word, subject, id),
    request: spokenRequest({ ...word, because: 'another' }, subject, id).request,
  }),
  'names a request about something else': (word, subject, id) => ({
    ...spokenRequest(word, subject, id),
    request: spokenRequest(word, 'run' in subject ? { ...subject, planHash: 'x' } : RUN, id).request,
  }),
  'names a request to another function': (word, subject, id) => {
    const { request } = spokenRequest(word, subject, id)
    const pk = recordKey.spoken('requestRun', id)
    return { word: { ...word, spoken: pk }, request: { ...request, pk } }
  },
  'has a request, and no signature': (word, subject, id) => {
    const { word: whole, request } = spokenRequest(word, subject, id)
    return { word: { ...whole, signed: undefined }, request }
  },
  'is signed by another key': (word, subject, id) => {
    const { word: whole, request } = spokenRequest(word, subject, id)
    return { word: forged(whole, subject), request }
  },
  'has the signature of the decision of another person': (word, subject, id) => {
    const { word: whole, request } = spokenRequest(word, subject, id)
    const { signed: honest } = signed({ ...whole, by: 'ana' }, subject)
    return { word: { ...whole, signed: honest }, request }
  },
  'has the signature of a decision on something else': (word, subject, id) => {
    const { word: whole, request } = spokenRequest(word, subject, id)
    const other = 'run' in subject ? { ...subject, planHash: 'x' } : { ...subject, termsHash: 'x' }
    return { word: signed(whole, other), request }
  },
  'needs a second person, and does not say so any more': (word, subject, id) => {
    const { word: whole, request } = spokenRequest({ ...word, secondBecause: 'it is much' }, subject, id)
    return { word: { ...whole, secondBecause: undefined }, request }
  },
  'names another record': (word, subject, id) => ({
    ...spokenRequest(word, subject, id),
    word: { ...word, spoken: 'R#run-1' },
  }),
}

async function forge(subject: Subject, how: Forge) {
  const made = NAMES.map((by) => how(says(by), subject, `forged-${++ids}`))
  for (const { request } of made) if (request) await store.create(request)
  const pk =
    'run' in subject
      ? recordKey.decisions(subject.run, subject.planHash)
      : recordKey.movementDecisions(subject.kind, subject.intent, subject.termsHash)
  await store.create({ pk, version: 1, format: 1, stamp: 'forged', words: made.map(({ word }) => word) })
}

const MOVED = { kind: 'withdraw', intentId: 'intent-1', termsHash: 'terms' } as const
const RULE = { field: 'guards.approval', rule: { twoAbove: '1' }, value: '9', valuationAsset: 'USD' }
const approvals = () => createMovementApprovals(store, decisionKey).find(MOVED as never, [RULE])
const decisions = () => createDecisions(store, () => `id-${++ids}`, decisionKey)

describe.each(Object.keys(FORGED))('a decision counts for nobody where it %s', (how) => {
  const made = FORGED[how] as Forge

  test('on a plan', async () => {
    await forge(RUN, made)
    expect(await decisions().find('run-1', 'hash')).toEqual([])
    // An honest decision counts beside it, and what was forged stays there for those who look.
    expect(await decisions().add('run-1', 'hash', says('ana'))).toMatchObject([{ by: 'ana' }])
    expect(await decisions().find('run-1', 'hash')).toMatchObject([{ by: 'ana' }])
    expect(store.records.get('D#run-1#hash')?.words).toHaveLength(3)
  })

  test('on a movement', async () => {
    await forge(MOVEMENT, made)
    expect(await decisions().findOfMovement(MOVED)).toEqual([])
    expect(await approvals()).toEqual({ missing: 2 })
  })
})

test('decisions of two people with a request each approve what needs two', async () => {
  await forge(MOVEMENT, spokenRequest)
  expect(await approvals()).toEqual({ decision: 'approved', missing: 0 })
})

describe('a record into which somebody writes decisions that do not count', () => {
  const pk = recordKey.decisions(RUN.run, RUN.planHash)
  const people = Array.from({ length: 21 }, (_, number) => `arn:aws:iam::123456789012:user/treasurer-${number}`)
  const [ana = '', ...others] = people

  async function crowd(count: number, junk: Decision) {
    const known = await store.read(pk)
    const words = [...((known?.words as Decision[] | undefined) ?? []), ...Array.from({ length: count }, () => junk)]
    const record = { pk, version: (known?.version ?? 0) + 1, format: 1, stamp: 'junk', words }
    await (known === undefined ? store.create(record) : store.replace(record, known.version))
  }

  test('takes the decisions of twenty people, and not of one more', async () => {
    await crowd(20, { ...says('eve'), spoken: recordKey.spoken('decide', 'none') })
    await decisions().add('run-1', 'hash', says(ana))
    const [copied] = await decisions().find('run-1', 'hash')
    await crowd(20, copied as Decision)
    for (const by of others.slice(0, 19)) await decisions().add('run-1', 'hash', says(by))
    expect(new Set((await decisions().find('run-1', 'hash')).map(({ by }) => by)).size).toBe(20)
    await expect(decisions().add('run-1', 'hash', says(others[19] ?? ''))).rejects.toThrow('20 people have decided')
  })

  test('is read no further than people can write, and takes no more decisions', async () => {
    await decisions().add('run-1', 'hash', says(ana))
    await crowd(1_000, { ...says('eve'), spoken: recordKey.spoken('decide', 'none') })
    let reads = 0
    const read: typeof store.read = (key) => {
      reads += 1
      return store.read(key)
    }
    const crowded = createDecisions({ ...store, read }, () => 'id', decisionKey)
    expect(await crowded.find('run-1', 'hash')).toMatchObject([{ by: ana }])
    expect(reads).toBe(101)
    await expect(crowded.add('run-1', 'hash', says('bob'))).rejects.toThrow(
      '100 decisions are written on this, of which 1 by people: somebody else wrote the others',
    )
  })
})
