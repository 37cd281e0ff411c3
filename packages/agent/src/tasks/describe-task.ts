/** One line that tells a person or a model what became of a background command. */
import type { TaskStatus } from './tasks.js';

/** `Background command bash-1f2e3d4c (run the tests) failed with exit code 1` */
export function describeTask(task: TaskStatus): string {
  const what = task.description ?? (task.command.length > 100 ? `${task.command.slice(0, 100).toWellFormed()}…` : task.command);
  return `${task.type === 'monitor' ? 'Monitor' : 'Background command'} ${task.id} (${what.replaceAll(/\s+/g, ' ')}) ${outcome(task)}`;
}

function outcome(task: TaskStatus): string {
  switch (task.state) {
    case 'running':
      return 'is running';
    case 'stopped':
      return 'was stopped';
    case 'done':
      return 'ended with exit code 0';
    case 'failed':
      if (task.why !== undefined) return `could not start: ${task.why}`;
      return task.signal ? `was ended by ${task.signal}` : `failed with exit code ${task.exit}`;
  }
}
