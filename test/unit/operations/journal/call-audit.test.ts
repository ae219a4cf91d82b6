// The command's audit calls the function until the audit has ended, at an endpoint of Lambda on a real socket.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FindingType, NOTHING_LEFT, type ReconcileReport } from '../../../../core/contract/reconcile.ts'
import { auditAt } from '../../../../operations/journal/call-audit.ts'

const [SINCE, MIDDLE, END] = ['2026-02-01T10:00:00.000Z', '2026-02-01T10:30:00.000Z', '2026-02-01T11:00:00.000Z']

const report = (through: string, orders: number, more: Partial<ReconcileReport> = {}): ReconcileReport => ({
  ...{ outcome: 'FINDINGS', since: SINCE, through, youngSince: END, allFrom: '2026-02-01T12:00:00.000Z', waiting: 0 },
  ...{ orders, fills: 0, withdrawals: 0, entries: 0, intents: 0, foreign: 0, findingsTotal: 1 },
  open: [],
  findings: [{ finding: FindingType.UnclaimedMovement, message: `no intent claims order ${orders}` }],
  ...more,
})

const CONTINUES = { continues: true }

let server: Server
let answers: (ReconcileReport | typeof NOTHING_LEFT)[]
const inputs: unknown[] = []

beforeEach(async () => {
  inputs.length = 0
  server = createServer(async (request, response) => {
    inputs.push(JSON.parse(await text(request)))
    response.end(JSON.stringify(answers[inputs.length - 1] ?? answers.at(-1)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

function audit(input: { readonly since?: string } = {}) {
  const endpointUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const address = { endpointUrl, region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }
  return auditAt(address, input, { do: 'audit' })
}

const messages = ({ findings }: ReconcileReport) => findings.map(({ message }) => message)

test('an audit of several calls reports the counts of the last call, and the findings of all', async () => {
  answers = [report(MIDDLE, 3), report(END, 7, { againLeftFrom: SINCE }), report(END, 9, { findingsTotal: 3 })]
  const ended = await audit()
  expect([inputs, ended.orders, ended.findingsTotal]).toEqual([[{}, CONTINUES, CONTINUES], 9, 3])
  expect(messages(ended)).toEqual([3, 7, 9].map((orders) => `no intent claims order ${orders}`))
})

test('where another caller has ended the audit meanwhile, a new one judges the rest', async () => {
  answers = [report(MIDDLE, 3), NOTHING_LEFT, report(END, 1)]
  expect((await audit()).through).toBe(END)
  expect(inputs).toEqual([{}, CONTINUES, {}])
})

test('a requested look back of several calls continues where each call ended, and adds up what they counted', async () => {
  answers = [report(MIDDLE, 3), report(END, 4, { since: MIDDLE })]
  const ended = await audit({ since: SINCE })
  expect(inputs).toEqual([{ since: SINCE }, { since: MIDDLE }])
  expect([ended.since, ended.through, ended.orders, ended.findingsTotal]).toEqual([SINCE, END, 7, 2])
})

test('an audit that another audit holds up is not called for ever', async () => {
  answers = [report(MIDDLE, 3)]
  expect((await audit()).through).toBe(MIDDLE)
  expect(inputs).toHaveLength(2)
})
