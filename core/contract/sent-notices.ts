// Defines the shapes of notices: the message in their queue, the body that a webhook receives, and the content of a
// webhook's secret. A notice says what happened to which subject. It holds no amount, no payee and no text of others
// (docs/notices.md).
import * as z from 'zod/mini'
import { isoTime } from './fields.ts'
import { NoticeAbout, noticeName } from './notices.ts'

/** Name of the queue in which events wait for their notice. */
export const NOTICE_QUEUE = 'sluice-notices'
/** Name of a notice's rule on the bus, and of its topic if SNS sends it. */
export const noticeResource = (name: string) => `sluice-notice-${name}` as const

/** Where SNS takes a notice: a topic of the account, or that of the notice of this name. */
export interface NoticeTopic {
  readonly name: string
  readonly topicArn: string | undefined
}

/** Message in the queue: the notice's name, and the event as AWS delivers it from the bus. */
export const queuedNotice = z.object({
  notice: noticeName,
  event: z.object({ id: z.string(), 'detail-type': z.string(), detail: z.unknown() }),
})
export type QueuedNotice = z.infer<typeof queuedNotice>

/** Input that `sluice events notices test` sends to Notify. */
export const noticeTest = z.strictObject({ source: z.literal('notice-test'), notice: noticeName, id: z.string() })

export const NOTICE_VERSION = 1

/** Content of a notice. As JSON it is the body of the plain shape. Fields are added and never changed. */
export const plainNotice = z.object({
  version: z.literal(NOTICE_VERSION),
  /** Stays the same when the event is delivered again. */
  id: z.string().check(z.regex(/^[0-9a-f]{32}$/, '32 hex digits')),
  about: z.enum({ ...NoticeAbout, Test: 'test' }),
  at: isoTime,
  notice: z.string(),
  /** Environment of the deployment. Absent: it has no environment. */
  environment: z.optional(z.string()),
  stage: z.enum(['live', 'test']),
  subject: z.object({
    kind: z.enum(['run', 'conversion', 'withdrawal', 'sending', 'notice', 'file']),
    /** Id of the run, or of the movement's intent. */
    id: z.optional(z.string()),
    /** Absent for a run or a movement without a policy, and for a halt of everything. */
    policy: z.optional(z.string()),
  }),
  /** A named end, or HALTED or RESUMED. */
  outcome: z.string(),
  /** One sentence. */
  says: z.string(),
  commands: z.array(z.string()),
  /** A page of the console on the reader's own machine, always below `http://127.0.0.1:PORT/go/`. */
  link: z.optional(z.string()),
})
export type PlainNotice = z.infer<typeof plainNotice>

/** Content of a webhook's secret as JSON. The secret may also hold the address alone. */
export const webhookSecret = z.strictObject({
  url: z.string().check(z.maxLength(2_000)),
  /** Present: each notice is signed by Standard Webhooks. `whsec_` and 24 to 64 bytes in base64. */
  signWith: z.optional(z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'whsec_ and a key in base64'))),
})
export type WebhookSecret = z.infer<typeof webhookSecret>

export const NoticeOutcome = {
  Delivered: 'DELIVERED',
  /** This notice is not about events of this kind. */
  NotAbout: 'NOT_ABOUT',
  /** The notice is no longer in treasury.json. */
  NotConfigured: 'NOT_CONFIGURED',
} as const
export type NoticeOutcome = (typeof NoticeOutcome)[keyof typeof NoticeOutcome]

/** Notify: report on one message, or on a test. */
export const noticeReport = z.object({ outcome: z.enum(NoticeOutcome), notice: z.string() })
export type NoticeReport = z.infer<typeof noticeReport>
