export const z: string = "";
