// A refused event is reported once, as soon as nothing can heal it.
import { expect, test } from 'vitest'
import { createRefusals } from '../../../../cli/serve/serve.ts'

const event = (id: string) => ({
  ...{ id: `bus-${id}`, source: 'payroll', account: '111111111111', 'detail-type': 'Conversion Requested' },
  detail: { version: 1, id },
})
const failure = (id: string, errorType: string) => ({
  ...{ functionArn: 'arn:aws:lambda:r:1:function:f', onFailureArn: 'arn:aws:sqs:r:1:dead', errorType },
  ...{ errorMessage: 'detail.policy: no', payload: JSON.stringify(event(id)) },
})
const letter = (id: string, errorType: string) => ({
  id: `letter-${id}`,
  attributes: {},
  body: JSON.stringify({
    requestPayload: event(id),
    responsePayload: { errorType, errorMessage: 'detail.policy: no' },
  }),
})

function recorded() {
  const lines: string[] = []
  const facts: object[] = []
  const line = ({ label, text }: { readonly label: string; readonly text: string }) => lines.push(`${label} ${text}`)
  return { lines, facts, refusals: createRefusals({ line }, (each) => facts.push(each)) }
}

test('a refused event is reported once, at its first attempt, with id, source and type; then with its letter', () => {
  const { facts, lines, refusals } = recorded()
  for (let attempt = 0; attempt < 3; attempt += 1) refusals.failed(failure('a-1', 'Refused'))
  refusals.kept('dead', letter('a-1', 'Refused'))
  expect(lines).toEqual([
    'refused Conversion Requested, id a-1, source payroll: Refused: detail.policy: no',
    'kept Conversion Requested, id a-1, source payroll: dead letter letter-a-1',
  ])
  const known = { queue: 'dead', reason: 'Refused: detail.policy: no', id: 'a-1', source: 'payroll' }
  expect(facts).toEqual([
    { event: 'refused', ...known, detailType: 'Conversion Requested' },
    { event: 'dead-letter', ...known, detailType: 'Conversion Requested', letter: 'letter-a-1' },
  ])
})

test('a failure that a retry may heal is reported only when it is given up', () => {
  const { lines, refusals } = recorded()
  refusals.failed(failure('a-2', 'Transient'))
  expect(lines).toEqual([])
  refusals.kept('dead', letter('a-2', 'Transient'))
  expect(lines).toEqual([
    'refused Conversion Requested, id a-2, source payroll: Transient: detail.policy: no; dead letter letter-a-2',
  ])
})
