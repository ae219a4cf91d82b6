// Tests a release of balances that runs left on their way, by the function Release.
import { expect, test } from 'vitest'
import { releaseAnswer } from '../../../core/contract/people.ts'
import { questionHash } from '../../../core/journal/persons-question.ts'
import { createPolicyRecords } from '../../../core/runs/record/policy-record.ts'
import { release } from '../../../functions/release/release.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const ADA = 'arn:aws:iam::123456789012:user/ada'
const AT = '2026-01-01T00:10:00.000Z'
const said = (by: string) => ({ by, at: AT, spoken: 'N#release#1' })
const WORD = { action: 'release', policy: 'core', because: 'sent by hand' } as const
const QUESTION = 'release what runs of core left on their way (900 EURC bank), for good?'

async function left(residues: Readonly<Record<string, string>>) {
  let ids = 0
  const policyRecords = createPolicyRecords(createMemoryStore(), () => `id-${++ids}`)
  await policyRecords.advance(await policyRecords.find('core'), { residues })
  const known = () => policyRecords.find('core')
  return { known, ports: { policyRecords } }
}

test("nothing is released before the yes to the question, and then it is in the signer's name", async () => {
  const { known, ports } = await left({ 'EURC bank': '900' })
  expect(await release(WORD, said(ADA), ports)).toEqual({ outcome: 'ASKS', question: QUESTION })
  expect(await known()).toMatchObject({ residues: { 'EURC bank': '900' } })
  const released = { by: ADA, because: 'sent by hand', at: AT, residues: { 'EURC bank': '900' } }
  const answer = await release({ ...WORD, agreed: questionHash(QUESTION) }, said(ADA), ports)
  expect(releaseAnswer.parse(answer)).toEqual({ outcome: 'RELEASED', released })
  expect(await known()).toMatchObject({ residues: {}, released: said(ADA) })
})

test('no more than the shown amount is released, and without a balance there is nothing to release', async () => {
  const { known, ports } = await left({ 'EURC bank': '901' })
  expect(await release({ ...WORD, agreed: questionHash(QUESTION) }, said(ADA), ports)).toMatchObject({
    outcome: 'ASKS',
  })
  expect(await known()).toMatchObject({ residues: { 'EURC bank': '901' } })
  const nothing = await left({})
  await expect(release(WORD, said(ADA), nothing.ports)).rejects.toThrow(
    'left nothing on their way; nothing was recorded',
  )
})
