// Lists expressions, the verdict on each, and why. The grammar's own tests check them, and so may the tests of every
// program that shares the grammar.
//
// Guide: Amazon EventBridge Scheduler User Guide, "Schedule types". Reference: its API Reference, "CreateSchedule".
// Seen: recorded answers of the service, in the tests of LocalStack that are marked as validated against AWS.

/** The moment after which times count: a Saturday. */
export const AFTER = '2026-01-31T09:00:00Z'

export interface Accepted {
  readonly expression: string
  /** UTC when absent. */
  readonly zone?: string
  /** The first time after AFTER, where rates begin too; `never` when the expression is never due. */
  readonly next: string
  readonly why: string
}

export interface RefusedExpression {
  readonly expression: string
  readonly zone?: string
  /** A part of the message's expectation: its beginning, or the fix. */
  readonly expected: string
  /** The part of the expression that the error shows. */
  readonly got: string
  readonly why: string
}

const accepted = (expression: string, next: string, why: string, zone = 'UTC'): Accepted => {
  return { expression, zone, next, why }
}

export const ACCEPTED: readonly Accepted[] = [
  accepted('rate(1 minute)', '2026-01-31T09:01Z', 'the shortest: the precision is a minute (guide)'),
  accepted('rate(5 minutes)', '2026-01-31T09:05Z', 'the example of the guide'),
  accepted('rate(1 hour)', '2026-01-31T10:00Z', 'a unit of the reference'),
  accepted('rate(12 hours)', '2026-01-31T21:00Z', 'a unit of the guide'),
  accepted('rate(1 day)', '2026-02-01T09:00Z', 'a unit of the reference'),
  accepted('rate(7 days)', '2026-02-07T09:00Z', 'a unit of the guide'),
  accepted('rate(1 days)', '2026-02-01T09:00Z', 'the guide itself writes it: only rules require the singular with 1'),
  accepted('rate(2 minute)', '2026-01-31T09:02Z', 'the reference lists both spellings for any number; seen'),
  accepted('rate(1 day)', '2026-02-01T09:00Z', 'a day of a rate is 24 hours in any zone (guide)', 'Europe/Berlin'),
  accepted('rate(999999999 days)', 'never', 'longer than any date: due when it begins, and never again'),

  accepted('at(2026-02-01T09:30:00)', '2026-02-01T09:30Z', 'date, T and time to the second (guide)'),
  accepted('at(2022-11-20T13:00:00)', 'never', 'a past time is accepted; seen'),
  accepted('at(2026-07-01T09:30:00)', '2026-07-01T07:30Z', 'local time, in summer', 'Europe/Berlin'),
  accepted('at(2028-02-29T00:00:00)', '2028-02-29T00:00Z', 'a leap day of a leap year'),
  accepted('at(2026-11-01T01:30:00)', '2026-11-01T05:30Z', 'of a repeated time the first counts', 'America/New_York'),
  accepted('at(9999-12-31T23:59:59)', '9999-12-31T23:59:59.000Z', 'the last time that four digits of a year can write'),

  accepted('cron(0 10 * * ? *)', '2026-01-31T10:00Z', 'every day'),
  accepted('cron(15 12 * * ? *)', '2026-01-31T12:15Z', 'every day, at a minute'),
  accepted('cron(* * * * ? *)', '2026-01-31T09:01Z', '* in every field except a day field'),
  accepted('cron(0 10 ? * * *)', '2026-01-31T10:00Z', '? may stand in either day field (guide)'),
  accepted('cron(0 18 ? * MON-FRI *)', '2026-02-02T18:00Z', 'a range of names'),
  accepted('cron(0 18 ? * 2-6 *)', '2026-02-02T18:00Z', 'the same in numbers: 1 is Sunday (guide, by 3#2)'),
  accepted('cron(0 18 ? * mon-fri *)', '2026-02-02T18:00Z', 'names in small letters: earlier parsers accepted them'),
  accepted('cron(0 18 ? * SUN,WED *)', '2026-02-01T18:00Z', 'a list of names'),
  accepted('cron(0 18 ? * 1 *)', '2026-02-01T18:00Z', 'the first day of the week'),
  accepted('cron(0 18 ? * 7 *)', '2026-01-31T18:00Z', 'the last day of the week, Saturday'),
  accepted('cron(0 18 ? * SUN-SAT *)', '2026-01-31T18:00Z', 'the whole range of the table (guide)'),
  accepted('cron(0 9 ? * FRI-SAT,SUN-MON *)', '2026-02-01T09:00Z', 'two ranges in a list, in place of FRI-MON'),
  accepted('cron(0 9 ? * L *)', '2026-02-07T09:00Z', 'L as day-of-week: the last day of the week (guide)'),
  accepted('cron(15 10 ? * 6L 2022-2026)', '2026-02-27T10:15Z', 'the example of the guide: the last Friday'),
  accepted('cron(15 10 ? * FRIL *)', '2026-02-27T10:15Z', 'the same by name'),
  accepted('cron(0 9 ? * 3#2 *)', '2026-02-10T09:00Z', 'the example of the guide: the second Tuesday'),
  accepted('cron(0 9 ? * TUE#5 *)', '2026-03-31T09:00Z', 'a fifth Tuesday is not in every month'),
  accepted('cron(0 9 L * ? *)', '2026-02-28T09:00Z', 'L as day-of-month: the last day of the month (guide)'),
  accepted('cron(0 9 3W * ? *)', '2026-02-03T09:00Z', 'the example of the guide: the weekday closest to the 3rd'),
  accepted('cron(0 9 15W * ? *)', '2026-02-16T09:00Z', 'a Sunday becomes the next Monday'),
  accepted('cron(0 9 1W 8 ? *)', '2026-08-03T09:00Z', 'W stays within the month'),
  accepted('cron(0 9 31W * ? *)', '2026-03-31T09:00Z', 'a month without the day is skipped'),
  accepted('cron(0 0 29 2 ? *)', '2028-02-29T00:00Z', 'a day that exists only in leap years'),
  accepted('cron(0 0 30 2 ? *)', 'never', 'well formed, and never due'),
  accepted('cron(0 0 1 1 ? 2020)', 'never', 'a year that has passed'),
  accepted('cron(0 0 1 1 ? 2199)', '2199-01-01T00:00Z', 'the last year of the table (guide)'),
  accepted('cron(0 0 1 1 ? 1970-2199)', '2027-01-01T00:00Z', 'all years of the table (guide)'),
  accepted('cron(0 0 1 1 ? 2027/2)', '2027-01-01T00:00Z', 'a step of years from a first year'),
  accepted('cron(0 0 1 1 ? 2026,2028)', '2028-01-01T00:00Z', 'a list of years'),
  accepted('cron(1/10 * * * ? *)', '2026-01-31T09:01Z', 'the example of the guide: 1, 11, 21, …'),
  accepted('cron(*/15 * * * ? *)', '2026-01-31T09:15Z', 'a step from the smallest value'),
  accepted('cron(0/59 * * * ? *)', '2026-01-31T09:59Z', 'the longest step of minutes'),
  accepted('cron(0/30 8-17/3 ? * MON-FRI *)', '2026-02-02T08:00Z', 'a step within a range'),
  accepted('cron(0/30 20-23,0-2 ? * MON-FRI *)', '2026-02-02T00:00Z', 'two ranges of hours, in place of 20-2'),
  accepted('cron(5,35 14 1,15 JAN,JUL ? *)', '2026-07-01T14:05Z', 'lists of numbers and of names'),
  accepted('cron(0 12 1-7/3 2 ? 2026)', '2026-02-01T12:00Z', 'a step within a range of days'),
  accepted('cron(0 12 1 JAN-DEC ? *)', '2026-02-01T12:00Z', 'the whole range of the table, by name (guide)'),
  accepted('cron(0 12 1 1/3 ? *)', '2026-04-01T12:00Z', 'every quarter'),
  accepted('cron(00 09 01 02 ? *)', '2026-02-01T09:00Z', 'leading zeros: earlier parsers accepted them'),
  accepted('cron(0  9  *  *  ?  *)', '2026-02-01T09:00Z', 'any number of spaces separates the fields (guide)'),
  accepted('cron(0 10 5-5 * ? *)', '2026-02-05T10:00Z', 'a range of one value'),
  accepted(
    'cron(30 2 * * ? *)',
    '2026-02-01T01:30Z',
    'a daily time that does not exist on one day in spring',
    'Europe/Berlin',
  ),
  accepted('cron(30 2 ? 3 1L *)', 'never', 'due only in the hour that the clocks skip', 'Europe/Berlin'),
  accepted('cron(0 9 * * ? *)', '2026-02-01T03:30Z', 'a zone of half an hour', 'Asia/Kolkata'),
  accepted('cron(0 9 * * ? *)', '2026-01-31T14:00Z', 'an alias of a zone name', 'US/Eastern'),
]

const refused = (
  expression: string,
  [expected, got]: readonly [string, string],
  why: string,
  zone = 'UTC',
): RefusedExpression => {
  return { expression, zone, expected, got, why }
}

const RATE = 'a rate of whole minutes, hours or days'
const SIX = 'six fields between spaces'
const ONE_QUESTION_MARK = '? as day-of-month or as day-of-week of the cron, and not as both'
const KINDS = 'rate(…), cron(…) or at(…)'
const MOMENT = 'a moment without a zone of its own'
const CALENDAR = 'a date of the calendar, from 1970 on'
const minutes = 'as minutes of the cron a value from 0 to 59'
const daysOfMonth = 'as day-of-month of the cron a value from 1 to 31'
const daysOfWeek = 'as day-of-week of the cron a value from 1 to 7 or SUN to SAT'

export const REFUSED: readonly RefusedExpression[] = [
  refused('every day', [KINDS, 'every day'], 'not a kind of schedule'),
  refused('', [KINDS, ''], 'an empty text'),
  refused('0 9 * * ? *', [KINDS, '0 9 * * ? *'], 'a cron without its kind'),
  refused('CRON(0 9 * * ? *)', [KINDS, 'CRON(0 9 * * ? *)'], 'kinds are in small letters (guide)'),
  refused(' rate(10 minutes)', [KINDS, ' rate(10 minutes)'], 'a space before it; seen'),
  refused('rate(10 minutes) ', [KINDS, 'rate(10 minutes) '], 'a space after it'),
  refused('rate(1 hour', [KINDS, 'rate(1 hour'], 'the bracket is not closed'),
  refused(`cron(${'0,'.repeat(130)}0 9 * * ? *)`, ['at most 256 characters', `cron(${'0,'.repeat(17)}0…`], 'reference'),

  refused('rate()', [RATE, ''], 'neither number nor unit; seen'),
  refused('rate(10)', [RATE, '10'], 'no unit; seen'),
  refused('rate(minutes)', [RATE, 'minutes'], 'no number'),
  refused('rate(0 minutes)', [RATE, '0 minutes'], 'a positive number (guide)'),
  refused('rate(-10 minutes)', [RATE, '-10 minutes'], 'a positive number (guide); seen'),
  refused('rate(1.5 hours)', [RATE, '1.5 hours'], 'a whole number (reference)'),
  refused('rate(05 minutes)', [RATE, '05 minutes'], 'no leading zero: an earlier check refused it'),
  refused('rate(1000000000 minutes)', [RATE, '1000000000 minutes'], 'ten digits: our own bound, nineteen centuries'),
  refused('rate(10 seconds)', [RATE, '10 seconds'], 'not a unit of the reference; seen'),
  refused('rate(1 week)', [RATE, '1 week'], 'not a unit of the reference: write rate(7 days)'),
  refused('rate(10 years)', [RATE, '10 years'], 'not a unit of the reference; seen'),
  refused('rate(10 minutess)', [RATE, '10 minutess'], 'not a unit of the reference; seen'),
  refused('rate(10 MINUTES)', [RATE, '10 MINUTES'], 'units are in small letters (reference)'),
  refused('rate( 10 minutes )', [RATE, ' 10 minutes '], 'no space within the brackets; seen'),
  refused('rate(foo minutes)', [RATE, 'foo minutes'], 'not a number; seen'),
  refused('rate(1 hour)', ['an IANA time zone that exists', 'Mars/Base'], 'an unknown zone', 'Mars/Base'),
  refused('rate(1 hour)', ['an IANA time zone that exists', '+02:00'], 'an offset is not a zone name', '+02:00'),

  refused('at(tomorrow)', [MOMENT, 'tomorrow'], 'not a date'),
  refused('at(2021-12-31)', [MOMENT, '2021-12-31'], 'a date without a time; seen'),
  refused('at(2021-12-31T23:59:59Z)', [MOMENT, '2021-12-31T23:59:59Z'], 'the zone is a separate field; seen'),
  refused('at(2026-01-31 09:00:00)', [MOMENT, '2026-01-31 09:00:00'], 'T between date and time (guide)'),
  refused('at(2026-01-31T09:00)', [MOMENT, '2026-01-31T09:00'], 'to the second (guide)'),
  refused('at(2026-02-30T00:00:00)', [CALENDAR, '2026-02-30T00:00:00'], 'a valid date (guide)'),
  refused('at(2026-02-29T00:00:00)', [CALENDAR, '2026-02-29T00:00:00'], 'not a leap year'),
  refused('at(2026-13-01T00:00:00)', [CALENDAR, '2026-13-01T00:00:00'], 'month 13 does not exist'),
  refused('at(2026-01-31T24:00:00)', [CALENDAR, '2026-01-31T24:00:00'], 'the next day begins at 00:00:00'),
  refused('at(2026-01-31T09:00:60)', [CALENDAR, '2026-01-31T09:00:60'], 'no zone has a second 60'),
  refused('at(0026-01-31T09:00:00)', [CALENDAR, '0026-01-31T09:00:00'], 'a year before the first of the table'),
  refused(
    'at(2026-03-29T02:30:00)',
    ['Europe/Berlin puts its clocks forward over it; write a time before or after the gap', '2026-03-29T02:30:00'],
    'in a skipped hour; the guide describes skipped times for cron only',
    'Europe/Berlin',
  ),

  refused('cron()', [SIX, ''], 'no field; seen'),
  refused('cron(INVALID)', [SIX, 'INVALID'], 'one field; seen'),
  refused('cron(0 9 * * ?)', ['end with * for every year', '0 9 * * ?'], 'optional in the guide, not in the reference'),
  refused(
    'cron(0 9 * * MON-FRI)',
    ['end with * for every year', '0 9 * * MON-FRI'],
    'five fields, as cron of Unix has',
  ),
  refused('cron(0 0 9 * * ? *)', [SIX, '0 0 9 * * ? *'], 'seven fields, as Quartz has, with seconds'),
  refused('cron( 0 9 * * ? *)', [SIX, ' 0 9 * * ? *'], 'no space within the brackets, as in a rate'),
  refused('cron(0\t9 * * ? *)', [SIX, '0\t9 * * ? *'], 'spaces, not tabs, separate the fields'),
  refused('cron(0 9 * * * *)', [ONE_QUESTION_MARK, '0 9 * * * *'], 'both day fields are set (guide); seen'),
  refused('cron(0 9 1 * MON *)', [ONE_QUESTION_MARK, '0 9 1 * MON *'], 'both day fields are set (guide)'),
  refused('cron(0 9 ? * ? *)', [ONE_QUESTION_MARK, '0 9 ? * ? *'], 'no day field is set'),
  refused(
    'cron(0 ? ? * MON *)',
    ['as hours of the cron a value from 0 to 23', '?'],
    '? only in the day fields (guide)',
  ),
  refused('cron(60 9 * * ? *)', [minutes, '60'], 'one above the maximum'),
  refused('cron(71 8 1 * ? *)', [minutes, '71'], 'above the maximum; seen'),
  refused('cron(-5 9 * * ? *)', [minutes, ''], 'a range without its first value'),
  refused('cron(1-2-3 9 * * ? *)', [minutes, '1-2-3'], 'a range of three values'),
  refused('cron(0,,5 9 * * ? *)', [minutes, ''], 'an empty item in a list'),
  refused('cron(0, 9 * * ? *)', [minutes, ''], 'an empty item at the end of a list'),
  refused('cron(1.5 9 * * ? *)', [minutes, '1.5'], 'not a whole number'),
  refused('cron(L 9 * * ? *)', [minutes, 'L'], 'L is for days only (guide)'),
  refused('cron(0 24 * * ? *)', ['as hours of the cron a value from 0 to 23', '24'], 'midnight is 0'),
  refused('cron(0 9pm * * ? *)', ['as hours of the cron', '9pm'], 'hours are from 0 to 23'),
  refused('cron(0 dummy ? * MON-FRI *)', ['as hours of the cron', 'dummy'], 'not a number; seen'),
  refused('cron(0 9 0 * ? *)', [daysOfMonth, '0'], 'days begin with 1'),
  refused('cron(0 9 31,32 * ? *)', [daysOfMonth, '32'], 'one above the maximum, in a list'),
  refused(
    'cron(0 9 1 13 ? *)',
    ['as month of the cron a value from 1 to 12 or JAN to DEC', '13'],
    'one above the maximum',
  ),
  refused('cron(0 9 1 JANUARY ? *)', ['as month of the cron', 'JANUARY'], 'names have three letters (guide)'),
  refused('cron(0 9 ? * 0 *)', [daysOfWeek, '0'], 'Sunday is 1, not 0 as in Unix'),
  refused('cron(0 9 ? * 8 *)', [daysOfWeek, '8'], 'Saturday is 7'),
  refused('cron(0 9 ? * MOND *)', [daysOfWeek, 'MOND'], 'names have three letters (guide)'),
  refused('cron(7 20 ? * NOT *)', [daysOfWeek, 'NOT'], 'not a name of a day; seen'),
  refused('cron(0 9 ? * JAN *)', [daysOfWeek, 'JAN'], 'a name of another field'),
  refused(
    'cron(0 9 1 * ? 1969)',
    ['as year of the cron a value from 1970 to 2199', '1969'],
    'before the table (guide)',
  ),
  refused('cron(0 9 1 * ? 2200)', ['as year of the cron', '2200'], 'after the table (guide)'),
  refused('cron(0 9 1 * ? 26)', ['as year of the cron', '26'], 'years have four digits'),

  refused(
    'cron(0 9 ? * FRI-MON *)',
    ['a range that goes upwards: write FRI-SAT,SUN-MON', 'FRI-MON'],
    'not in the guide',
  ),
  refused('cron(0 9 ? * SAT-SUN *)', ['a range that goes upwards: write SAT,SUN', 'SAT-SUN'], 'not in the guide'),
  refused('cron(0 9 ? * 6-2 *)', ['write FRI-SAT,SUN-MON', '6-2'], 'the same in numbers'),
  refused('cron(0/30 20-2 ? * MON-FRI *)', ['write 20-23,0-2', '20-2'], 'shown for rules, not for Scheduler'),
  refused('cron(0 9 1 NOV-FEB ? *)', ['write NOV-DEC,JAN-FEB', 'NOV-FEB'], 'not in the guide'),
  refused('cron(0 9 1 * ? 2030-2026)', ['write 2026-2030', '2030-2026'], 'years do not start again'),
  refused('cron(0/0 9 * * ? *)', ['a step from 1 to 59', '0'], 'a step of 0'),
  refused('cron(0/60 9 * * ? *)', ['a step from 1 to 59', '60'], 'no second value within the hour'),
  refused('cron(0/ 9 * * ? *)', ['a step from 1 to 59', ''], 'no step after the /'),
  refused('cron(0/5/5 9 * * ? *)', [minutes, '0/5/5'], 'two steps'),
  refused('cron(0 0/24 * * ? *)', ['as hours of the cron a step from 1 to 23', '24'], 'no second value within the day'),
  refused('cron(0 9 ? * MON/2 *)', ['values without a step: write MON,WED,FRI', 'MON/2'], 'no / in this field (guide)'),
  refused('cron(0 9 ? * */2 *)', ['write SUN,TUE,THU,SAT', '*/2'], 'no / in this field (guide)'),
  refused('cron(0 9 LW * ? *)', ['L or W, because the guide does not show both together', 'LW'], 'not in the guide'),
  refused('cron(0 9 L-3 * ? *)', [daysOfMonth, 'L'], 'not in the guide'),
  refused('cron(0 9 W * ? *)', [daysOfMonth, 'W'], 'W needs a day (guide)'),
  refused('cron(0 9 32W * ? *)', [daysOfMonth, '32'], 'W with a day that no month has'),
  refused('cron(0 9 1,15W * ? *)', ['15W alone, without a list', '1,15W'], 'not in the guide'),
  refused('cron(0 9 1,L * ? *)', ['L alone, without a list', '1,L'], 'not in the guide'),
  refused('cron(0 9 l * ? *)', [daysOfMonth, 'l'], 'wildcards are capital letters (guide)'),
  refused('cron(0 9 ?,1 * ? *)', [daysOfMonth, '?'], '? stands alone'),
  refused('cron(0 9 ? * 15W *)', [daysOfWeek, '15W'], 'W is for day-of-month only (guide)'),
  refused('cron(0 9 ? * 8L *)', [daysOfWeek, '8'], 'L with a day that no week has'),
  refused('cron(0 9 ? * 3#6 *)', [daysOfWeek, '3#6'], 'no weekday comes six times in a month'),
  refused('cron(0 9 ? * 3#0 *)', [daysOfWeek, '3#0'], 'the first is 1'),
  refused('cron(0 9 ? * #2 *)', [daysOfWeek, '#2'], '# needs a day (guide)'),
  refused('cron(0 9 ? * 3#1,6#3 *)', ['3#1 alone, without a list', '3#1,6#3'], 'two # in one field (guide)'),
  refused('cron(0 9 ? * MON,FRIL *)', ['FRIL alone, without a list', 'MON,FRIL'], 'not in the guide'),
  refused('cron(0 9 ? * MON;TUE *)', [daysOfWeek, 'MON;TUE'], 'commas separate a list (guide)'),
]
