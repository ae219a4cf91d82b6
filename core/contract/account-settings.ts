// Defines the fields of `aws` in treasury.json. A company asks some of every deployment: tags, a permissions boundary, a path
// for roles, roles that deploy, and how long logs are kept. Others name a bus and a table that the account has already. Shapes
// only: core/treasury/account-rules.ts has the rules between them.
import * as z from 'zod/mini'

/** Days for which a log group keeps its lines, where treasury.json does not say. */
export const LOG_RETENTION_DAYS = 180

/** Source: Amazon CloudWatch Logs API Reference, PutRetentionPolicy. */
const RETENTIONS = [
  ...([
    1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
  ] as const),
]
const RETENTION_EXPECTATION = `a number of days that CloudWatch Logs takes: ${RETENTIONS.join(', ')}`

/** AWS takes 50 tags of a resource, and `sluice setup doctor --aws` writes two of the home role. */
const MOST_TAGS = 30
/** Characters of all keys and values together. A template has each tag some 60 times, and at most 1 MB. */
const MOST_TAG_CHARACTERS = 800

/**
 * The letters that every service takes. AWS keeps the prefix aws: for itself, and Sluice keeps sluice:.
 * Source: AWS General Reference, "Tagging your AWS resources"; IAM API Reference, Tag.
 */
const TAG_KEY = /^(?!\s|[aA][wW][sS]:|[sS][lL][uU][iI][cC][eE]:)[\p{L}\p{N} _.:/=+@-]{0,127}[\p{L}\p{N}_.:/=+@-]$/u
const TAG_KEY_EXPECTATION =
  'a key of 1 to 128 letters, digits, spaces and _ . : / = + - @ that does not begin with aws: or sluice:'
/** EventBridge Scheduler takes no empty value. Source: EventBridge Scheduler API Reference, Tag. */
const TAG_VALUE = /^[\p{L}\p{N} _.:/=+@-]{1,256}$/u
const TAG_VALUE_EXPECTATION = 'a text of 1 to 256 letters, digits, spaces and _ . : / = + - @'

/** Source: IAM User Guide, "IAM identifiers" (friendly names and paths). A pattern in a path would admit other roles. */
const NAME = '[A-Za-z0-9+=,.@_-]'
const BOUNDARY = new RegExp(`^(arn:[a-z-]{1,20}:iam::([0-9]{12}|aws):policy/)?(${NAME}{1,128}/){0,8}${NAME}{1,128}$`)
const ROLE_PATH = new RegExp(`^/(?!aws-|service-role/)(${NAME}{1,64}/){1,8}$`)
const ROLE_PATH_EXPECTATION = 'a path of names between slashes, of at most 512 characters, such as "/company/"'

/**
 * A table or a bus of this account, by its name or its ARN. Each may have another longest name. A bus named default takes
 * events from every service of the account, and a name with a slash is a partner's.
 */
const BUS = /^(arn:[a-z-]{1,20}:events:[a-z0-9-]{1,30}:[0-9]{12}:event-bus\/)?(?!default$|aws\.)[A-Za-z0-9._-]{1,128}$/
const TABLE = /^(arn:[a-z-]{1,20}:dynamodb:[a-z0-9-]{1,30}:[0-9]{12}:table\/)?[A-Za-z0-9._-]{3,128}$/

const ROLE = new RegExp(`^arn:[a-z-]{1,20}:iam::[0-9]{12}:role/(${NAME}{1,128}/){0,8}${NAME}{1,64}$`)
/** The table's policy names each of them. */
const MOST_DEPLOY_ROLES = 5

export const accountSettings = {
  /** Roles of CloudFormation, or of people without one, that deploy besides the CDK's own. */
  deployRoles: z.optional(
    z
      .array(z.string().check(z.regex(ROLE, 'the ARN of a role, such as "arn:aws:iam::123456789012:role/deploys"')))
      .check(z.minLength(1, 'a role'), z.maxLength(MOST_DEPLOY_ROLES, `at most ${MOST_DEPLOY_ROLES} roles`)),
  ),
  /** The account's own bus for requests and ends. Absent: the deployment makes one. */
  eventBus: z.optional(
    z.string().check(z.regex(BUS, 'the name or the ARN of an event bus of your own, of at most 128 characters')),
  ),
  /** The account's own table for the journal. Absent: the deployment makes one. */
  journalTable: z.optional(
    z.string().check(z.regex(TABLE, 'the name or the ARN of a DynamoDB table, of 3 to 128 characters')),
  ),
  /** Tags of every resource that takes tags. */
  tags: z.optional(
    z
      .record(
        z.string().check(z.regex(TAG_KEY, TAG_KEY_EXPECTATION)),
        z.string().check(z.regex(TAG_VALUE, TAG_VALUE_EXPECTATION)),
      )
      .check(
        z.refine((tags) => Object.keys(tags).length <= MOST_TAGS, `at most ${MOST_TAGS} tags`),
        z.refine(
          (tags) => Object.entries(tags).flat().join('').length <= MOST_TAG_CHARACTERS,
          `at most ${MOST_TAG_CHARACTERS} characters in all keys and values together`,
        ),
      ),
  ),
  /** Managed policy that bounds every role. The account makes it. */
  permissionsBoundary: z.optional(
    z
      .string()
      .check(
        z.regex(
          BOUNDARY,
          'the ARN or the name of a managed policy, such as "arn:aws:iam::123456789012:policy/boundary"',
        ),
      ),
  ),
  rolePath: z.optional(
    z.string().check(z.regex(ROLE_PATH, ROLE_PATH_EXPECTATION), z.maxLength(512, ROLE_PATH_EXPECTATION)),
  ),
  /** Days for which every log group keeps its lines. Absent: LOG_RETENTION_DAYS. */
  logRetentionDays: z.optional(z.literal(RETENTIONS, RETENTION_EXPECTATION)),
} as const
