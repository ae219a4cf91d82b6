// Checks whether EventBridge Scheduler calls as the deployed file says: each policy has its schedule, switched on, with
// the file's times, and the group has no others. Whether StartRun then starts a run is checked in accounts.ts. Reads
// only.

import {
  GetScheduleCommand,
  type GetScheduleOutput,
  ListSchedulesCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler'
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { deployedName, SCHEDULE_GROUP } from '../../../core/contract/deployed-names.ts'
import { MOST_POLICIES, type Schedule } from '../../../core/contract/policies.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { scheduledTick } from '../../../core/treasury/due-times.ts'
import { advice, DEPLOY } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'

const CHECK = 'schedules'
const NOT_THERE = 'ResourceNotFoundException'
const PAGE = 100
/** Maximum pages that are listed. The policies of a file need one page at most. */
const MOST_PAGES = 3

export async function scheduleChecks({
  environment,
  policies,
}: Pick<Treasury, 'environment' | 'policies'>): Promise<readonly Check[]> {
  const client = new SchedulerClient(requestLimits(AWS_LIMITS))
  const group = deployedName(SCHEDULE_GROUP, environment)
  const wanted = Object.entries(policies).flatMap(([name, { schedule }]) =>
    schedule === undefined ? [] : [{ name, schedule }],
  )
  try {
    const listed = await listSchedules(client, group)
    const found = await mapBounded(wanted.slice(0, MOST_POLICIES), READS_AT_ONCE, async ({ name, schedule }) =>
      judgeSchedule(name, schedule, listed.includes(name) ? await readSchedule(client, group, name) : undefined),
    )
    const strays = listed.filter((name) => !wanted.some((schedule) => schedule.name === name))
    const findings = [...found.filter((check) => check !== undefined), ...strays.map((name) => stray(name, group))]
    return findings.length > 0 ? findings : [ok(CHECK, fineText(wanted.length))]
  } catch (error) {
    const next = 'let these credentials call scheduler:ListSchedules and scheduler:GetSchedule'
    return [notKnown(CHECK, error, next)]
  } finally {
    client.destroy()
  }
}

function fineText(count: number): string {
  if (count === 0) return 'no policy of the deployed file has one'
  return `${count === 1 ? '1 is' : `${count} are`} there, switched on, as the deployed file has them`
}

/** Names of the schedules. A missing group has none, because it is made with the first schedule. */
async function listSchedules(client: SchedulerClient, group: string): Promise<readonly string[]> {
  const names: string[] = []
  let from: string | undefined
  try {
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { NextToken, Schedules = [] } = await client.send(
        new ListSchedulesCommand({ GroupName: group, MaxResults: PAGE, NextToken: from }),
      )
      names.push(...Schedules.flatMap(({ Name }) => Name ?? []))
      from = NextToken
      if (from === undefined) break
    }
    return names
  } catch (error) {
    if (errorName(error) === NOT_THERE) return []
    throw error
  }
}

async function readSchedule(
  client: SchedulerClient,
  group: string,
  name: string,
): Promise<GetScheduleOutput | undefined> {
  try {
    return await client.send(new GetScheduleCommand({ GroupName: group, Name: name }))
  } catch (error) {
    // The schedule was deleted after it was listed.
    if (errorName(error) === NOT_THERE) return undefined
    throw error
  }
}

/** Undefined where it agrees with the file. */
function judgeSchedule(name: string, schedule: Schedule, found: GetScheduleOutput | undefined): Check | undefined {
  const check = `schedule ${name}`
  if (found === undefined) return fail(check, 'the policy has a schedule, and none is deployed', DEPLOY)
  if (found.State !== 'ENABLED') {
    const next = 'switch it on in EventBridge Scheduler, or take the schedule out of the file and deploy'
    return fail(check, `it is ${found.State ?? 'in no known state'}: the policy does not run by itself`, next)
  }
  const { expression, timeZone } = scheduledTick(schedule)
  // Without a time zone, UTC applies.
  const ticks = `${found.ScheduleExpression} ${found.ScheduleExpressionTimezone ?? 'UTC'}`
  if (ticks === `${expression} ${timeZone}`) return undefined
  return fail(check, `it ticks at ${ticks}; by the file at ${expression} ${timeZone}`, DEPLOY)
}

function stray(name: string, group: string): Check {
  const options = { 'group-name': group, name }
  const next = advice`${{ do: 'call-aws', call: 'scheduler delete-schedule', options }}, if nobody needs it`
  return warn(`schedule ${name}`, `it is in the group ${group}, and the deployed file has no such schedule`, next)
}
