export { taskList, type NewTask, type StoredTask, type TaskChanges, type TaskList, type TaskUpdated } from './task-list.js';
