import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultConfigDir } from './config-dir.js';
import { projectFolder, projectName } from './project-folder.js';

test('a project is named by its path, as other tools name it', () => {
  expect(projectName('/home/ada/my.app_2')).toBe('-home-ada-my-app-2');
  expect(projectName('/häuser/猫')).toBe('-h-user--');
});

test('a long path is cut and ends with a hash of the whole of it', () => {
  const long = `/${'a'.repeat(250)}`;
  expect(projectName(long)).toMatch(/^-a{199}-[0-9a-z]+$/);
  expect(projectName(long)).not.toBe(projectName(`${long}b`));
  expect(projectName('a'.repeat(200))).toBe('a'.repeat(200));
});

test('the config folder is `~/.sidenote` unless a variable moves it', () => {
  expect(defaultConfigDir({}, '/home/ada')).toBe('/home/ada/.sidenote');
  expect(defaultConfigDir({ SIDENOTE_CONFIG_DIR: '/x' }, '/home/ada')).toBe('/x');
  expect(projectFolder({ cwd: '/no/such', configDir: '/x' })).toBe(join('/x', 'projects', '-no-such'));
});
