export { documentAgui } from './document-agui.js';
