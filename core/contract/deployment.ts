// Owns the description that a deployment gives of itself: input and output of the function Describe, and who deployed it.
// Shapes only.
import * as z from 'zod/mini'

export const DescribeOutcome = { Described: 'DESCRIBED' } as const

export const describeInput = z.object({})

export const deploymentReport = z.object({
  outcome: z.enum(DescribeOutcome),
  release: z.string(),
  /** SHA-256 of `treasury` in canonical form: keys sorted, every default filled in. */
  configuration: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** treasury.json as deployed, with every default filled in. Another release may have other fields. */
  treasury: z.record(z.string(), z.unknown()),
  /** Address at which the functions reach the service. It may differ from `service.url` in the file. */
  serviceUrl: z.string(),
})
export type DeploymentReport = z.infer<typeof deploymentReport>

/** Who deployed it: an ARN of STS, or a name. */
export const deployer = z.string().check(z.regex(/^[\x21-\x7e]{1,300}$/, 'a name or an ARN, of printable ASCII'))
/** Commit of the deployed source: its hash, with `-dirty` where files had changed since. */
export const commit = z.string().check(z.regex(/^[0-9a-f]{40}(-dirty)?$/, 'a commit of Git'))
