// What notices look like: what waits in their queue, what a webhook is sent, and what its secret holds. Shapes only. A notice
// says what happened and to what, and holds no amount, no payee and no text of others (docs/notices.md).
import * as z from 'zod/mini'
import { isoTime } from './fields.ts'
import { NoticeAbout, noticeName } from './notices.ts'

/** The queue in which events wait for their notice. */
export const NOTICE_QUEUE = 'sluice-notices'
/** The rule of a notice, and the topic of one that SNS sends. */
export const noticeResource = (name: string) => `sluice-notice-${name}` as const

/** What waits in the queue: for which notice, and the event of the bus as AWS hands it over. */
export const queuedNotice = z.object({
  notice: noticeName,
  event: z.object({ id: z.string(), 'detail-type': z.string(), detail: z.unknown() }),
})
export type QueuedNotice = z.infer<typeof queuedNotice>

/** What `sluice events notices test` asks of Notify. */
export const noticeTest = z.strictObject({ source: z.literal('notice-test'), notice: noticeName, id: z.string() })

export const NOTICE_VERSION = 1

/** What a notice tells. As JSON it is the body of the plain shape. A field is added and never changed. */
export const plainNotice = z.object({
  version: z.literal(NOTICE_VERSION),
  /** The same for what was told twice. */
  id: z.string().check(z.regex(/^[0-9a-f]{32}$/, '32 hex digits')),
  about: z.enum({ ...NoticeAbout, Test: 'test' }),
  /** ISO-8601: when it happened. */
  at: isoTime,
  /** Which notice of treasury.json. */
  notice: z.string(),
  /** Of the deployment; absent: it has no environment. */
  environment: z.optional(z.string()),
  stage: z.enum(['live', 'test']),
  subject: z.object({
    kind: z.enum(['run', 'conversion', 'withdrawal', 'sending', 'notice']),
    /** Of the run, or of the movement's intent. */
    id: z.optional(z.string()),
    /** Of a run or a movement, absent where it is of none; of a halt, absent where it is of everything. */
    policy: z.optional(z.string()),
  }),
  /** A named end; HALTED or RESUMED. */
  outcome: z.string(),
  /** One sentence. */
  says: z.string(),
  /** What to type next. */
  commands: z.array(z.string()),
})
export type PlainNotice = z.infer<typeof plainNotice>

/** What the secret of a webhook holds: the address alone, or this. */
export const webhookSecret = z.strictObject({
  url: z.string().check(z.maxLength(2_000)),
  /** With it each notice is signed, by Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
  signWith: z.optional(z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'whsec_ and a key in base64'))),
})
export type WebhookSecret = z.infer<typeof webhookSecret>

export const NoticeOutcome = {
  Delivered: 'DELIVERED',
  /** An end that this notice is not about. */
  NotAbout: 'NOT_ABOUT',
  /** The notice is no longer in treasury.json. */
  NotConfigured: 'NOT_CONFIGURED',
} as const
export type NoticeOutcome = (typeof NoticeOutcome)[keyof typeof NoticeOutcome]

/** Notify: of one message, or of a test. */
export const noticeReport = z.object({ outcome: z.enum(NoticeOutcome), notice: z.string() })
export type NoticeReport = z.infer<typeof noticeReport>
