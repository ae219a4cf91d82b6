// Tests every kind of policy from the shell, at a service that runs in the test's process and is named by its address.
// One id is one run, however often the command is given, and each leg that moves is one movement.
import { writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { RunReport } from '../../../core/contract/runs.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { useCommandsBeside } from '../cli/commands.ts'
import { policiesOf, ROWS } from './kinds.ts'

const { service, place: beside, keys, file, write } = useCommandsBeside()
beforeAll(async () => {
  // The service's limits for each minute would make some runs wait.
  await service.control('/limits', { perKey: 100_000, perAccount: 100_000 })
  writeTreasury({})
  const { stdout } = await runInProcess(['service', 'contacts', '--json', ...place()])
  const contacts: { id: string; reference: string }[] = JSON.parse(stdout)
  const contactId = (reference: string) => contacts.find((contact) => contact.reference === reference)?.id ?? ''
  writeTreasury(policiesOf(contactId))
})

function writeTreasury(policies: object): void {
  const treasury = { service: { url: 'https://service.example', stage: 'test' }, policies }
  write('treasury.json', treasury)
}

const place = () => [...beside(), ...keys()]
const movedIds = async () => [...(await service.orderIds()), ...(await service.withdrawalIds())]

test.each(ROWS)('$name, given twice with one id, is one run with its movements', async (row) => {
  for (const [assetSymbol, balance] of Object.entries(row.given)) {
    await service.control('/balance', { assetSymbol, balance })
  }
  const known = await movedIds()
  const input = file(`${row.name}.json`)
  writeFileSync(input, JSON.stringify({ policy: row.name }))
  const args = ['run', row.machine, '--json', '--id', `ask-${row.name}`, '--input', input, ...place()]
  const first = await runInProcess(args)
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toMatchObject({ exitCode: 0 })
  const report: RunReport = JSON.parse(first.stdout)
  expect(report).toMatchObject({ outcome: row.outcome, policy: row.name, trigger: { by: 'person' } })
  expect(report.legs.map(({ outcome }) => outcome)).toEqual(row.legs)
  if (row.nonLeg) expect(report.plan?.nonLegs).toContainEqual(expect.objectContaining({ code: row.nonLeg }))

  const told = report.legs.map(({ conversion, withdrawal }) => conversion?.orderId ?? withdrawal?.withdrawalId)
  const moved = (await movedIds()).filter((id) => !known.includes(id))
  expect(moved.toSorted()).toEqual(told.toSorted())
  expect(await runInProcess(args)).toMatchObject({ exitCode: 0, stdout: first.stdout })
  expect(await movedIds()).toHaveLength(known.length + row.legs.length)
})
