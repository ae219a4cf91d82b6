// Each receiver of notices is well formed and named once, and there are at most ten.
import { describe, expect, test } from 'vitest'
import { ConfigError, parseTreasury } from '../../../core/treasury/config.ts'

const HOOK = { webhook: { secret: 'sluice/slack', shape: 'slack' } }
const OPS = { name: 'ops', to: HOOK, about: ['needs-a-person', 'halted'] }
const POLICIES = { core: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' } } }

const parsed = (...notices: unknown[]) =>
  parseTreasury(
    JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' }, policies: POLICIES, notices }),
  )

function findings(...notices: unknown[]): readonly string[] {
  try {
    parsed(...notices)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.findings
    throw error
  }
}

test('a webhook, a topic with its subscribers, and policies are accepted', () => {
  const mail = { name: 'mail', to: { sns: ['mailto:a@example.com'] }, about: ['run-ended'], policies: ['core'] }
  const plain = { ...OPS, name: 'own', to: { webhook: { secret: 'own' } } }
  expect(parsed(OPS, mail, plain).notices).toEqual([
    OPS,
    mail,
    { ...plain, to: { webhook: { secret: 'own', shape: 'plain' } } },
  ])
})

describe('an impossible notice', () => {
  test.each([
    ['without a way', { ...OPS, to: {} }, /notices\[0\]\.to: expected one of the three: webhook, sns or topicArn/],
    ['with two ways', { ...OPS, to: { ...HOOK, sns: [] } }, /notices\[0\]\.to: expected one of the three/],
    ['about nothing', { ...OPS, about: [] }, /notices\[0\]\.about: expected at least one/],
    ['about something else', { ...OPS, about: ['halt'] }, /notices\[0\]\.about\[0\]: expected .*needs-a-person/],
    ['about one thing twice', { ...OPS, about: ['halted', 'halted'] }, /about\[1\]: expected each once; got halted/],
    ['of a policy that there is not', { ...OPS, policies: ['cor'] }, /policies\[0\]: .*got cor; did you mean core\?/],
    ['with an address', { ...OPS, to: { webhook: { url: 'https://hooks.slack.com/s3cret' } } }, /notices\[0\]\.to/],
    [
      'in another shape',
      { ...OPS, to: { webhook: { secret: 's', shape: 'teams' } } },
      /shape: expected slack or plain/,
    ],
    ['by a name for no resource', { ...OPS, name: 'Ops!' }, /name: expected at most 24 lower-case letters/],
    ['to no address', { ...OPS, to: { sns: ['ops'] } }, /sns\[0\]: expected an address, such as "mailto:/],
  ])('%s is refused by its field', (_, notice, expected) => {
    const found = findings(notice).join('\n')
    expect(found).toMatch(expected)
    expect(found).not.toContain('s3cret')
  })

  test('with a used name is refused', () => {
    expect(findings(OPS, OPS)).toEqual([expect.stringMatching(/notices\[1\]\.name: expected another name; ops/)])
  })

  test('more than ten are refused', () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ ...OPS, name: `n${index}` }))
    expect(findings(...many)).toEqual([expect.stringMatching(/notices: expected at most 10 notices/)])
  })
})
