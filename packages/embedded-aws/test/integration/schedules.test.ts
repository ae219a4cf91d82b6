// Tests schedules of an assembly: they start a machine or invoke a function at their time, or when a test fires them.
import { describe, expect, test } from 'vitest'
import { ACCOUNT, REGION } from './fixture/assembly.ts'
import { boot, runs, START_MS, schedule, untilDelivered } from './fixture/event-assemblies.ts'

describe('a schedule', () => {
  test('starts its state machine at its time once schedules are started', async () => {
    const { aws, clock } = await boot(schedule())
    await clock.untilQuiet(START_MS + 24 * 3_600_000)
    expect(aws.listExecutions('Echo')).toEqual([])
    aws.schedules.start()
    await clock.untilQuiet(START_MS + 48 * 3_600_000)
    expect((await runs(aws)).map(({ output }) => output)).toEqual(['{"at":"2026-02-01T11:00:00Z"}'])
  })

  test('fires on request, twice if asked, for the given time', async () => {
    const booted = await boot(schedule({ State: 'DISABLED' }))
    booted.aws.schedules.fire('sweep', new Date('2026-03-01T00:00:00Z'), 2)
    await untilDelivered(booted)
    expect((await runs(booted.aws)).map(({ output }) => output)).toEqual([
      '{"at":"2026-03-01T00:00:00Z"}',
      '{"at":"2026-03-01T00:00:00Z"}',
    ])
    expect(booted.aws.schedules.list()).toEqual([
      {
        name: 'sweep',
        arn: `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/policies/sweep`,
        expression: 'cron(0 12 * * ? *)',
        zone: 'Europe/Berlin',
        isEnabled: false,
      },
    ])
  })

  test('invokes a function', async () => {
    const lines: string[] = []
    const booted = await boot(schedule({}, { Arn: { 'Fn::GetAtt': ['Functionprint', 'Arn'] } }), {
      onFunctionLog: (_name, line) => lines.push(line),
    })
    booted.aws.schedules.fire('sweep', new Date(START_MS))
    await untilDelivered(booted)
    expect(lines).toContain('one line')
  })

  test.each<[string, object, string]>([
    ['without input for a state machine', { Input: { Ref: 'AWS::NoValue' } }, 'Target.Input: is missing'],
    ['with input that is not JSON', { Input: '<aws.scheduler.scheduled-time>' }, 'Target.Input: must be JSON'],
    ['with a role outside the assembly', { RoleArn: 'arn:aws:iam::1:role/x' }, 'its role is not in the assembly'],
    ['with a universal target', { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage' }, 'its target is not a function'],
    [
      'with a queue outside the assembly',
      { DeadLetterConfig: { Arn: 'arn:aws:sqs:x' } },
      'its dead-letter queue is not in the assembly',
    ],
  ])('is refused at the start %s', async (_name, target, message) => {
    await expect(boot(schedule({}, target))).rejects.toThrow(message)
  })
})
