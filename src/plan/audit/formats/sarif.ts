import type { Issue } from '../issue.ts';
import { rules } from '../rules.ts';

/** The issues as SARIF 2.1.0; `locate` turns a file into its path in the repository. */
export function sarifLog(issues: readonly Issue[], locate: (file: string) => string, version: string) {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'fermata',
            version,
            rules: rules.map(({ code, severity, summary }) => ({
              id: code,
              shortDescription: { text: summary },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: issues.map((issue) => result(issue, locate)),
      },
    ],
  };
}

function result(
  { severity, code, message, suggestion, file, line, column }: Issue,
  locate: (file: string) => string,
) {
  return {
    ruleId: code,
    ruleIndex: rules.findIndex((rule) => rule.code === code),
    level: severity,
    message: { text: `${message} ${suggestion}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uri(locate(file)) },
          region: { startLine: line, startColumn: column },
        },
      },
    ],
  };
}

function uri(path: string): string {
  return path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}
