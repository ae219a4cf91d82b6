// The shape of treasury.json, the one file that a user edits. The CDK app and the command line read it through the
// same parser (core/treasury/config.ts), and so do runs on one machine.
import * as z from 'zod/mini'
import { listeners } from './addresses.ts'
import { policyName, secretName } from './fields.ts'
import { guards } from './guards.ts'
import { MOST_NOTICES, notice } from './notices.ts'
import { MOST_POLICIES, policy } from './policies.ts'
import { Verb } from './states.ts'
import { timing } from './timing.ts'

export const Stage = { Live: 'live', Test: 'test' } as const
export type Stage = (typeof Stage)[keyof typeof Stage]

/** What a key is for, least power each: to read, to trade, to transfer. */
export const KeyRole = { Read: 'read', Trade: 'trade', Transfer: 'transfer' } as const
export type KeyRole = (typeof KeyRole)[keyof typeof KeyRole]

const ADDRESS_EXPECTATION = 'an http(s) address without /v2, query or credentials, such as "https://api.example.com"'
/** What does not leave this machine: there a live key may do without TLS. */
const LOOPBACK_ADDRESS = /^http:\/\/(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?(\/|$)/i

/** The ARN of a KMS key, or the name of an alias of this account and region. */
export const kmsKeyId = z
  .string()
  .check(
    z.regex(
      /^(arn:[a-z-]{1,20}:kms:[a-z0-9-]{1,30}:[0-9]{12}:key\/[A-Za-z0-9-]{1,64}|alias\/[A-Za-z0-9/_-]{1,240})$/,
      'the ARN of a KMS key, or alias/NAME',
    ),
  )

/** Log groups and backup vaults know a key by its ARN alone. */
const encryptionKey = z
  .string()
  .check(
    z.regex(
      /^arn:[a-z-]{1,20}:kms:[a-z0-9-]{1,30}:[0-9]{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
      'the ARN of a KMS key that encrypts, such as "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-…"',
    ),
  )

const roleKey = z.strictObject({
  /** Name of the Secrets Manager secret that holds this role's key. */
  secret: secretName,
  /** KMS key that signs for this role: the secret then holds the bearer secret only. */
  kmsKey: z.optional(kmsKeyId),
})
export type RoleKey = z.infer<typeof roleKey>

/** Systems Manager keeps names of parameters that begin with aws or ssm for itself. */
const ENVIRONMENT = /^(?!aws|ssm)[a-z][a-z0-9-]{0,15}$/
const ENVIRONMENT_EXPECTATION =
  'a name of at most 16 lower-case letters, digits and dashes that begins with a letter, and not with aws or ssm, such as "live"'

/** Why the stage `live` goes without a precaution. */
const waiver = z.string().check(z.minLength(1, 'the reason'), z.maxLength(200))

/** Who lets sending go on after a halt, which one person alone can make. */
export const ResumedBy = { AnotherRole: 'another-role', TwoPeople: 'two-people' } as const
export type ResumedBy = (typeof ResumedBy)[keyof typeof ResumedBy]

const awsRegion = z
  .string()
  .check(z.regex(/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-[0-9]$/, 'an AWS region, such as "eu-west-1"'))

export const treasury = z.strictObject({
  /** Where an editor finds the JSON Schema of this file. */
  $schema: z.optional(z.string()),
  /**
   * Names this deployment. It stands before every name on AWS, so that several live side by side. Another name is
   * another deployment, with a journal of its own.
   */
  environment: z.optional(z.string().check(z.regex(ENVIRONMENT, ENVIRONMENT_EXPECTATION))),
  /** Where it may be deployed; absent: wherever the credentials lead. */
  aws: z.optional(
    z.strictObject({
      account: z.string().check(z.regex(/^[0-9]{12}$/, 'an AWS account id of 12 digits')),
      region: awsRegion,
    }),
  ),
  service: z
    .strictObject({
      /** Address of the service, without `/v2`. */
      url: z.string().check(
        z.regex(/^https?:\/\/[^\s?#@]{1,240}$/, ADDRESS_EXPECTATION),
        z.refine((url) => !/\/v2\/*$/.test(url), ADDRESS_EXPECTATION),
      ),
      /** `live` refuses test keys, `test` refuses live keys. */
      stage: z.enum(['live', 'test'], 'live or test'),
      /**
       * Name of the Secrets Manager secret that holds the key of every role that `keys` does not name. In an environment
       * the default carries its name.
       */
      keySecret: z._default(secretName, 'sluice/service-key'),
      /**
       * Whether people or other programs write to the account too. Only where this is false is a withdrawal whose answer was
       * lost adopted by its figures; otherwise it goes to a person. Where this is true, the audit does not report movements
       * that no intent claims.
       */
      shared: z.optional(z.boolean()),
      /** A key of its own for a role: a function gets the key of its role only. */
      keys: z.optional(
        z.strictObject({ read: z.optional(roleKey), trade: z.optional(roleKey), transfer: z.optional(roleKey) }),
      ),
    })
    .check(
      z.refine(({ stage, url }) => stage !== Stage.Live || !isInTheClear(url), {
        path: ['url'],
        error: 'an https address, as the stage is live (http only on this machine)',
      }),
    ),
  /** What the stage `live` goes without, each with the reason. */
  waives: z._default(
    z.strictObject({
      /** One key has more than one role. */
      splitKeys: z.optional(waiver),
      /** Withdrawals may go to any contact of the account. */
      allowedContacts: z.optional(waiver),
      /** No bound on the value of a day. */
      dailyBounds: z.optional(waiver),
      /** Rules that count or choose people hold at a desk although nobody checks who speaks there. */
      verifiedPeople: z.optional(waiver),
      /** Whoever may halt may let sending go on alone. */
      resumedBy: z.optional(waiver),
    }),
    {},
  ),
  /**
   * `another-role`: the policy of operators on AWS does not hold the permission to resume, and that of resumers does.
   * `two-people`: two different people say so within 24 hours. Absent: whoever may halt may resume.
   */
  resumedBy: z.optional(z.enum(ResumedBy, 'another-role or two-people')),
  timing: z.prefault(timing, {}),
  guards: z.prefault(guards, {}),
  /** By name. */
  policies: z._default(
    z
      .record(policyName, policy)
      .check(
        z.refine((policies) => Object.keys(policies).length <= MOST_POLICIES, `at most ${MOST_POLICIES} policies`),
      ),
    {},
  ),
  /** The service's webhooks, as its dashboard is told to send them; absent: none are received. */
  webhooks: z.optional(
    z.strictObject({
      /** Name of the header that carries the signature: the service's description does not show it. */
      signatureHeader: z._default(
        z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/, 'the name of an HTTP header')),
        'x-webhook-signature',
      ),
      /**
       * Deliveries that are looked at at once, taken from the account's concurrency for good; absent: 10, and where
       * `concurrency` is shared, not bounded.
       */
      mostAtOnce: z.optional(z.int('a whole number from 1 to 1000').check(z.gte(1), z.lte(1000))),
    }),
  ),
  /** AWS accounts that may put requests on the bus, besides this one. */
  requesters: z._default(
    z.array(z.string().check(z.regex(/^[0-9]{12}$/, 'an AWS account id of 12 digits'))).check(z.maxLength(50)),
    [],
  ),
  /**
   * Whether halting and webhooks have shares of the account's concurrent executions of their own: `reserved`, or `shared` with
   * everything else. A new account has 10 in all, and gives none away.
   */
  concurrency: z._default(z.enum(['reserved', 'shared'], 'reserved or shared'), 'reserved'),
  /**
   * KMS keys of one's own, which the account makes and keeps (docs/runbook.md, "Keys of your own for what is stored"). What
   * has none is under a key of AWS. One key may stand in several places.
   */
  encryption: z.optional(
    z.strictObject({
      /** The secrets with keys of the service and with addresses of notices. */
      secrets: z.optional(encryptionKey),
      /** The journal's table and its backups. */
      journal: z.optional(encryptionKey),
      /** The copies of backups in `journal.copyRegion`: a key of that region. */
      copies: z.optional(encryptionKey),
      /** The logs of functions and of state machines. */
      logs: z.optional(encryptionKey),
    }),
  ),
  journal: z.optional(
    z.strictObject({
      /** Backups of the journal are copied there, into a vault that is made by hand once (docs/runbook.md). */
      copyRegion: z.optional(awsRegion),
    }),
  ),
  /** What people are told of what happens, and where; absent: nobody is told, but by alarms. */
  notices: z.optional(z.array(notice).check(z.maxLength(MOST_NOTICES, `at most ${MOST_NOTICES} notices`))),
  alarms: z.optional(
    z.strictObject({
      /** Addresses that hear what somebody must look at now. The deployment subscribes them to a topic of its own. */
      page: z.optional(listeners),
      /** Addresses that hear what can wait until the morning. */
      ticket: z.optional(listeners),
      /** ARN of an SNS topic of one's own, that all alarms notify as well. */
      topicArn: z.optional(
        z.string().check(z.regex(/^arn:[^:\s]+:sns:[^:\s]+:[0-9]{12}:[^:\s]+$/, 'the ARN of an SNS topic')),
      ),
    }),
  ),
})
export type Treasury = z.infer<typeof treasury>
export type ServiceSettings = Treasury['service']
/** What a KMS key of one's own encrypts. */
export type Encrypted = keyof NonNullable<Treasury['encryption']>

/** Invocations of ThrowSwitch at once: a few people who halt, each of whom tries again. */
const SWITCHES_AT_ONCE = 5
/** Invocations of ReceiveWebhook at once. A delivery takes some 100 ms, so they take 100 a second. */
const WEBHOOKS_AT_ONCE = 10

/** Concurrent executions that functions take from the account for good, and may not exceed. Absent: no share of its own. */
export function reservesOf({
  concurrency,
  webhooks,
}: Pick<Treasury, 'concurrency' | 'webhooks'>): ReadonlyMap<Verb, number> {
  const isReserved = concurrency === 'reserved'
  const ofWebhooks = webhooks && (webhooks.mostAtOnce ?? (isReserved ? WEBHOOKS_AT_ONCE : undefined))
  return new Map<Verb, number>([
    ...(isReserved ? [[Verb.ThrowSwitch, SWITCHES_AT_ONCE] as const] : []),
    ...(ofWebhooks === undefined ? [] : [[Verb.ReceiveWebhook, ofWebhooks] as const]),
  ])
}

/** Which secret and which KMS key serve a role. */
export function roleKeyOf({ keys, keySecret }: ServiceSettings, role: KeyRole): RoleKey {
  return keys?.[role] ?? { secret: keySecret }
}

/** Names of all the secrets that roles are served from, each once. */
export function keySecretsOf(service: ServiceSettings): string[] {
  return [...new Set(Object.values(KeyRole).map((role) => roleKeyOf(service, role).secret))]
}

function isInTheClear(url: string): boolean {
  return url.startsWith('http:') && !LOOPBACK_ADDRESS.test(url)
}
