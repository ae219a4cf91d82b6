// Notices: what people are told of what happens, at an address of their own. Their part of treasury.json only, which every
// function reads: what a notice looks like is in told-notices.ts.
import * as z from 'zod/mini'
import { listeners } from './addresses.ts'
import { policyName, secretName } from './fields.ts'
import { MOST_POLICIES } from './policies.ts'

export const NoticeAbout = {
  /** A movement or a run is in doubt or stuck, or a fault of ours ended it. */
  NeedsPerson: 'needs-a-person',
  /** A plan, or a movement, waits for `sluice approve` or `sluice reject`. */
  WaitsForApproval: 'waits-for-approval',
  /** Sending was halted, by a person or by a policy's breaker; or a person let it go on. */
  Halted: 'halted',
  /** A run of a policy came to its end, whichever. */
  RunEnded: 'run-ended',
} as const
export type NoticeAbout = (typeof NoticeAbout)[keyof typeof NoticeAbout]

export const NoticeShape = {
  /** What Slack's incoming webhooks take, and those of others that took it over. */
  Slack: 'slack',
  /** `plainNotice`, as JSON. */
  Plain: 'plain',
} as const
export type NoticeShape = (typeof NoticeShape)[keyof typeof NoticeShape]

export const MOST_NOTICES = 10

/** It is part of names on AWS. */
export const noticeName = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,23}$/, 'at most 24 lower-case letters, digits and dashes, the first a letter'))

const webhook = z.strictObject({
  /** Name of the Secrets Manager secret with the address: whoever knows it may post there. */
  secret: secretName,
  shape: z._default(z.enum(NoticeShape), NoticeShape.Plain),
})

/** One notice of treasury.json. */
export const notice = z.strictObject({
  name: noticeName,
  /** One of the two. */
  to: z
    .strictObject({
      webhook: z.optional(webhook),
      /** A topic of the deployment, and who is subscribed to it: none, where you subscribe by yourself. */
      sns: z.optional(listeners),
    })
    .check(
      z.refine(({ sns, webhook }) => (sns === undefined) !== (webhook === undefined), 'one of the two: webhook or sns'),
    ),
  about: z.array(z.enum(NoticeAbout)).check(z.minLength(1, 'at least one of them')),
  /**
   * Only runs, halts and waiting movements of these policies, and what halts everything; absent: all. With it, the end of a
   * conversion or a withdrawal is told by its run alone.
   */
  policies: z.optional(z.array(policyName).check(z.minLength(1), z.maxLength(MOST_POLICIES))),
})
export type Notice = z.infer<typeof notice>
