/** All guards of the run routes. */
export const AGUI_GUARDS = 'AGUI:GUARDS';
/** Those that were known when the module was declared. */
export const AGUI_STATIC_GUARDS = 'AGUI:STATIC_GUARDS';
/** The controller class of one registration. Nest shows this to whoever imports the bare module. */
export const AGUI_CONTROLLER = 'AGUI:CONTROLLER, of AguiModule.forRoot()';
