/**
 * Every file of the program that can write to a disk, a socket or a report, with the reason why no secret can leave there: the output is `Redacted`
 * by its type, redacted on the spot, or holds no text of a service. `npm run check` fails for a file that isn't on the list. Standard output and
 * error are guarded as a whole (`guardOutput`), and `console` is not used.
 */
// biome-ignore format: one line for each file
export const outputs: Readonly<Record<string, string>> = {
  'src/http/certificate-chain.ts': 'reads the certificates that this machine trusts, and opens nothing',
  'src/http/node-transport.ts': 'sends requests to the service, the wire puts credentials on for its origin alone; and what callers of `fetchByRoute` give it, each of which is listed here',
  'src/http/span-exporter.ts': 'redacts each batch of spans; the headers that the variables name go to the collector alone',
  'src/run/ending/hosts.ts': 'opens a connection, and sends nothing',
  'src/drill/drill-environment.ts': 'asks the reference service on this machine, whose credentials are made up',
  'src/cli/serving/ask-monitor.ts': 'tells the monitor what was typed, with the token of its own settings in a header',
  'src/cli/container/healthcheck.ts': 'asks this container, without a body',
  'src/environment/credentials/issuers.ts': 'asks the token endpoint that the environment names, with its own credentials alone',
  'src/environment/credentials/broker.ts': 'hands credentials to the workers of this run, over a socket of this user alone',
  'src/environment/files/safe-file.ts': 'takes nothing but Redacted, except the one file that is for secrets',
  'src/safety/lock/exclusive-lock.ts': 'locks an empty file, and writes nothing into it',
  'src/safety/journal-file.ts': 'redacts each line',
  'src/scenario/world/transports.ts': 'asks the provisioner for users and items, with their number and an id alone',
  'src/monitor/history/database.ts': 'redacts each text of each statement',
  'src/server/http-server.ts': 'redacts each body',
  'src/survey/export/openapi.ts': 'reads the names of the statuses',
  'src/monitor/alerting/channel.ts': 'is given notices, which are Redacted',
  'src/monitor/alerting/heartbeat.ts': 'pings an address, without a body',
  'src/monitor/alerting/channels/email.ts': 'is given notices, which are Redacted',
  'src/playwright/allure/results-writer.ts': 'redacts what Allure’s reporter writes',
};
