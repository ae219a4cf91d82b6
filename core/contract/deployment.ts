// What a deployment says of itself: input and output of the function Describe. Shapes only.
import * as z from 'zod/mini'

export const DescribeOutcome = { Described: 'DESCRIBED' } as const

/** Describe: input. Nothing is asked. */
export const describeInput = z.object({})

/** Describe: output. */
export const deploymentReport = z.object({
  outcome: z.enum(DescribeOutcome),
  /** Version of Sluice. */
  release: z.string(),
  /** SHA-256 of `treasury` in its canonical form: keys sorted, every default filled in. */
  configuration: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** treasury.json as it was deployed, every default filled in. Another release may have other fields. */
  treasury: z.record(z.string(), z.unknown()),
  /** Where its functions reach the service: a deployment may be pointed elsewhere than its file says. */
  serviceUrl: z.string(),
})
export type DeploymentReport = z.infer<typeof deploymentReport>
