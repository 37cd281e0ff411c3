export { outputStyles, type StyleCatalogue, type StyleDefinition, type StyleProblem } from './catalogue.js';
