/** The tools that every coding session has. Their order is part of the prefix, so it never changes. */
import { bashTool } from './bash.js';
import { editTool } from './edit.js';
import type { ToolEnvironment } from './environment.js';
import { globTool } from './glob.js';
import { grepTool } from './grep.js';
import { monitorTool } from './monitor.js';
import { readTool } from './read.js';
import { taskOutputTool } from './task-output.js';
import { taskStopTool } from './task-stop.js';
import type { AnyTool } from './tool.js';
import { writeTool } from './write.js';

/** Tools for one working directory, in a fixed order. */
export function defaultTools(environment: ToolEnvironment): readonly AnyTool[] {
  const { notify } = environment;
  return [
    readTool(environment),
    writeTool(environment),
    editTool(environment),
    bashTool(environment),
    globTool(environment),
    grepTool(environment),
    taskOutputTool(environment),
    taskStopTool(environment),
    ...(notify === undefined ? [] : [monitorTool({ ...environment, notify })]),
  ];
}
