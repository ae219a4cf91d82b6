// Owns the spelling of people's addresses, and of ARNs of topics, in treasury.json.
import * as z from 'zod/mini'

export const MAIL_SCHEME = 'mailto:'
/**
 * The two forms of address that SNS can send to. With the longest addresses in every list, a template stays below the 1
 * MB that CloudFormation takes.
 */
const ALARM_ADDRESS =
  /^(mailto:[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,180}\.[A-Za-z]{2,24}|https:\/\/[A-Za-z0-9.-]{1,253}(:\d{1,5})?(\/[^\s#]{0,500})?)$/
export const listeners = z
  .array(
    z
      .string()
      .check(
        z.regex(
          ALARM_ADDRESS,
          'an address, such as "mailto:on-call@example.com" or "https://alerts.example.com/sluice"',
        ),
      ),
  )
  .check(z.maxLength(20, 'at most 20 addresses'))

/** A topic of the account. A topic for FIFO takes no alarms, and no message without a group. */
export const topicArn = z
  .string()
  .check(
    z.regex(
      /^arn:[a-z-]{1,20}:sns:[a-z0-9-]{1,30}:[0-9]{12}:(?!.*\.fifo$)[A-Za-z0-9_-]{1,256}$/,
      'the ARN of an SNS topic that is not FIFO, such as "arn:aws:sns:eu-west-1:123456789012:on-call"',
    ),
  )
