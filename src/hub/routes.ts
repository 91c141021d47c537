import type { Route } from './route.ts';
import { eventRoutes } from './routes/events.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { projectRoutes } from './routes/projects.ts';
import { taskRoutes } from './routes/tasks.ts';

/** The whole API but for logging in and sockets. */
export const routes: Route[] = [...projectRoutes, ...notificationRoutes, ...taskRoutes, ...eventRoutes];
