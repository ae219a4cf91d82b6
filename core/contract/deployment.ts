// Owns the description that a deployment gives of itself: input and output of the function Describe. Shapes only.
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
