// The runbook's steps replace a wrong configuration before it has moved anything.
import { expect, test } from 'vitest'
import { drill, startDesk } from './drill.ts'

const right = {
  service: { url: 'https://service.example', stage: 'test' },
  guards: { worstSlippageBps: 50 },
  policies: { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } },
}
const wrong = { policies: { core: { kind: 'rebalance', weights: { BTC: '1' } } } }

test('a wrong configuration is halted, compared with the right one, and replaced, and it moved nothing', async () => {
  const desk = await startDesk(wrong)
  const outputs = await drill('A wrong configuration was deployed', desk, {
    values: { POLICY: 'core' },
    byHand: {
      'put the right treasury.json back, from version control': () => {
        desk.file('treasury.json', JSON.stringify(right))
      },
      'wait until `npx sluice runs list` shows no run under way, and `npx sluice cases list` nothing but the halt':
        () => undefined,
    },
  })
  const outputOf = (command: string) => outputs.find(({ line }) => line.startsWith(`npx sluice ${command}`))
  expect(outputOf('setup diff')?.stdout).toContain('weights')
  expect(outputOf('plan')?.stdout).toContain('USDC')
  expect(await desk.control('/oracle')).toMatchObject({ movements: [] })
})
