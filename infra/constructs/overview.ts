// Owns the dashboard of a deployment: its alarms, its metrics by the table of core/contract/metrics.ts, and what AWS tells of its
// machines, functions and queue. A metric that comes into the table is on it.
import { Duration } from 'aws-cdk-lib'
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  MathExpression,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { METRIC_NAMESPACE, METRICS, type MetricName, type MetricTerms } from '../../core/contract/metrics.ts'
import { StateMachine as MachineName, type Verb } from '../../core/contract/states.ts'
import { nameIn } from './deployed-name.ts'
import { runbookLink } from './runbook-link.ts'
import { ofFunctions } from './watched-metrics.ts'

export interface OverviewProps {
  readonly alarms: readonly IAlarm[]
  readonly functions: readonly Verb[]
  readonly deadLetters: IMetric
}

const PERIOD = Duration.minutes(5)
/** Of the 24 columns of a dashboard. */
const THIRD = 8

export class Overview extends Construct {
  constructor(scope: Construct, id: string, { alarms, deadLetters, functions }: OverviewProps) {
    super(scope, id)
    const name = nameIn(this, 'sluice')
    const graph = (title: string, left: readonly IMetric[]) => new GraphWidget({ title, left: [...left], width: THIRD })
    const machines = Object.values(MachineName).map((machine) =>
      StateMachine.fromStateMachineName(this, machine, nameIn(this, machine)),
    )
    const ended = (tell: (machine: (typeof machines)[number]) => IMetric) => machines.map(tell)
    new Dashboard(this, 'Dashboard', {
      dashboardName: name,
      // A day: schedules and days of budgets are seen whole.
      defaultInterval: Duration.days(1),
      widgets: [
        [
          new TextWidget({
            markdown: `**${name}**: what each alarm and metric means: ${runbookLink('')}`,
            width: 24,
            height: 1,
          }),
        ],
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 5 })],
        ...rowsOf(
          Object.entries(METRICS).map(([metric, terms]) =>
            graph(`${metric}: ${terms.says}`, linesOf(this, metric as MetricName, terms)),
          ),
        ),
        [
          graph(
            'Executions that failed',
            ended((machine) => machine.metricFailed({ period: PERIOD })),
          ),
          graph('Functions', [
            ofFunctions(this, functions, 'Errors', PERIOD),
            ofFunctions(this, functions, 'Throttles', PERIOD),
          ]),
          graph('Dead letters', [deadLetters]),
        ],
      ],
    })
  }
}

function rowsOf(widgets: readonly IWidget[]): IWidget[][] {
  const perRow = 24 / THIRD
  return Array.from({ length: Math.ceil(widgets.length / perRow) }, (_, row) =>
    widgets.slice(row * perRow, (row + 1) * perRow),
  )
}

/** One line for each value of its dimensions, whichever there are. */
function linesOf(scope: Construct, metric: MetricName, { by, statistic }: MetricTerms): readonly IMetric[] {
  return by.map((dimensions) => {
    const schema = [nameIn(scope, METRIC_NAMESPACE), ...dimensions].map((part) => `"${part}"`).join(',')
    return new MathExpression({
      expression: `SEARCH('{${schema}} MetricName="${metric}"', '${statistic}', ${PERIOD.toSeconds()})`,
      label: '',
      period: PERIOD,
    })
  })
}
