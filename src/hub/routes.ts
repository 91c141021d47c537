import type { Route } from './route.ts';
import { decisionRoutes } from './routes/decisions.ts';
import { eventRoutes } from './routes/events.ts';
import { feedbackRoutes } from './routes/feedback.ts';
import { insightRoutes } from './routes/insights.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { planRoutes } from './routes/plans.ts';
import { projectRoutes } from './routes/projects.ts';
import { runRoutes } from './routes/runs.ts';
import { taskWorkRoutes } from './routes/task-work.ts';
import { taskRoutes } from './routes/tasks.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { workerRoutes } from './routes/workers.ts';

/** The whole API except login and sockets. */
export const routes: Route[] = [
  ...projectRoutes,
  ...notificationRoutes,
  ...taskRoutes,
  ...taskWorkRoutes,
  ...eventRoutes,
  ...planRoutes,
  ...runRoutes,
  ...feedbackRoutes,
  ...decisionRoutes,
  ...insightRoutes,
  ...tokenRoutes,
  ...workerRoutes,
];
