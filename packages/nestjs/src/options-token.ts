/** The token of the options of the module. */
export const optionsToken: unique symbol = Symbol("creditgate: the options of the module");
