// Defines the shape of treasury.json, the one file that a user edits. The CDK app, the command line and runs on one machine
// read it through the same parser (core/treasury/config.ts). Also reads from it what several rooms need: reserves, and the
// secret of each key.
import * as z from 'zod/mini'
import { accountSettings } from './account-settings.ts'
import { listeners, topicArn } from './addresses.ts'
import { books } from './books.ts'
import { secretName } from './fields.ts'
import { certificateAuthorities, functionProxy, functionVpc } from './network.ts'
import { MOST_NOTICES, notice } from './notices.ts'
import { movementSettings } from './policies.ts'
import { headerName, KeyRole, kmsKeyId, ResumedBy, Stage, serviceUrl, stage } from './service-settings.ts'
import { Verb } from './states.ts'
import { timing } from './timing.ts'

/** Addresses that stay on this machine. A live key may use them without TLS. */
const LOOPBACK_ADDRESS = /^http:\/\/(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?(\/|$)/i

/** Log groups and backup vaults accept a key only by its ARN. */
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
  /** KMS key that signs for this role. The secret then holds only the bearer secret. */
  kmsKey: z.optional(kmsKeyId),
})
export type RoleKey = z.infer<typeof roleKey>

/** Systems Manager reserves parameter names that begin with aws or ssm. */
const ENVIRONMENT = /^(?!aws|ssm)[a-z][a-z0-9-]{0,15}$/
const ENVIRONMENT_EXPECTATION =
  'a name of at most 16 lower-case letters, digits and dashes that begins with a letter, and not with aws or ssm, such as "live"'

const waiver = z.string().check(z.minLength(1, 'the reason'), z.maxLength(200))

const awsRegion = z
  .string()
  .check(z.regex(/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-[0-9]$/, 'an AWS region, such as "eu-west-1"'))

export const treasury = z.strictObject({
  /** Address of the JSON Schema of this file, for editors. */
  $schema: z.optional(z.string()),
  /**
   * Names this deployment. It prefixes every name on AWS, so that several deployments run side by side. Another name is
   * another deployment with its own journal.
   */
  environment: z.optional(z.string().check(z.regex(ENVIRONMENT, ENVIRONMENT_EXPECTATION))),
  /** The only account and region for the deployment. Absent: the account and region of the credentials. */
  aws: z.optional(
    z.strictObject({
      account: z.string().check(z.regex(/^[0-9]{12}$/, 'an AWS account id of 12 digits')),
      region: awsRegion,
      /** The network in which functions run. Absent: Lambda's own network, which reaches the service and AWS. */
      vpc: z.optional(functionVpc),
      /** The only way of functions to the service and to AWS, except for the hosts that it names. */
      proxy: z.optional(functionProxy),
      /** Certificates that functions trust beside the public authorities. They are public, and no secret. */
      certificateAuthorities: z.optional(certificateAuthorities),
      ...accountSettings,
    }),
  ),
  service: z
    .strictObject({
      /** Address of the service, without `/v2`. */
      url: serviceUrl,
      /** `live` refuses test keys, `test` refuses live keys. */
      stage,
      /**
       * Name of the Secrets Manager secret with the key of every role that `keys` does not name. In an environment the
       * default carries the environment's name.
       */
      keySecret: z._default(secretName, 'sluice/service-key'),
      /**
       * Whether people or other programs also write to the account. Only with `false` is a withdrawal whose answer was
       * lost adopted by its figures; otherwise a person decides. With `true` the audit does not report movements that
       * no intent claims.
       */
      shared: z.optional(z.boolean()),
      /** A separate key for a role. A function gets only the key of its own role. */
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
  /** Precautions that the stage `live` omits, each with the reason. */
  waives: z._default(
    z.strictObject({
      /** One key has more than one role. */
      splitKeys: z.optional(waiver),
      /** Withdrawals may go to any contact of the account. */
      allowedContacts: z.optional(waiver),
      /** The value that moves in a day has no bound. */
      dailyBounds: z.optional(waiver),
      /** Rules that count or choose people apply at a desk, although nobody verifies identities there. */
      verifiedPeople: z.optional(waiver),
      /** A person who may halt may also resume alone. */
      resumedBy: z.optional(waiver),
    }),
    {},
  ),
  /**
   * `another-role`: on AWS only the policy of resumers may resume, and the policy of operators may not. `two-people`:
   * two different people must ask within 24 hours. Absent: a person who may halt may also resume.
   */
  resumedBy: z.optional(z.enum(ResumedBy, 'another-role or two-people')),
  timing: z.prefault(timing, {}),
  ...movementSettings,
  /** The service's webhooks, as configured in its dashboard. Absent: no webhooks are received. */
  webhooks: z.optional(
    z.strictObject({
      /** Name of the header that carries the signature. The service's description does not give it. */
      signatureHeader: z._default(headerName, 'x-webhook-signature'),
      /**
       * Maximum deliveries processed at the same time, reserved from the account's concurrency. Absent: 10, or no limit
       * where `concurrency` is shared.
       */
      mostAtOnce: z.optional(z.int('a whole number from 1 to 1000').check(z.gte(1), z.lte(1000))),
    }),
  ),
  /** AWS accounts besides this one that may put requests on the bus. */
  requesters: z._default(
    z.array(z.string().check(z.regex(/^[0-9]{12}$/, 'an AWS account id of 12 digits'))).check(z.maxLength(50)),
    [],
  ),
  /**
   * `reserved`: halting and webhooks have their own shares of the account's concurrent executions. `shared`: they share
   * with everything else. A new account has 10 in all, too few to reserve any.
   */
  concurrency: z._default(z.enum(['reserved', 'shared'], 'reserved or shared'), 'reserved'),
  /**
   * KMS keys that the account itself creates and keeps (docs/runbook.md, "Keys of your own for what is stored"). Data
   * without a key here is encrypted with a key of AWS. The same key may be used several times.
   */
  encryption: z.optional(
    z.strictObject({
      /** Encrypts the secrets with keys of the service and with addresses of notices. */
      secrets: z.optional(encryptionKey),
      /** Encrypts the journal's table and its backups. */
      journal: z.optional(encryptionKey),
      /** Encrypts the copies of backups in `journal.copyRegion`. It is a key of that region. */
      copies: z.optional(encryptionKey),
      /** Encrypts the logs of functions and of state machines. */
      logs: z.optional(encryptionKey),
    }),
  ),
  journal: z.optional(
    z.strictObject({
      /** Region for copies of the journal's backups. A person creates the vault there once (docs/runbook.md). */
      copyRegion: z.optional(awsRegion),
    }),
  ),
  /** Accounts of the journal entries for hledger and beancount. Absent: each has its usual account. */
  books: z.optional(books),
  /** Notices to people, and their receivers. Absent: people hear only alarms. */
  notices: z.optional(z.array(notice).check(z.maxLength(MOST_NOTICES, `at most ${MOST_NOTICES} notices`))),
  alarms: z.optional(
    z.strictObject({
      /** Receivers of alarms that somebody must look at now. The deployment subscribes them to a topic of its own. */
      page: z.optional(listeners),
      /** Receivers of alarms that can wait until the morning. */
      ticket: z.optional(listeners),
      /** ARN of the user's own SNS topic. Every alarm notifies it as well. */
      topicArn: z.optional(topicArn),
      /** Topics of the account that the alarms of a severity notify, in place of topics of the deployment. */
      topics: z.optional(z.strictObject({ page: z.optional(topicArn), ticket: z.optional(topicArn) })),
    }),
  ),
})
export type Treasury = z.infer<typeof treasury>
/** The file as people write it, where a field with a default may be absent. */
export type TreasuryInput = z.input<typeof treasury>
export type ServiceSettings = Treasury['service']
/** Data that a KMS key of the user's own can encrypt. */
export type EncryptedData = keyof NonNullable<Treasury['encryption']>

/** Maximum simultaneous invocations of ThrowSwitch: enough for a few people who halt and retry. */
const SWITCHES_AT_ONCE = 5
/** Maximum simultaneous invocations of ReceiveWebhook. A delivery takes about 100 ms, so they handle 100 a second. */
const WEBHOOKS_AT_ONCE = 10

/**
 * Concurrent executions reserved for each function, which are also its maximum. A function without an entry shares the
 * rest of the account.
 */
export function reservesOf({
  concurrency,
  webhooks,
}: Pick<Treasury, 'concurrency' | 'webhooks'>): ReadonlyMap<Verb, number> {
  const isReserved = concurrency === 'reserved'
  const webhookShare = webhooks && (webhooks.mostAtOnce ?? (isReserved ? WEBHOOKS_AT_ONCE : undefined))
  return new Map<Verb, number>([
    ...(isReserved ? [[Verb.ThrowSwitch, SWITCHES_AT_ONCE] as const] : []),
    ...(webhookShare === undefined ? [] : [[Verb.ReceiveWebhook, webhookShare] as const]),
  ])
}

export function roleKeyOf({ keys, keySecret }: ServiceSettings, role: KeyRole): RoleKey {
  return keys?.[role] ?? { secret: keySecret }
}

/** Names of the secrets of all roles, without duplicates. */
export function keySecretsOf(service: ServiceSettings): string[] {
  return [...new Set(Object.values(KeyRole).map((role) => roleKeyOf(service, role).secret))]
}

function isInTheClear(url: string): boolean {
  return url.startsWith('http:') && !LOOPBACK_ADDRESS.test(url)
}
