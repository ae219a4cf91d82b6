// Defines the `notices` part of treasury.json: messages to people about events, and their receivers. sent-notices.ts has the
// shape of a notice that is sent.
import * as z from 'zod/mini'
import { listeners, topicArn } from './addresses.ts'
import { policyName, secretName } from './fields.ts'
import { MOST_POLICIES } from './policies.ts'

export const NoticeAbout = {
  /** A movement or a run is in doubt or stuck, or our own fault ended it. */
  NeedsPerson: 'needs-a-person',
  /** A plan, or a movement, waits for `sluice approve` or `sluice reject`. */
  WaitsForApproval: 'waits-for-approval',
  /** Sending was halted by a person or by a policy's breaker, or a person resumed it. */
  Halted: 'halted',
  /** A run of a policy ended, with any outcome. */
  RunEnded: 'run-ended',
} as const
export type NoticeAbout = (typeof NoticeAbout)[keyof typeof NoticeAbout]

export const NoticeShape = {
  /** The format of Slack's incoming webhooks, which other products accept too. */
  Slack: 'slack',
  /** JSON of `plainNotice`. */
  Plain: 'plain',
} as const
export type NoticeShape = (typeof NoticeShape)[keyof typeof NoticeShape]

export const MOST_NOTICES = 10

/** Part of names on AWS, so it keeps to lower case, digits and dashes. */
export const noticeName = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,23}$/, 'at most 24 lower-case letters, digits and dashes, the first a letter'))

const webhook = z.strictObject({
  /** Name of the Secrets Manager secret that holds the address. Anyone who knows the address may post to it. */
  secret: secretName,
  shape: z._default(z.enum(NoticeShape), NoticeShape.Plain),
})

export const notice = z.strictObject({
  name: noticeName,
  /** Exactly one of the three receivers. */
  to: z
    .strictObject({
      webhook: z.optional(webhook),
      /** Subscribers of a topic that the deployment creates. Empty: the user subscribes to it. */
      sns: z.optional(listeners),
      topicArn: z.optional(topicArn),
    })
    .check(
      z.refine(
        (to) => Object.values(to).filter((receiver) => receiver !== undefined).length === 1,
        'one of the three: webhook, sns or topicArn',
      ),
    ),
  about: z.array(z.enum(NoticeAbout)).check(z.minLength(1, 'at least one of them')),
  /**
   * Only runs, halts and waiting movements of these policies, and halts of everything. Absent: all. With this field,
   * the end of a conversion or a withdrawal is reported only as part of its run.
   */
  policies: z.optional(z.array(policyName).check(z.minLength(1), z.maxLength(MOST_POLICIES))),
  /**
   * Port of the console on each reader's own machine: `sluice console --port`. With it a notice has a link to that
   * console. Absent: it has none.
   */
  consolePort: z.optional(z.int('a port from 1024 to 65535').check(z.gte(1_024), z.lte(65_535))),
})
export type Notice = z.infer<typeof notice>
