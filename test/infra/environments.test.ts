// Environments side by side in one account and region: no two share a name, and each stays where treasury.json pins it.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { machineOf } from '../../core/contract/deployed-names.ts'
import { assertMayDeployTo } from '../../infra/pinned-place.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { type AssemblyFacts, readAssemblyFacts } from '../updates/assembly-facts.ts'
import { buildApp, samplePolicies, webhooks } from './assembly.ts'

const known = new Map<string | undefined, AssemblyFacts>()

/** Each environment is synthesized once. */
function factsOf(environment?: string): AssemblyFacts {
  const found = known.get(environment)
  if (found !== undefined) return found
  const folder = temporaryFolder()
  const named = environment === undefined ? {} : { environment }
  buildApp(folder, { policies: samplePolicies, webhooks, ...named }).synth()
  const facts = readAssemblyFacts(join(folder, 'cdk.out'))
  known.set(environment, facts)
  return facts
}

const namesOf = ({ stacks }: AssemblyFacts) =>
  stacks.flatMap(({ name, resources }) => [
    `stack ${name}`,
    ...Object.values(resources).flatMap((resource) =>
      // A schedule's name belongs to its group.
      resource.name === undefined || resource.type === 'AWS::Scheduler::Schedule'
        ? []
        : [`${resource.type} ${resource.name}`],
    ),
  ])

describe('names', () => {
  let all: readonly (readonly string[])[]

  test('names of two environments, and of a deployment without one, are all different', () => {
    all = [factsOf(), factsOf('live'), factsOf('desk-2')].map(namesOf)
    const [plain = [], ...named] = all
    expect(plain.length).toBeGreaterThan(40)
    for (const [index, environment] of ['live', 'desk-2'].entries()) {
      expect(named[index]).toHaveLength(plain.length)
      expect(named[index]?.filter((name) => !name.includes(environment))).toEqual([])
    }
    expect(new Set(all.flat()).size).toBe(all.flat().length)
  })

  // Schedules of Sluice itself, apart from policies.
  const OWN_SCHEDULES = ['live-sluice-audit', 'live-sluice-audit-continued', 'live-sluice-look-again']
  test('names of the schedules are in the group of their environment', () => {
    const { stacks } = factsOf('live')
    const schedules = stacks
      .flatMap(({ resources }) => Object.values(resources))
      .filter(({ name, type }) => type === 'AWS::Scheduler::Schedule' && !OWN_SCHEDULES.includes(name ?? ''))
    expect(schedules.map(({ createOnly }) => createOnly)).toEqual(
      schedules.map(({ name }) => JSON.stringify([name, 'live-sluice'])),
    )
  })
})

test.each([
  ['sluice-convert', 'sluice-convert'],
  ['desk-2-sluice-convert', 'sluice-convert'],
  ['live-sluice-sweep', 'sluice-sweep'],
  ['my-convert', undefined],
  ['mysluice-convert', undefined],
])('an execution of %s is one of %s', (deployed, machine) => {
  expect(machineOf(`arn:aws:states:eu-west-1:123456789012:execution:${deployed}:some-id`)).toBe(machine)
})

describe('a pinned account and region', () => {
  const pinned = { account: '123456789012', region: 'eu-west-1' }
  const place = (account?: string, region?: string) => ({ CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region })

  test('allow a deployment there, and a synthesis without a deployment', () => {
    expect(() => assertMayDeployTo(pinned, place('123456789012', 'eu-west-1'))).not.toThrow()
    expect(() => assertMayDeployTo(pinned, place())).not.toThrow()
    expect(() => assertMayDeployTo(undefined, place('999999999999', 'us-east-1'))).not.toThrow()
  })

  test('refuse another account and another region by name', () => {
    expect(() => assertMayDeployTo(pinned, place('999999999999', 'eu-west-1'))).toThrow(
      'treasury.json: aws.account: expected the account of the credentials, 999999999999; got 123456789012',
    )
    expect(() => assertMayDeployTo(pinned, place('123456789012', 'us-east-1'))).toThrow(
      'treasury.json: aws.region: expected the region of the deployment, us-east-1; got eu-west-1',
    )
  })
})
