// `approve --aws` of one withdrawal that waits by `guards.approval`: its output, and its record for exactly the shown terms.
// test/unit/runs/movement-approval.test.ts and the simulated days show that the movement is then sent.

import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { deployedAws } from './deployed-aws.ts'

const MACHINE = 'sluice-withdraw'
const APPROVAL = { assets: { USDC: '50' }, twoAbove: '50000', approvers: ['arn:aws:iam::*:user/a*'] }

const deployed = deployedAws('approve a movement on AWS', (url) => ({
  service: { url, stage: 'test', shared: false },
  guards: { approval: APPROVAL },
}))
let config: string
beforeAll(() => {
  config = path.join(deployed().service.dir, 'deployed.json')
})

const run = (...args: string[]) => runInProcess([...args, '--aws', '--config', config])

async function waiting(name: string, amount: string): Promise<{ termsHash: string }> {
  const input = JSON.stringify({ assetSymbol: 'USDC', amount, contactReference: 'cold-usdc-polygon' })
  await deployed().aws.startExecution({ stateMachine: MACHINE, name, input })
  const find = async () => {
    const { stdout } = await run('cases', 'list', '--json')
    const { movements } = JSON.parse(stdout) as { movements: { intentId: string; termsHash: string }[] }
    return movements.find(({ intentId }) => intentId === name)
  }
  await expect.poll(find).toBeDefined()
  return (await find()) ?? { termsHash: '' }
}

async function sendSmall(name: string): Promise<void> {
  const input = JSON.stringify({ assetSymbol: 'USDC', amount: '40', contactReference: 'cold-usdc-polygon' })
  const { executionArn } = await deployed().aws.startExecution({ stateMachine: MACHINE, name, input })
  expect((await deployed().aws.untilFinished(executionArn)).status).toBe('SUCCEEDED')
}

test('a withdrawal under an approval rule is listed with its terms, and another one is not', async () => {
  await waiting('invoice-1', '100')
  await sendSmall('small-1')
  const { exitCode, stderr } = await run('cases', 'list')
  expect(exitCode).toBe(4)
  expect(stderr).toMatch(/invoice-1 \(.*100.*USDC.*\) waits for a person to approve it until /)
  expect(stderr).not.toContain('small-1')
})

test("approve shows amount, payee, value, fee, deadline and hash, and records the identity's decision for that hash", async () => {
  const { termsHash } = await waiting('invoice-2', '100')
  const asked = await run('approve', 'invoice-2', '--because', 'invoice 2', '--no-input')
  expect(asked.exitCode).toBe(2)
  const unbound = await run('approve', 'invoice-2', '--because', 'invoice 2', '--yes', '--plan-hash', '0'.repeat(64))
  expect(unbound).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('which is a movement') })
  for (const shown of [
    '100 USDC',
    'guards.approval asks for people; it is worth',
    'cold-usdc-polygon',
    'fee ',
    'until ',
    termsHash,
  ])
    expect(asked.stderr).toContain(shown)
  deployed().actAs('eve')
  const eve = await run('approve', 'invoice-2', '--because', 'mine', '--yes')
  expect(eve).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('user/eve is not among the approvers') })
  deployed().actAs('ana')
  const other = await run('approve', 'invoice-2', '--because', 'invoice 2', '--yes', '--terms-hash', 'a'.repeat(64))
  expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has other terms than you have seen') })
  const ana = await run('approve', 'invoice-2', '--because', 'invoice 2', '--yes')
  expect(ana).toMatchObject({ exitCode: 0, stdout: 'invoice-2 is approved\n' })
  expect(ana.stderr).toContain('it counts for 24 hours')
  expect(ana.stderr).toContain('recorded in the name of arn:aws:iam::123456789012:user/ana')
  const { stdout } = await run('cases', 'list', '--json')
  expect(stdout).not.toContain('invoice-2')
})

test('reject records a rejection, and a withdrawal without a rule cannot be approved', async () => {
  await waiting('invoice-3', '100')
  const no = await run('reject', 'invoice-3', '--because', 'no such invoice', '--yes')
  expect(no).toMatchObject({ exitCode: 0, stdout: 'invoice-3 is rejected\n' })
  const again = await run('approve', 'invoice-3', '--because', 'after all', '--yes')
  expect(again).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/approvers|already rejected|is REJECTED: it waits for no approval/),
  })
  await sendSmall('small-2')
  const done = await run('approve', 'small-2', '--because', 'why not', '--yes')
  expect(done).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('it waits for no approval') })
})
