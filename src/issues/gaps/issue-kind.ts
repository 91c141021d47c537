export type IssueKind = 'bug' | 'feature' | 'chore' | 'docs' | 'question';
