// Defines the network of deployed functions in treasury.json: their VPC, the company's forward proxy and its
// certificate authorities. Shapes only.
import * as z from 'zod/mini'

const idOf = (kind: 'vpc' | 'subnet' | 'sg') =>
  z.string().check(z.regex(new RegExp(`^${kind}-[0-9a-f]{8,17}$`), `an id such as "${kind}-0123456789abcdef0"`))

/** Source: AWS Lambda API Reference, VpcConfig: at most 16 subnets and 5 security groups. */
export const functionVpc = z.strictObject({
  id: idOf('vpc'),
  subnets: z.array(idOf('subnet')).check(z.minLength(1, 'a subnet'), z.maxLength(16, 'at most 16 subnets')),
  securityGroups: z.optional(
    z.array(idOf('sg')).check(z.minLength(1, 'a security group'), z.maxLength(5, 'at most 5 groups')),
  ),
})
export type FunctionVpc = z.infer<typeof functionVpc>

/** The variables of a function hold at most 4 KB, so both the address and the list are bounded. */
export const functionProxy = z.strictObject({
  /** Never with a password: variables of a function are in the clear in its template and in its console. */
  url: z
    .string()
    .check(
      z.regex(
        /^https?:\/\/[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:\d{1,5})?\/?$/,
        'the address of a proxy without user and password, such as "http://proxy.company.example:3128"; such a proxy lets functions in by their addresses',
      ),
    ),
  except: z.optional(
    z
      .array(
        z
          .string()
          .check(
            z.regex(
              /^(\*?\.)?[A-Za-z0-9][A-Za-z0-9.-]{0,98}(:\d{1,5})?$/,
              'a host, or the end of its name, such as "dynamodb.eu-west-1.amazonaws.com" or ".company.example"',
            ),
          ),
      )
      .check(z.maxLength(10, 'at most 10 hosts')),
  ),
})
export type FunctionProxy = z.infer<typeof functionProxy>

/** Ten certificates with RSA keys of 4,096 bits fit well. */
export const certificateAuthorities = z
  .array(
    z
      .string()
      .check(
        z.regex(
          /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,8000}-----END CERTIFICATE-----\s*$/,
          'one certificate in PEM, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----',
        ),
      ),
  )
  .check(z.minLength(1, 'a certificate'), z.maxLength(10, 'at most 10 certificates'))
