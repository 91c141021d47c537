/** The master file of a plan, to be filled in. What is in braces is a placeholder. */
export const masterTemplate = `# {Feature} - Master Plan

**Created:** {YYYY-MM-DD}
**GitHub Issues:** N/A
**GitHub Repo:** N/A

## Overview

{What to build, for whom, and why}

## Goals

1. {What must be true when the plan is done}

## Phases

| Phase | Title | Focus | Risk | Status |
|-------|-------|-------|------|--------|
| {N} | [{Phase Title}](phase-{N}.md) | {What this phase is about} | {Low or Medium or High} | Pending |

## Assumptions

- {What you assume, and why}

## Out of Scope

- {What you leave out on purpose}

## Risks

| Risk | Impact | Mitigation |
|------|--------|------------|
| {What could go wrong} | {Low or Medium or High} | {How you reduce the risk} |
`;
